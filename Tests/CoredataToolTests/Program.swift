import Foundation
import Testing

/// The tool itself, as people run it.
enum Program {
  struct Outcome {
    let status: Int32
    let output: String
    let errors: String

    /// The object that the output spells as JSON.
    var json: [String: Any] {
      get throws {
        try #require(JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: Any])
      }
    }
  }

  /// Runs `coredata`, which stands beside the tests; what it prints may go to a file instead.
  static func run(_ arguments: [String], outputTo file: String? = nil) throws -> Outcome {
    let tests = try #require(Bundle.main.executableURL)
    let process = Process()
    let (output, errors) = (Pipe(), Pipe())
    process.executableURL = tests.deletingLastPathComponent().appending(component: "coredata")
    process.arguments = arguments
    process.standardOutput = output
    if let file { process.standardOutput = FileHandle(forWritingAtPath: file) }
    process.standardError = errors
    try process.run()
    if file != nil { try output.fileHandleForWriting.close() }
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    let complaint = String(
      decoding: errors.fileHandleForReading.readDataToEndOfFile(),
      as: UTF8.self
    )
    process.waitUntilExit()
    return Outcome(status: process.terminationStatus, output: text, errors: complaint)
  }

  static func run(_ arguments: String...) throws -> Outcome { try run(arguments) }

  /// The model of notes in folders, not compiled.
  static let model = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "TestSupport/Notes.xcdatamodeld").path
}
