import Foundation
import Testing

/// SQLite's command line tool, as a second opinion that shares no code with ours.
enum SQLiteShell {
  static let path = ["/usr/bin/sqlite3", "/usr/local/bin/sqlite3", "/opt/homebrew/bin/sqlite3"]
    .first { FileManager.default.isExecutableFile(atPath: $0) }

  static var isPresent: Bool { path != nil }

  /// The lines that `script` prints, run on the database at `file` or on one in memory.
  static func run(_ script: String, on file: String = ":memory:") throws -> [String] {
    let process = Process()
    let (input, output, errors) = (Pipe(), Pipe(), Pipe())
    process.executableURL = URL(filePath: try #require(path))
    process.arguments = ["-batch", "-bail", file]
    process.standardInput = input
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    try input.fileHandleForWriting.write(contentsOf: Data(script.utf8))
    try input.fileHandleForWriting.close()
    let lines = try output.fileHandleForReading.readToEnd() ?? Data()
    let complaints = try errors.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0, "\(String(decoding: complaints, as: UTF8.self))")
    return String(decoding: lines, as: UTF8.self).split(separator: "\n").map(String.init)
  }
}
