extension PredicateParser {
  /// An operator between two operands.
  enum Infix: Equatable {
    case or
    case and
    case comparison(Comparison.Operator)
    case set(SetOperation)
    case function(PredicateFunction, Precedence)
    case assignment

    var precedence: Precedence {
      switch self {
      case .or: .or
      case .and: .and
      case .comparison: .comparison
      case .set: .set
      case .function(_, let precedence): precedence
      case .assignment: .assignment
      }
    }
  }

  /// The operator at the present token, if there is one.
  func infix() throws(PredicateFormatError) -> Infix? {
    switch token {
    case .sign(let sign):
      return Infix(sign)
    case .word(let word):
      if let infix = ReservedWord(word).flatMap(Infix.init) { return infix }
      try refuseSelectorOperator(word)
      return nil
    case .key, .variable, .text, .integer, .real, .decimal, .hole, .end:
      return nil
    }
  }

  /// `SELF isKindOfClass: %@` needs a runtime that finds methods by name.
  private func refuseSelectorOperator(_ word: String) throws(PredicateFormatError) {
    guard following == .sign(.colon) else { return }
    throw error("the operator \"\(word):\" calls a method by its name; use a block predicate")
  }

  /// The letters in brackets behind an operator.
  mutating func options() throws(PredicateFormatError) -> Comparison.Options {
    guard accept(.openBracket) else { return [] }
    guard case .word(let letters) = token else { throw unexpected("options such as cd") }
    var options: Comparison.Options = []
    for letter in letters.lowercased() {
      switch letter {
      case "c": options.insert(.caseInsensitive)
      case "d": options.insert(.diacriticInsensitive)
      case "n": options.insert(.normalized)
      case "l": options.insert(.localeSensitive)
      case "w": options.insert(.wordBased)
      default: throw error("the option \"\(letter)\" is not one of c, d, n, l and w")
      }
    }
    advance()
    try expect(.closeBracket)
    return options
  }
}

extension PredicateParser.Infix {
  fileprivate init?(_ sign: Token.Sign) {
    switch sign {
    case .doubleBar: self = .or
    case .doubleAnd: self = .and
    case .equals, .doubleEquals: self = .comparison(.equalTo)
    case .notEquals, .lessOrGreater: self = .comparison(.notEqualTo)
    case .less: self = .comparison(.lessThan)
    case .lessEquals, .equalsLess: self = .comparison(.lessThanOrEqualTo)
    case .greater: self = .comparison(.greaterThan)
    case .greaterEquals, .equalsGreater: self = .comparison(.greaterThanOrEqualTo)
    case .colonEquals: self = .assignment
    case .shiftLeft, .shiftRight, .and, .bar, .caret, .plus, .minus, .star, .slash, .doubleStar:
      guard let infix = Self.functions[sign] else { return nil }
      self = infix
    case .exclamation, .tilde, .openParenthesis, .closeParenthesis, .openBrace, .closeBrace,
      .openBracket, .closeBracket, .comma, .dot, .colon:
      return nil
    }
  }

  private static let functions: [Token.Sign: Self] = PredicateFunction.allCases.reduce(into: [:]) {
    guard let (sign, precedence) = $1.facts.infix else { return }
    $0[sign] = .function($1, precedence)
  }

  fileprivate init?(_ word: ReservedWord) {
    switch word {
    case .or: self = .or
    case .and: self = .and
    case .in: self = .comparison(.in)
    case .like: self = .comparison(.like)
    case .matches: self = .comparison(.matches)
    case .contains: self = .comparison(.contains)
    case .beginsWith: self = .comparison(.beginsWith)
    case .endsWith: self = .comparison(.endsWith)
    case .between: self = .comparison(.between)
    case .union: self = .set(.union)
    case .intersect: self = .set(.intersect)
    case .minus: self = .set(.minus)
    case .not, .anyOf, .someOf, .allOf, .noneOf, .null, .nil, .self, .true, .yes, .false, .no,
      .anyKey,
      .truePredicate, .falsePredicate, .first, .last, .size, .subquery, .cast, .function,
      .ternary, .fetch:
      return nil
    }
  }
}
