/// One piece of a predicate's text.
enum FormatToken: Equatable {
  case word(FormatWord)
  /// A key or a function's name, with its colons when it is written as a selector.
  case name(String)
  case variable(String)
  case integer(Int64)
  case real(Double)
  case text(String)
  case symbol(String)

  /// Cuts text into tokens; nil when it has something that no token begins with.
  static func tokens(of format: String) -> [FormatToken]? {
    var cutter = FormatCutter(rest: Substring(format))
    return cutter.tokens()
  }
}

private struct FormatCutter {
  var rest: Substring

  private static let symbols = [
    "&&", "||", "==", "!=", "<>", "<=", "=<", ">=", "=>", "**",
    "=", "<", ">", "!", "(", ")", "{", "}", "[", "]", ",", ".", "+", "-", "*", "/", "@",
  ]

  mutating func tokens() -> [FormatToken]? {
    var tokens: [FormatToken] = []
    skipSpace()
    while let next = rest.first {
      guard let token = token(startingWith: next) else { return nil }
      tokens.append(token)
      skipSpace()
    }
    return tokens
  }

  private mutating func token(startingWith next: Character) -> FormatToken? {
    switch next {
    case "\"", "'": quoted(by: next)
    case "$": variable()
    case "#": escapedName()
    case _ where next.isNumber: number()
    case _ where next.isLetter || next == "_": wordOrName()
    default: symbol()
    }
  }

  private mutating func skipSpace() {
    rest = rest.drop(while: \.isWhitespace)
  }

  private mutating func take(while condition: (Character) -> Bool) -> String {
    let taken = rest.prefix(while: condition)
    rest = rest[taken.endIndex...]
    return String(taken)
  }

  private mutating func identifier() -> String {
    take { $0.isLetter || $0.isNumber || $0 == "_" }
  }

  private mutating func variable() -> FormatToken? {
    rest.removeFirst()
    let name = identifier()
    return name.isEmpty ? nil : .variable(name)
  }

  private mutating func escapedName() -> FormatToken? {
    rest.removeFirst()
    let name = identifier()
    return name.isEmpty ? nil : .name(name)
  }

  private mutating func wordOrName() -> FormatToken {
    var name = identifier()
    while rest.first == ":" {
      rest.removeFirst()
      name += ":" + identifier()
    }
    if let word = FormatWord(rawValue: name.uppercased()) { return .word(word) }
    return .name(name)
  }

  private mutating func number() -> FormatToken? {
    var digits = take(while: \.isNumber)
    if rest.first == ".", rest.dropFirst().first?.isNumber == true {
      rest.removeFirst()
      digits += "." + take(while: \.isNumber)
    }
    if rest.first == "e" || rest.first == "E" {
      rest.removeFirst()
      digits += "e" + take { $0.isNumber || $0 == "-" || $0 == "+" }
    }
    if let integer = Int64(digits) { return .integer(integer) }
    return Double(digits).map(FormatToken.real)
  }

  private mutating func quoted(by quote: Character) -> FormatToken? {
    let escapes: [Character: Character] = ["n": "\n", "r": "\r", "t": "\t"]
    rest.removeFirst()
    var text = ""
    while let next = rest.popFirst() {
      switch next {
      case quote:
        return .text(text)
      case "\\":
        guard let escaped = rest.popFirst() else { return nil }
        text.append(escapes[escaped] ?? escaped)
      default:
        text.append(next)
      }
    }
    return nil
  }

  private mutating func symbol() -> FormatToken? {
    guard let symbol = Self.symbols.first(where: { rest.hasPrefix($0) }) else { return nil }
    rest.removeFirst(symbol.count)
    return .symbol(symbol)
  }
}
