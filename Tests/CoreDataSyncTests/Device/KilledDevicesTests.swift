import Foundation
import TestSupport
import Testing

/// Real processes: a server, and devices that save without end, of which one after the other is killed.
struct KilledDevicesTests {
  @Test("devices and a server that are killed at random agree, and nothing that was saved is lost")
  func killing() async throws {
    let world = try Processes()
    defer { world.end() }
    let kills = Tries.count(12, long: 150)
    for number in 0..<kills {
      // Not as a task, which among two thousand tests may wake minutes later, and devices save all the while.
      usleep(UInt32.random(in: 100...400) * 1000)
      // The server is one of four.
      try world.kill(number % 4)
    }
    let saved = try world.stopEditing()
    #expect(saved.count > kills)
    var shown: [String] = []
    // What the last device sends, the first one has only when it asks again.
    for _ in 0..<2 {
      shown = []
      for device in 0..<3 { shown.append(try await world.show(device)) }
    }
    #expect(shown[0] == shown[1] && shown[1] == shown[2])
    let keys = Set(shown[0].split(separator: "\n").compactMap { $0.split(separator: " ").first })
    let lost = saved.filter { !keys.contains(Substring($0)) }
    #expect(lost.isEmpty)
    #expect(keys.count == shown[0].split(separator: "\n").count, "nothing is there twice")
  }
}

/// A server and three devices, each a process of its own.
private final class Processes {
  private let folder: URL
  private let programs: URL
  private var server = Process()
  private var devices: [Process] = []
  private var address = ""
  private var port = 0

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "killed-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    programs = try #require(Bundle.main.executableURL).deletingLastPathComponent()
    try startServer()
    for device in 0..<3 { devices.append(try edit(device)) }
  }

  func end() {
    for process in devices + [server] where process.isRunning {
      Foundation.kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
    }
    try? FileManager.default.removeItem(at: folder)
  }

  /// Kills a device, or after the three of them the server, and starts it again.
  func kill(_ number: Int) throws {
    let process = number < 3 ? devices[number] : server
    Foundation.kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    if number < 3 { devices[number] = try edit(number) } else { try startServer() }
  }

  /// Kills the devices; gives the keys that they have saved.
  func stopEditing() throws -> [String] {
    var saved: [String] = []
    for (number, process) in devices.enumerated() {
      Foundation.kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
      // A device that was killed early may have written nothing.
      let log = try? String(contentsOf: folder.appending(path: "\(number).log"), encoding: .utf8)
      saved += (log ?? "").split(separator: "\n").map(String.init)
    }
    return saved
  }

  /// What a device has, once it is in step.
  func show(_ number: Int) async throws -> String {
    let process = device("show", number)
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    try #require(process.terminationStatus == 0)
    return text
  }
}

extension Processes {
  private func edit(_ number: Int) throws -> Process {
    let process = device("edit", number)
    try process.run()
    return process
  }

  private func device(_ verb: String, _ number: Int) -> Process {
    let process = Process()
    process.executableURL = programs.appending(path: "program-to-follow")
    process.arguments = [
      verb, "\(number)", folder.appending(path: "\(number).sqlite").path, address,
    ]
    return process
  }

  private func startServer() throws {
    server = Process()
    server.executableURL = programs.appending(path: "coredata")
    server.arguments = ["serve", folder.appending(path: "server").path, "--port", "\(port)"]
    let output = Pipe()
    server.standardOutput = output
    try server.run()
    // The first lines say where it is, and with which token.
    var text = ""
    while !text.contains(port == 0 ? "#" : "Stop with") || text.last != "\n" {
      let data = output.fileHandleForReading.availableData
      if data.isEmpty { break }
      text += String(decoding: data, as: UTF8.self)
    }
    guard port == 0 else { return }
    address = try #require(
      text.split(separator: "\n").first { $0.contains("#") }.map {
        $0.trimmingCharacters(in: .whitespaces)
      }
    )
    port = try #require(URLComponents(string: address)?.port)
  }
}
