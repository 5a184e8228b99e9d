import ChildPrograms
import Foundation
import Testing

/// SQLite's command line tool, as a second opinion that shares no code with ours.
enum SQLiteShell {
  static let path = ["/usr/bin/sqlite3", "/usr/local/bin/sqlite3", "/opt/homebrew/bin/sqlite3"]
    .first { FileManager.default.isExecutableFile(atPath: $0) }

  static var isPresent: Bool { path != nil }

  /// The lines that `script` prints, run on the database at `file` or on one in memory.
  static func run(_ script: String, on file: String = ":memory:") throws -> [String] {
    let tool = URL(filePath: try #require(path))
    let outcome = try ChildProgram.run(tool, ["-batch", "-bail", file], input: script)
    try #require(outcome.status == 0, "\(outcome.errors)")
    return outcome.output.split(separator: "\n").map(String.init)
  }
}
