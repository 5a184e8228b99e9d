import Foundation
import Testing

/// SQLite's tool with a database open, told one line after the other: another program that has the
/// store open while ours has it.
final class OtherProgram {
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()

  init(_ file: String) throws {
    process.executableURL = URL(filePath: try #require(SQLiteShell.path))
    process.arguments = ["-batch", file]
    process.standardInput = input
    process.standardOutput = output
    try process.run()
  }

  /// Runs a script, and waits until it is done.
  @discardableResult
  func run(_ script: String) throws -> [String] {
    let mark = "done-\(UUID().uuidString)"
    try input.fileHandleForWriting.write(contentsOf: Data("\(script)\n.print \(mark)\n".utf8))
    var text = ""
    while !text.contains(mark) {
      let bytes = output.fileHandleForReading.availableData
      try #require(!bytes.isEmpty, "the program has ended")
      text += String(decoding: bytes, as: UTF8.self)
    }
    return text.split(separator: "\n").map(String.init).filter { $0 != mark }
  }

  /// Ends the program as a power failure would.
  func kill() {
    Foundation.kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  deinit {
    // A program that has ended already has nothing to read any more.
    try? input.fileHandleForWriting.close()
    process.waitUntilExit()
  }
}
