import ChildPrograms
import Foundation
import Testing

/// The tool itself, as people run it.
enum Program {
  struct Outcome {
    let status: Int32
    let output: String
    let errors: String

    init(_ outcome: ChildProgram.Outcome) {
      (status, output, errors) = (outcome.status, outcome.output, outcome.errors)
    }

    /// The object that the output spells as JSON.
    var json: [String: Any] {
      get throws {
        try #require(JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: Any])
      }
    }
  }

  /// Runs `coredata`, which is beside the tests; its output may go to a file instead.
  static func run(_ arguments: [String], outputTo file: String? = nil) throws -> Outcome {
    let channel = file.map { ChildProgram.Channel.file(URL(filePath: $0)) } ?? .pipe
    return Outcome(try ChildProgram.run(.built("coredata"), arguments, output: channel))
  }

  static func run(_ arguments: String...) throws -> Outcome { try run(arguments) }

  /// The model of notes in folders, not compiled.
  static let model = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "TestSupport/Notes.xcdatamodeld").path
}
