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

  /// A sign that nobody sees, behind a `$` that begins no formula: Markdown has a backslash before it.
  static let literal: Unicode.Scalar = "\u{2060}"

  /// Longer ones are words, as they are for the editor.
  private static let longest = 2_000

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
    if count == 2 {
      return inside.first != literal && inside.contains { !$0.properties.isWhitespace }
    }
    let behind = range.upperBound + 1 < text.count ? text[range.upperBound + 1] : " "
    return !isBlank(text[range.lowerBound]) && !isBlank(text[range.upperBound - 1])
      && !("0"..."9").contains(behind)
  }

  private static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isWhitespace || scalar == literal
  }
}

// MARK: - Parts of a text

extension MarkdownFormula {
  /// A piece of a text: words, or a formula without its signs.
  enum Part: Equatable {
    case words(String)
    case formula(String, isDisplay: Bool)
  }

  /// The words and formulas of a text, without the signs that nobody sees.
  static func parts(of text: String) -> [Part] {
    guard text.utf8.contains(UInt8(ascii: "$")) else { return [.words(text)] }
    let scalars = Array(text.unicodeScalars)
    var parts: [Part] = []
    var words = String.UnicodeScalarView()
    var index = 0
    while index < scalars.count {
      // A link that waits for its note comes first.
      if scalars[index] == "[", index + 1 < scalars.count, scalars[index + 1] == "[",
        let link = MarkdownScan.note(scalars, from: index + 2)
      {
        words.append(contentsOf: scalars[index..<(index + link.length + 2)])
        index += link.length + 2
        continue
      }
      let count = scalars[index] == "$" ? signs(at: index, in: scalars) : 0
      if count > 0, let length = length(at: index, in: scalars), length <= longest {
        if !words.isEmpty { parts.append(.words(String(words))) }
        words = .init()
        let tex = scalars[(index + count)..<(index + length - count)]
        parts.append(.formula(String(String.UnicodeScalarView(tex)), isDisplay: count == 2))
        index += length
      } else {
        words.append(contentsOf: scalars[index..<(index + max(count, 1))])
        index += max(count, 1)
        if count > 0, index < scalars.count, scalars[index] == literal { index += 1 }
      }
    }
    if !words.isEmpty { parts.append(.words(String(words))) }
    return parts
  }

  /// A text that was read, in which each `$` with a backslash has the sign that nobody sees behind it: keeps those signs
  /// without which a formula would begin.
  static func settled(_ text: String) -> String {
    var plain: [Unicode.Scalar] = []
    var literals: Set<Int> = []
    for scalar in text.unicodeScalars {
      if scalar == literal, plain.last == "$" {
        literals.insert(plain.count - 1)
      } else {
        plain.append(scalar)
      }
    }
    if literals.isEmpty { return text }
    var settled = String.UnicodeScalarView()
    var index = 0
    while index < plain.count {
      let count = plain[index] == "$" ? signs(at: index, in: plain) : 0
      let length = count > 0 ? length(at: index, in: plain) : nil
      let end = index + (length ?? max(count, 1))
      let isLiteral =
        length != nil
        && (index..<end).contains {
          literals.contains($0) && ($0 < index + count || $0 >= end - count)
        }
      let taken = isLiteral ? index + count : end
      settled.append(contentsOf: plain[index..<taken])
      if isLiteral { settled.append(literal) }
      index = taken
    }
    return String(settled)
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
