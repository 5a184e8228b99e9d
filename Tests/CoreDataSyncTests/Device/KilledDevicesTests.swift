import ChildPrograms
import Foundation
import TestSupport
import Testing

/// Real processes: a server, and devices that save without end, of which one after the other is killed, and connections
/// between them that are cut.
struct KilledDevicesTests {
  @Test(
    "devices and a server that are killed and cut off at random agree, and nothing that was saved is lost",
    arguments: StorageKind.tested
  )
  func killing(kind: StorageKind) async throws {
    let world = try Processes(kind)
    defer { world.end() }
    let kills = Tries.count(8, long: 150)
    for number in 0..<kills {
      // Not as a task, which among two thousand tests may wake minutes later, and devices save all the while.
      usleep(UInt32.random(in: 100...400) * 1000)
      // The server is one of four.
      try world.kill(number % 4)
    }
    #expect(try await comes { world.cuts > 0 && world.saved.count > kills })
    let saved = world.stopEditing()
    var shown: [String] = []
    // The last device's changes reach the first one only when it asks again.
    for _ in 0..<2 {
      shown = []
      for device in 0..<3 { shown.append(try await world.show(device)) }
    }
    #expect(shown[0] == shown[1] && shown[1] == shown[2])
    let notes = shown[0].split(separator: "\n").map {
      $0.split(separator: " ", maxSplits: 1).map(String.init)
    }
    let titles = Dictionary(notes.map { ($0[0], $0[1]) }, uniquingKeysWith: { first, _ in first })
    #expect(titles.count == notes.count, "nothing is there twice")
    #expect(saved.filter { titles[$0.note] == nil } == [], "no note is lost")
    // Whatever was written at the same time: a title that somebody has seen and replaced is not the latest.
    #expect(saved.filter { titles[$0.titled] == $0.before } == [], "no title is lost")
  }
}

/// A save of a device: a new note, and a note that got a title in place of another.
private struct Saved: Equatable {
  let note: String
  let titled: String
  let before: String

  init?(_ line: Substring) {
    let parts = line.split(separator: "\t").map(String.init)
    if parts.count != 3 { return nil }
    (note, titled, before) = (parts[0], parts[1], parts[2])
  }
}

/// A server and three devices, each a process of its own, with a bad network between them.
private final class Processes {
  private let place: StoragePlace
  private var folder: URL { place.folder }
  private var server: ChildProgram?
  private var proxy: UnreliableProxy?
  private var devices: [ChildProgram] = []
  private var address = ""
  private let kept: KeptPort

  init(_ kind: StorageKind) throws {
    place = try StoragePlace(kind)
    kept = try KeptPort()
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try startServer()
    let proxy = try UnreliableProxy(to: kept.number, .init(cutsPercent: 20, delay: 5))
    self.proxy = proxy
    address = address.replacing(":\(kept.number)/", with: ":\(proxy.port)/")
    for device in 0..<3 { devices.append(try edit(device)) }
  }

  func end() {
    for program in devices { program.kill() }
    server?.kill()
    proxy?.stop()
    place.remove()
  }

  /// Kills a device, or after the three of them the server, and starts it again.
  func kill(_ number: Int) throws {
    if number < 3 {
      devices[number].kill()
      devices[number] = try edit(number)
    } else {
      server?.kill()
      try startServer()
    }
  }

  /// How many connections were cut.
  var cuts: Int { proxy?.deeds.cuts ?? 0 }

  /// Kills the devices, and mends the network; returns their saves.
  func stopEditing() -> [Saved] {
    for program in devices { program.kill() }
    proxy?.manner = .init()
    return saved
  }

  /// The saves of the devices so far.
  var saved: [Saved] {
    devices.indices.flatMap { number in
      // A device that was killed early may have written nothing.
      let log = try? String(contentsOf: folder.appending(path: "\(number).log"), encoding: .utf8)
      return (log ?? "").split(separator: "\n").compactMap { Saved($0) }
    }
  }

  /// The notes of a device, once it is in step.
  func show(_ number: Int) async throws -> String {
    let outcome = try ChildProgram.run(.built("program-to-follow"), words("show", number))
    try #require(outcome.status == 0, "\(outcome.errors)")
    return outcome.output
  }
}

extension Processes {
  private func edit(_ number: Int) throws -> ChildProgram {
    try ChildProgram(.built("program-to-follow"), words("edit", number))
  }

  private func words(_ verb: String, _ number: Int) -> [String] {
    [verb, "\(number)", folder.appending(path: "\(number).sqlite").path, address]
  }

  private func startServer() throws {
    let storage =
      place.database.map { ["--store", $0.absoluteString] } ?? [
        folder.appending(path: "server").path
      ]
    let server = try ChildProgram(
      .built("coredata"),
      ["serve", "--port", "\(kept.number)"] + storage,
      output: .pipe
    )
    self.server = server
    // The first time it prints its address after that, and the token.
    var text = ""
    while !text.contains(address.isEmpty ? "#" : "Stop with") || text.last != "\n" {
      let data = server.output.availableData
      if data.isEmpty { break }
      text += String(decoding: data, as: UTF8.self)
    }
    guard address.isEmpty else { return }
    address = try #require(
      text.split(separator: "\n").first { $0.contains("#") }.map {
        $0.trimmingCharacters(in: .whitespaces)
      }
    )
  }
}
