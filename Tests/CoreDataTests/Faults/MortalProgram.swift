import ChildPrograms
import Foundation
import TestSupport
import Testing

/// A program of ours at work on a store, which is killed sooner or later.
final class MortalProgram {
  private let program: ChildProgram

  init(_ kind: WorkKind, at file: URL) throws {
    program = try ChildProgram(
      .built("program-to-kill"),
      [kind.rawValue, file.path],
      output: .pipe,
      errors: .pipe
    )
  }

  /// The last step that it has said was done, as far as it was heard; nil while there was none.
  private var heard: Int?

  /// Waits until it says something: that the store is open, or that a step is done.
  func waitForWord() throws {
    let word = try program.output.read(upToCount: 8) ?? Data()
    if word.count != 8 { try complain() }
    hear(word)
  }

  private func hear(_ bytes: Data) {
    // Part of a number was not said.
    for place in stride(from: 0, to: bytes.count / 8 * 8, by: 8) {
      let number = bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: place, as: Int64.self) }
      if number > 0 { heard = Int(number) }
    }
  }

  /// Ends it at once, and returns the last step that it had reported as done; `nil` if there was
  /// none.
  func kill() throws -> Int? {
    guard program.kill() == .signal(SIGKILL) else {
      try complain()
      return nil
    }
    hear(try program.output.readToEnd() ?? Data())
    return heard
  }

  private func complain() throws {
    let ending = program.wait()
    let words = String(
      decoding: try program.errors.readToEnd() ?? Data(),
      as: UTF8.self
    )
    try #require(Bool(false), "the program has ended with \(ending): \(words)")
  }
}
