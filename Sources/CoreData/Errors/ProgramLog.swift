import Foundation

/// The program's log, which people read in a terminal.
///
/// The contents of a store or a model were written by others: the name of a file in it must not begin a line of its
/// own, nor colour or clear the terminal.
///
/// ```
/// "a\nb\u{1B}[2J"     a␊b␛[2J
/// ```
package enum ProgramLog {
  package static func say(_ sentence: String) {
    NSLog("%@", "CoreData: \(line(sentence))")
  }

  /// A text in which characters that do something to a terminal are pictures of themselves.
  static func line(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isHarmful) else { return text }
    var line = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      line.append(isHarmful(scalar) ? picture(of: scalar) : scalar)
    }
    return String(line)
  }

  private static func isHarmful(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F..<0xA0: true
    // Ends of lines and paragraphs, and characters that turn the direction of writing.
    case 0x2028...0x202E, 0x2066...0x2069: true
    case _: false
    }
  }

  private static func picture(of scalar: Unicode.Scalar) -> Unicode.Scalar {
    switch scalar.value {
    case 0..<0x20: Unicode.Scalar(0x2400 + scalar.value) ?? "\u{FFFD}"
    case 0x7F: "\u{2421}"
    case _: "\u{FFFD}"
    }
  }
}
