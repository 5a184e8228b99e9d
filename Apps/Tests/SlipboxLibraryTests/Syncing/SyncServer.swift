import ChildPrograms
import Foundation
import Testing

/// `coredata serve`, as somebody runs it; the tool is beside the tests.
final class SyncServer {
  let address: String
  private let folder: URL
  private let kept: KeptPort
  private var process: ChildProgram?

  init() throws {
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("slipbox-server-\(UUID().uuidString)", isDirectory: true)
    kept = try KeptPort()
    let (process, lines) = try Self.run(in: folder, port: kept.number, until: "#")
    self.process = process
    let line = try #require(lines.first { $0.contains("#") }, "coredata serve said \(lines)")
    address = line.trimmingCharacters(in: .whitespaces)
  }

  deinit {
    stop()
    try? FileManager.default.removeItem(at: folder)
  }

  func stop() {
    process?.terminate()
    process = nil
  }

  /// Serves again, at the same port, and does not say the address again.
  func start() throws {
    process = try Self.run(in: folder, port: kept.number, until: "Stop with").process
  }

  /// The address with a token of its own.
  func makeToken() throws -> String {
    let lines = try tool("--new-token", "write", "--port", "\(kept.number)").split(separator: "\n")
    return String(try #require(lines.first))
  }

  func revoke(_ token: Int) throws { _ = try tool("--revoke", "\(token)") }

  private func tool(_ words: String...) throws -> String {
    let outcome = try ChildProgram.run(.built("coredata"), ["serve", folder.path] + words)
    try #require(outcome.status == 0, "\(outcome.errors)")
    return outcome.output
  }

  private static func run(
    in folder: URL,
    port: Int,
    until words: String
  ) throws -> (
    process: ChildProgram, lines: [String]
  ) {
    let process = try ChildProgram(
      .built("coredata"),
      ["serve", folder.path, "--port", "\(port)"],
      output: .pipe
    )
    var text = ""
    while !text.contains(words) || text.last != "\n" {
      let piece = process.output.availableData
      if piece.isEmpty { break }
      text += String(decoding: piece, as: UTF8.self)
    }
    return (process, text.split(separator: "\n").map(String.init))
  }
}
