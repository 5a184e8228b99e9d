/// Text that can be shown in one line of a terminal.
///
/// A store's texts were written by others: a note with escape sequences must not colour, clear or
/// rename the reader's terminal, nor turn the direction of the text beside it.
///
/// ```
/// "one\ntwo"          one↵two
/// "\u{1B}[2Jboo"      ␛[2Jboo
/// ```
extension String {
  var inOneLine: String {
    guard unicodeScalars.contains(where: \.isHarmful) else { return self }
    var text = String.UnicodeScalarView()
    var afterReturn = false
    for scalar in unicodeScalars {
      defer { afterReturn = scalar == "\r" }
      if scalar == "\n", afterReturn { continue }
      text.append(scalar.isHarmful ? scalar.picture : scalar)
    }
    return String(text)
  }

  /// The same in several lines, for sentences of the tool's own that name what a store holds.
  var harmless: String {
    isHarmless
      ? self
      : split(separator: "\n", omittingEmptySubsequences: false).map { String($0).inOneLine }
        .joined(separator: "\n")
  }
}

extension Unicode.Scalar {
  /// Whether it acts on a terminal instead of being shown in it.
  fileprivate var isHarmful: Bool {
    switch value {
    case 0..<0x20, 0x7F..<0xA0: true
    // Lines and paragraphs; characters that turn the direction of writing.
    case 0x2028...0x202E, 0x2066...0x2069: true
    // By these the tool marks what it styles itself.
    case 0xFDD0...0xFDEF: true
    case _: false
    }
  }

  /// A character that is shown instead.
  fileprivate var picture: Unicode.Scalar {
    switch value {
    case 0x0A, 0x0D, 0x85, 0x2028, 0x2029: "↵"
    case 0x09: " "
    case 0..<0x20: Unicode.Scalar(0x2400 + value) ?? "\u{FFFD}"
    case 0x7F: "␡"
    case _: "\u{FFFD}"
    }
  }
}

// MARK: - Width

extension Character {
  /// How many places it takes in a terminal: two for East Asian characters and pictures.
  var displayWidth: Int {
    guard let first = unicodeScalars.first else { return 0 }
    if first.value < 0x300 { return 1 }
    if first.properties.isEmojiPresentation || first.isWide { return 2 }
    if unicodeScalars.contains("\u{FE0F}"), first.properties.isEmoji { return 2 }
    switch first.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    case _: return 1
    }
  }
}

extension Unicode.Scalar {
  /// Whether Unicode calls it wide or full-width.
  fileprivate var isWide: Bool {
    switch value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97C, 0xAC00...0xD7A3,
      0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F,
      0x1F900...0x1F9FF, 0x20000...0x3FFFD:
      true
    case _: false
    }
  }
}

extension String {
  var displayWidth: Int {
    utf8.allSatisfy { $0 < 0x80 } ? utf8.count : reduce(0) { $0 + $1.displayWidth }
  }

  /// Cut to a width, with … where something is missing.
  func cut(to width: Int) -> String {
    guard displayWidth > width else { return self }
    guard width > 0 else { return "" }
    var (text, used) = ("", 0)
    for character in self {
      guard used + character.displayWidth <= width - 1 else { break }
      used += character.displayWidth
      text.append(character)
    }
    return text + "…"
  }

  /// Filled with spaces up to a width.
  func filled(to width: Int, onTheLeft: Bool = false) -> String {
    let spaces = String(repeating: " ", count: max(0, width - displayWidth))
    return onTheLeft ? spaces + self : self + spaces
  }
}
