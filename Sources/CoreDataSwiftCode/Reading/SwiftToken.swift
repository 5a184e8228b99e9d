/// A word or sign of Swift source text, without the blanks and comments around it.
package struct SwiftToken: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    /// A name or a keyword; in backquotes or not.
    case word
    case number
    /// A string literal with its delimiters and everything in between.
    case string
    /// `->`, or a single character.
    case sign
    /// A word after a number sign, such as `#if` or `#keyPath`.
    case directive
    /// A regular expression literal.
    case pattern
  }

  package let kind: Kind
  package let text: String
  /// The place of the token in the bytes of the source.
  package let range: Range<Int>
  /// The line, counted from 1.
  package let line: Int
  /// The column in bytes, counted from 1, as the compiler counts it.
  package let column: Int
  package let isFirstOnLine: Bool

  /// The text of a name without its backquotes.
  package var name: String {
    text.first == "`" ? String(text.dropFirst().dropLast()) : text
  }

  /// Whether the token is the given sign or the given word, which is not in backquotes.
  package func `is`(_ text: String) -> Bool {
    kind != .string && kind != .pattern && self.text == text
  }
}
