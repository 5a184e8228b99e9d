import Foundation

/// Prints a text, as Swift's own function does; ends the program with status 1 if it cannot be written, such as to a
/// disk that is full.
func print(_ text: String, terminator: String = "\n") {
  do {
    try Output.writing { try $0.write(text + terminator) }
  } catch {
    CoreDataCommand.complain("\(error)")
    exit(1)
  }
}

/// The tool's output, written in large pieces.
///
/// Everything that people read goes through here, and nothing that would control their terminal gets through: an escape
/// sequence in a store, a file's name or an error of SQLite's is shown as a picture of itself.
///
/// A reader who has seen enough, such as `head`, ends the program silently.
final class Output {
  private var bytes: [UInt8] = []
  private let descriptor: Int32
  private let endsWithReader: Bool

  private static let limit = 1 << 16

  /// Begins an output; one that does not end with its reader throws if that goes away.
  init(descriptor: Int32 = STDOUT_FILENO, endsWithReader: Bool = true) {
    self.descriptor = descriptor
    self.endsWithReader = endsWithReader
    bytes.reserveCapacity(Self.limit + 4096)
  }

  /// Prints the body's output; if it fails, its output so far comes before the complaint.
  static func writing(_ body: (Output) throws -> Void) throws {
    let output = Output()
    do {
      try body(output)
    } catch {
      try output.flush()
      throw error
    }
    try output.flush()
  }

  func write(_ text: String) throws {
    try writeExactly(text.isHarmless ? text : text.withStyles)
  }

  func line(_ text: String = "") throws {
    try write(text)
    try writeExactly("\n")
  }

  /// For values that go to files and other programs, which get them as they are.
  ///
  /// A long text goes in portions, so that no second one of its length is in memory.
  func writeExactly(_ text: String) throws {
    guard text.utf8.count > Self.limit else {
      bytes.append(contentsOf: text.utf8)
      if bytes.count >= Self.limit { try flush() }
      return
    }
    var rest = text.utf8[...]
    while !rest.isEmpty {
      let part = rest.prefix(Self.limit)
      bytes.append(contentsOf: part)
      rest = rest[part.endIndex...]
      try flush()
    }
  }

  /// Throws if the rest cannot be written, such as to a disk that is full.
  func flush() throws {
    defer { bytes.removeAll(keepingCapacity: true) }
    var written = 0
    while written < bytes.count {
      let count = bytes.withUnsafeBytes { all in
        // The system's own, not this type's.
        Foundation.write(descriptor, all.baseAddress?.advanced(by: written), all.count - written)
      }
      if count >= 0 {
        written += count
      } else if errno == EPIPE, endsWithReader {
        exit(Self.statusOfBrokenPipe)
      } else if errno != EINTR {
        throw Refusal("the output cannot be written: \(String(cString: strerror(errno)))")
      }
    }
  }

  /// Writes to the standard error, and goes on if that cannot be written.
  static func tell(_ work: (Output) throws -> Void) {
    let output = Output(descriptor: STDERR_FILENO, endsWithReader: false)
    do {
      try work(output)
      try output.flush()
    } catch {
      // Of a message that cannot be written, such as to a disk that is full, nobody can be told.
    }
  }

  /// The status that a shell reports for a program that a broken pipe has ended.
  static let statusOfBrokenPipe: Int32 = 128 + SIGPIPE
}

extension String {
  /// Without what would control a terminal, but for the tool's own styles.
  fileprivate var withStyles: String {
    var text = ""
    var plain = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      if let sequence = StyleMark.sequence(for: scalar) {
        text += String(plain).harmless + sequence
        plain = String.UnicodeScalarView()
      } else {
        plain.append(scalar)
      }
    }
    return text + String(plain).harmless
  }
}
