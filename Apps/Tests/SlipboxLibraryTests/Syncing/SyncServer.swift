import ChildPrograms
import Foundation
import Testing

/// `coredata serve`, as somebody runs it; the tool stands beside the tests.
final class SyncServer {
  let address: String
  private let folder: URL
  private let port: Int
  private var process: ChildProgram?

  init() throws {
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("slipbox-server-\(UUID().uuidString)", isDirectory: true)
    let (process, lines) = try Self.run(in: folder, port: 0)
    self.process = process
    let line = try #require(lines.first { $0.contains("#") }, "coredata serve said \(lines)")
    address = line.trimmingCharacters(in: .whitespaces)
    port = try #require(URLComponents(string: address)?.port)
  }

  deinit {
    stop()
    try? FileManager.default.removeItem(at: folder)
  }

  func stop() {
    process?.terminate()
    process = nil
  }

  func start() throws { process = try Self.run(in: folder, port: port).process }

  /// The address with a token of its own.
  func makeToken() throws -> String {
    let lines = try tool("--new-token", "write", "--port", "\(port)").split(separator: "\n")
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
    port: Int
  ) throws -> (
    process: ChildProgram, lines: [String]
  ) {
    let process = try ChildProgram(
      .built("coredata"),
      ["serve", folder.path, "--port", "\(port)"],
      output: .pipe
    )
    // The address comes only the first time.
    var text = ""
    while !text.contains(port == 0 ? "#" : "Stop with") || text.last != "\n" {
      let piece = process.output.availableData
      if piece.isEmpty { break }
      text += String(decoding: piece, as: UTF8.self)
    }
    return (process, text.split(separator: "\n").map(String.init))
  }
}
