/// Formulas, whose signs mean other things than in Markdown.
///
/// ```
/// so $e^{i\pi} = -1$ is        text as it is written, from one sign to the other
///
/// $$
/// \int_0^1 x\,dx               a block of code in the language `math`
/// $$
/// ```
///
/// As in other programs, a sign touches its formula, and no digit follows the second: `$5 or $6`.
enum MarkdownFormula {
  static let language = "math"

  /// The length of the formula at a place, with its signs; `nil` if there is none.
  static func length(at start: Int, in text: [Unicode.Scalar]) -> Int? {
    let count = signs(at: start, in: text)
    guard count == 1 || count == 2 else { return nil }
    let inside = start + count
    var index = inside
    while index < text.count, text[index] != "\n" {
      if text[index] == "$" {
        let isEnd = signs(at: index, in: text) == count && index > inside
        return isEnd && isFormula(inside..<index, in: text, count) ? index + count - start : nil
      }
      index += text[index] == "\\" ? 2 : 1
    }
    return nil
  }

  /// The number of signs at a place.
  static func signs(at start: Int, in text: [Unicode.Scalar]) -> Int {
    text[start...].prefix { $0 == "$" }.count
  }

  private static func isFormula(
    _ range: Range<Int>,
    in text: [Unicode.Scalar],
    _ count: Int
  ) -> Bool {
    let inside = text[range]
    // Signs that lead elsewhere are not only signs.
    for (first, second) in zip(inside, inside.dropFirst()) {
      switch (first, second) {
      case ("[", "["), ("]", "]"), ("]", "("): return false
      case _: continue
      }
    }
    if count == 2 { return inside.contains { !$0.properties.isWhitespace } }
    let behind = range.upperBound + 1 < text.count ? text[range.upperBound + 1] : " "
    return !text[range.lowerBound].properties.isWhitespace
      && !text[range.upperBound - 1].properties.isWhitespace && !("0"..."9").contains(behind)
  }
}

// MARK: - Blocks

extension MarkdownFormula {
  /// The meaning of a line that begins with `$$`.
  enum Beginning {
    /// The whole formula.
    case whole(ArraySlice<UInt8>)
    /// Its first line; `nil` if the signs are alone.
    case first(ArraySlice<UInt8>?)
  }

  /// `nil` for a line that is not a formula, or has one among its text.
  static func beginning(_ line: ArraySlice<UInt8>) -> Beginning? {
    let line = MarkdownSigns.trimmed(line)
    guard line.prefix(while: isSign).count == 2 else { return nil }
    let rest = MarkdownSigns.trimmed(line.dropFirst(2))
    if rest.isEmpty { return .first(nil) }
    if let inside = end(rest) { return inside.isEmpty || hasSigns(inside) ? nil : .whole(inside) }
    return hasSigns(rest) ? nil : .first(rest)
  }

  /// The text before the `$$` at the end of a line; `nil` if the line does not end so.
  static func end(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    let line = MarkdownSigns.trimmed(line)
    guard line.suffix(2).count == 2, line.suffix(2).allSatisfy(isSign) else { return nil }
    return MarkdownSigns.trimmed(line.dropLast(2))
  }

  private static func isSign(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "$") }

  private static func hasSigns(_ line: ArraySlice<UInt8>) -> Bool {
    zip(line, line.dropFirst()).contains { isSign($0) && isSign($1) }
  }

  /// The lines of a block of code that is a formula; `nil` for other code, and for code that such signs would end too
  /// early.
  static func lines(of text: String, language: String) -> [String]? {
    guard language == self.language, !text.contains("$$") else { return nil }
    let lines = text.isEmpty ? [] : text.split(separator: "\n", omittingEmptySubsequences: false)
    return ["$$"] + lines.map(String.init) + ["$$"]
  }
}
