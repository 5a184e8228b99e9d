import CoreDataModel

/// How wide a text is, as far as one can say without the font.
///
/// A picture is shown with whatever font its reader has, so that the widths are those of a wide one:
/// text may end early and never leaves its box.
enum TextWidth {
  static func of(_ text: some StringProtocol, size: Double) -> Double {
    text.unicodeScalars.reduce(0) { $0 + width(of: $1) } * size
  }

  /// The text, shortened if it is wider than the room.
  static func fitting(_ text: String, size: Double, within width: Double) -> String {
    guard of(text, size: size) > width else { return text }
    var beginning = text[...]
    while !beginning.isEmpty, of(beginning, size: size) + size > width { beginning.removeLast() }
    return beginning + "…"
  }

  private static func width(of scalar: Unicode.Scalar) -> Double {
    switch scalar {
    case "i", "j", "l", "I", ".", ",", ":", ";", "'", "|", "!", "·", " ": 0.34
    case "f", "t", "r", "(", ")", "[", "]", "-", "J": 0.42
    case "m", "w", "M", "W", "@", "%", "…", "→": 0.98
    case "A"..."Z": 0.72
    case "\u{0}"..."\u{24F}": 0.63
    // Letters of other alphabets, and then signs that fill a square.
    case "\u{250}"..."\u{1FFF}": 0.72
    default: 1.05
    }
  }
}
