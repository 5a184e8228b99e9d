import Foundation
import Testing

/// The program itself, as a user runs it, with a folder that is removed afterwards.
final class Program {
  let folder: URL

  init() throws {
    folder = URL.temporaryDirectory.appending(component: "bookstore-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit {
    // The folder is temporary: where it stays, nothing is lost.
    try? FileManager.default.removeItem(at: folder)
  }

  var store: URL { folder.appending(component: "BookStore.sqlite") }

  struct Outcome {
    let status: Int32
    let output: String
    let errors: String
  }

  /// Runs `bookstore`, which stands beside the tests.
  func run(_ arguments: String...) throws -> Outcome {
    let tests = try #require(Bundle.main.executableURL)
    return try run(tests.deletingLastPathComponent().appending(component: "bookstore"), arguments)
  }

  /// What `sqlite3` says of the store.
  func sql(_ statement: String) throws -> String {
    let outcome = try run(URL(filePath: "/usr/bin/sqlite3"), [store.path, statement])
    #expect(outcome.errors.isEmpty)
    return outcome.output.trimmingCharacters(in: .newlines)
  }

  private func run(_ executable: URL, _ arguments: [String]) throws -> Outcome {
    let process = Process()
    let (output, errors) = (Pipe(), Pipe())
    process.executableURL = executable
    process.arguments = arguments
    process.environment = ["XDG_DATA_HOME": folder.path]
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    let complaint = String(
      decoding: errors.fileHandleForReading.readDataToEndOfFile(),
      as: UTF8.self
    )
    process.waitUntilExit()
    return Outcome(status: process.terminationStatus, output: text, errors: complaint)
  }
}
