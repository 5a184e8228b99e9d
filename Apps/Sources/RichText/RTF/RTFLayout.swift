/// The numbers by which reader and writer of RTF understand each other; lengths in twentieths of a
/// point.
enum RTFLayout {
  /// The indent of a quote, one centimetre for each level.
  static let quoteIndent = 567

  /// The additional indent of code.
  static let codeIndent = 284

  /// The indent of an item of a list, and the additional indent of each level below it.
  static let listIndent = 720
  static let levelIndent = quoteIndent

  /// A rule, as a paragraph: TextKit does not know a rule in RTF.
  static let rule = "⸻"

  /// The replacement for a picture without a caption.
  static let noCaption = "▣"

  /// How wide a table is.
  static let pageWidth = 9_000

  static func word(_ alignment: RichText.Table.Alignment) -> String {
    switch alignment {
    case .left: "\\ql"
    case .center: "\\qc"
    case .right: "\\qr"
    }
  }

  /// Half points.
  static let bodySize = 24

  static func size(of heading: RichText.HeadingLevel) -> Int {
    switch heading {
    case .one: 48
    case .two: 36
    case .three: 30
    case .four: 28
    case .five: 26
    case .six: bodySize
    }
  }

  /// How many quotes an indented paragraph is in; more than a few nobody can tell apart.
  static func quotes(indent: Int) -> Int {
    let indent = min(max(indent, 0), quoteIndent * 12)
    return isCode(indent: indent) ? indent / quoteIndent : (indent + codeIndent) / quoteIndent
  }

  static func isCode(indent: Int) -> Bool {
    (indent % quoteIndent - codeIndent).magnitude < 15 && indent > 0
  }
}
