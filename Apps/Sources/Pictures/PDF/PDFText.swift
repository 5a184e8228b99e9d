/// The text of a PDF as a search needs it.
enum PDFText {
  /// Words in lines, without the signs that only arrange a page.
  ///
  /// A word that was divided at the end of a line is put together: `infor-⏎mation` is `information`.
  static func words(of text: String) -> String {
    var words = String.UnicodeScalarView()
    words.reserveCapacity(text.unicodeScalars.count)
    var gap: Unicode.Scalar?
    for scalar in text.unicodeScalars {
      if isGap(scalar) {
        // A line break counts more than a blank.
        if gap != "\n" { gap = scalar == "\n" || scalar == "\u{c}" ? "\n" : " " }
        continue
      }
      if let between = gap {
        if between == "\n", scalar.properties.isLowercase, isDivided(words) {
          words.removeLast()
        } else if !words.isEmpty {
          words.append(between)
        }
      }
      gap = nil
      words.append(scalar)
    }
    return String(words)
  }

  private static func isGap(_ scalar: Unicode.Scalar) -> Bool {
    // Control characters, and the sign for a letter that the file does not name.
    scalar.value < 0x20 || scalar.value == 0x7F || scalar.value == 0xFFFD
      || scalar.properties.isWhitespace
  }

  /// Whether the last word ends with a hyphen behind a letter.
  private static func isDivided(_ words: String.UnicodeScalarView) -> Bool {
    words.last == "-" && words.dropLast().last?.properties.isAlphabetic ?? false
  }
}
