import CoreDataCRuntime
import Foundation

/// The destination of text: a person at a terminal, or a file or another program.
///
/// Everything that depends on the reader is asked here: a width only if a person reads, colours only if they are
/// wanted.
struct Terminal: Sendable {
  /// Whether a person reads.
  let isInteractive: Bool
  /// How many characters fit into a line; `nil` if the length of lines is not limited.
  let width: Int?
  let hasColours: Bool

  static let output = Terminal(descriptor: STDOUT_FILENO, ProcessInfo.processInfo.environment)
  static let errors = Terminal(descriptor: STDERR_FILENO, ProcessInfo.processInfo.environment)

  init(isInteractive: Bool, width: Int?, hasColours: Bool) {
    self.isInteractive = isInteractive
    self.width = width
    self.hasColours = hasColours
  }

  /// `NO_COLOR` with any text, and `TERM=dumb`, mean no colours; `COLUMNS` is a width for those whose
  /// terminal does not tell it.
  init(descriptor: Int32, _ environment: [String: String]) {
    isInteractive = isatty(descriptor) == 1
    let isPlain = environment["TERM"] == "dumb" || environment["NO_COLOR"]?.isEmpty == false
    hasColours = isInteractive && !isPlain
    guard isInteractive else {
      width = nil
      return
    }
    let columns = Int(coredata_terminal_columns(descriptor))
    let told = environment["COLUMNS"].flatMap(Int.init)
    width = max(20, columns > 0 ? columns : told ?? 80)
  }
}

// MARK: - Colours

/// The role of a piece of text; the terminal decides how that looks.
enum TextRole: UInt32, Sendable, CaseIterable {
  case heading, faint, good, warning, bad

  /// The escape sequence for a terminal.
  fileprivate var sequence: String {
    switch self {
    case .heading: "\u{1B}[1m"
    case .faint: "\u{1B}[2m"
    case .good: "\u{1B}[32m"
    case .warning: "\u{1B}[33m"
    case .bad: "\u{1B}[31m"
    }
  }
}

/// The form in which styled text travels to the output: between noncharacters, which no text has.
///
/// Escape sequences are made of them at the very end, after those that a store holds are gone: so only the tool's own
/// reach a terminal.
enum StyleMark {
  private static let first: UInt32 = 0xFDD0
  private static let end = Unicode.Scalar(UInt16(0xFDDF)).map(Character.init) ?? " "

  static func marking(_ text: String, as role: TextRole) -> String {
    guard let mark = Unicode.Scalar(first + role.rawValue) else { return text }
    return "\(mark)\(text)\(end)"
  }

  /// The sequence that a mark means; `nil` for other characters.
  static func sequence(for scalar: Unicode.Scalar) -> String? {
    if Character(scalar) == end { return "\u{1B}[0m" }
    guard scalar.value >= first else { return nil }
    return TextRole(rawValue: scalar.value - first)?.sequence
  }
}

extension Terminal {
  func styled(_ text: String, _ role: TextRole) -> String {
    hasColours && !text.isEmpty ? StyleMark.marking(text.harmless, as: role) : text
  }
}
