import ChildPrograms
import Foundation
import Testing

/// SQLite's tool with a database open, told one line after the other: another program that has the
/// store open while ours has it.
final class OtherProgram {
  private let program: ChildProgram

  init(_ file: String) throws {
    program = try ChildProgram(
      URL(filePath: try #require(SQLiteShell.path)),
      // It waits for others too: a store that is opened looks at the file for moments, and a COMMIT at such a
      // moment would be refused, and would leave its transaction open.
      ["-batch", "-bail", "-cmd", ".timeout 60000", file],
      input: .pipe,
      output: .pipe
    )
  }

  /// Runs a script, and waits until it is done.
  @discardableResult
  func run(_ script: String) throws -> [String] {
    let mark = "done-\(UUID().uuidString)"
    try program.input.write(contentsOf: Data("\(script)\n.print \(mark)\n".utf8))
    var text = ""
    while !text.contains(mark) {
      let bytes = program.output.availableData
      try #require(!bytes.isEmpty, "the program has ended")
      text += String(decoding: bytes, as: UTF8.self)
    }
    return text.split(separator: "\n").map(String.init).filter { $0 != mark }
  }

  /// Ends the program as a power failure would.
  func kill() {
    program.kill()
  }

  deinit {
    // A program that has ended already has nothing to read any more.
    try? program.input.close()
    program.wait()
  }
}
