import Foundation

/// Where text goes: to a person at a terminal, or into a file or another program.
///
/// Everything that depends on the reader is asked here: a width only where a person reads, colours only
/// where they want them.
struct Terminal: Sendable {
  /// Whether a person reads.
  let isInteractive: Bool
  /// How many characters fit into a line; nil where lines may be as long as they like.
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
    var size = winsize()
    let answers = ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
    let told = environment["COLUMNS"].flatMap(Int.init)
    width = max(20, answers ? Int(size.ws_col) : told ?? 80)
  }
}

// MARK: - Colours

/// What a piece of text is; the terminal decides how that looks.
enum TextRole: String, Sendable {
  case heading = "1"
  case faint = "2"
  case good = "32"
  case warning = "33"
  case bad = "31"
}

extension Terminal {
  func styled(_ text: String, _ role: TextRole) -> String {
    hasColours && !text.isEmpty ? "\u{1B}[\(role.rawValue)m\(text)\u{1B}[0m" : text
  }
}
