import Foundation

/// The smallest pieces of a format string.
enum Token: Equatable {
  /// A key, a function's name or a reserved word.
  case word(String)
  /// `#first` or `@count`: always a key.
  case key(String)
  /// `$name`.
  case variable(String)
  case text(String)
  case integer(UInt64)
  case real(Double)
  /// More digits than a double can tell apart.
  case decimal(Decimal)
  /// `%@`, `%K`, `%ld`: the place of an argument.
  case hole(FormatHole)
  case sign(Sign)
  case end

  enum Sign: String, CaseIterable {
    case colonEquals = ":="
    case doubleEquals = "=="
    case notEquals = "!="
    case lessOrGreater = "<>"
    case lessEquals = "<="
    case equalsLess = "=<"
    case greaterEquals = ">="
    case equalsGreater = "=>"
    case shiftLeft = "<<"
    case shiftRight = ">>"
    case doubleAnd = "&&"
    case doubleBar = "||"
    case doubleStar = "**"
    case equals = "="
    case less = "<"
    case greater = ">"
    case exclamation = "!"
    case plus = "+"
    case minus = "-"
    case star = "*"
    case slash = "/"
    case and = "&"
    case bar = "|"
    case caret = "^"
    case tilde = "~"
    case openParenthesis = "("
    case closeParenthesis = ")"
    case openBrace = "{"
    case closeBrace = "}"
    case openBracket = "["
    case closeBracket = "]"
    case comma = ","
    case dot = "."
    case colon = ":"
  }
}

/// The place of an argument in a format string, and the kinds that it accepts.
struct FormatHole: Equatable, Sendable {
  enum Kind: Equatable, Sendable {
    /// `%@`: any value, an expression, or a whole predicate.
    case value
    /// `%K`: a key path.
    case keyPath
    /// `%d`, `%f` and their relatives.
    case number
    /// `%c` and `%C`: the number of a character, or the character itself.
    case character
    /// `%s` and `%S`: a text, also one of C.
    case text
  }

  let index: Int
  let kind: Kind
  /// As it is written: `%ld`.
  let spelling: String
  /// Its beginning, in UTF-8; characters are counted for an error alone.
  let offset: Int

  /// The variable that represents the argument in a template; no format string can spell it.
  var variable: String { "%\(index)" }
}

extension Token: CustomStringConvertible {
  /// As it is written, for errors.
  var description: String {
    switch self {
    case .word(let word), .key(let word): "\"\(word)\""
    case .variable(let name): "\"$\(name)\""
    case .text(let text): "the text \"\(text)\""
    case .integer(let value): "\"\(value)\""
    case .real(let value): "\"\(value)\""
    case .decimal(let value): "\"\(value)\""
    case .hole(let hole): "\"\(hole.spelling)\""
    case .sign(let sign): "\"\(sign.rawValue)\""
    case .end: "the end"
    }
  }
}
