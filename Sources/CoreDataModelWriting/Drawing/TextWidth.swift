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
    var end = text.startIndex
    var taken = 0.0
    for (index, letter) in zip(text.indices, text) {
      taken += of(String(letter), size: size)
      if taken > width { return text[..<end] + "…" }
      // The sign for what is missing needs room, too.
      if taken + size <= width { end = text.index(after: index) }
    }
    return text
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
