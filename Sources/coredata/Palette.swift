import CoreDataModel
import Foundation

/// The colours of a terminal, or none where the text goes elsewhere.
enum Palette {
  case plain
  case coloured

  /// Colours on a terminal, unless its user wants none (`NO_COLOR`).
  static var ofStandardOutput: Palette {
    let environment = ProcessInfo.processInfo.environment
    let isTerminal = isatty(STDOUT_FILENO) == 1 && environment["TERM"] != "dumb"
    return isTerminal && environment["NO_COLOR", default: ""].isEmpty ? .coloured : .plain
  }

  func bold(_ text: String) -> String { wrapped(text, 1) }

  func coloured(_ text: String, _ sign: ModelChange.Sign) -> String {
    switch sign {
    case .added: wrapped(text, 32)
    case .removed: wrapped(text, 31)
    case .changed: wrapped(text, 33)
    }
  }

  private func wrapped(_ text: String, _ code: Int) -> String {
    switch self {
    case .plain: text
    case .coloured: "\u{1B}[\(code)m\(text)\u{1B}[0m"
    }
  }
}
