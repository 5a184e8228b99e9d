import Foundation

extension PredicateParser {
  /// A value, and its suffixes: `.key` and `[place]`.
  mutating func suffixed() throws(PredicateFormatError) -> Node {
    switch try primary() {
    case .predicate(let predicate): return .predicate(predicate)
    case .expression(let expression): return .expression(try suffixes(of: expression))
    }
  }

  mutating func suffixes(
    of start: ExpressionTree
  ) throws(PredicateFormatError) -> ExpressionTree {
    var expression = start
    while true {
      if accept(.dot) {
        expression = try key(of: expression)
      } else if accept(.openBracket) {
        try lengthenChain()
        expression = .index(expression, try place())
        try expect(.closeBracket)
      } else {
        return expression
      }
    }
  }

  private mutating func key(of base: ExpressionTree) throws(PredicateFormatError) -> ExpressionTree
  {
    defer { advance() }
    switch token {
    case .word(let name), .key(let name):
      return .path(base, [name])
    case .variable(let name):
      try lengthenChain()
      return .variableKey(base: base, variable: name)
    case .hole(let hole) where hole.kind == .keyPath:
      try lengthenChain()
      return .variableKey(base: base, variable: hole.variable)
    case .hole, .text, .integer, .real, .decimal, .sign, .end:
      throw unexpected("a key")
    }
  }

  private mutating func place() throws(PredicateFormatError) -> IndexPlace {
    if case .word(let word) = token, following == .sign(.closeBracket) {
      switch ReservedWord(word) {
      case .first:
        advance()
        return .first
      case .last:
        advance()
        return .last
      case .size:
        advance()
        return .size
      default: break
      }
    }
    return .at(try expression(.set))
  }
}

// MARK: - Values

extension PredicateParser {
  private mutating func primary() throws(PredicateFormatError) -> Node {
    switch token {
    case .word(let word):
      return try named(word)
    case .key(let name):
      advance()
      return .expression(.path(.evaluatedObject, [name]))
    case .variable(let name):
      advance()
      return .expression(.variable(name))
    case .text(let text):
      return constant(text)
    case .integer(let value):
      return constant(Int(exactly: value).map { $0 as Any } ?? value)
    case .real(let value):
      return constant(value)
    case .decimal(let value):
      return constant(value)
    case .hole(let hole):
      return try argument(for: hole)
    case .sign(.openParenthesis):
      advance()
      let inner = try node(.assignment)
      try expect(.closeParenthesis)
      return inner
    case .sign(.openBrace):
      advance()
      return .expression(.aggregate(try list(until: .closeBrace)))
    case .sign, .end:
      throw unexpected("a value")
    }
  }

  private mutating func constant(_ value: Any?) -> Node {
    advance()
    return .expression(.constant(Constant(value)))
  }

  private mutating func list(
    until end: Token.Sign
  ) throws(PredicateFormatError) -> [ExpressionTree] {
    var elements: [ExpressionTree] = []
    guard !accept(end) else { return elements }
    repeat {
      elements.append(try expression(.set))
    } while accept(.comma)
    try expect(end)
    return elements
  }

  /// An argument's place; a whole predicate goes into the tree at once.
  private mutating func argument(for hole: FormatHole) throws(PredicateFormatError) -> Node {
    if hole.kind == .value, arguments.indices.contains(hole.index),
      let predicate = arguments[hole.index] as? NSPredicate
    {
      advance()
      fillAtOnce()
      return .predicate(predicate.tree)
    }
    advance()
    return .expression(
      hole.kind == .keyPath
        ? .variableKey(base: .evaluatedObject, variable: hole.variable)
        : .variable(hole.variable)
    )
  }
}

// MARK: - Words

extension PredicateParser {
  private mutating func named(_ word: String) throws(PredicateFormatError) -> Node {
    guard let reserved = ReservedWord(word) else { return .expression(try keyOrCall(word)) }
    switch reserved {
    case .truePredicate:
      advance()
      return .predicate(.constant(true))
    case .falsePredicate:
      advance()
      return .predicate(.constant(false))
    case .true, .yes:
      return constant(true)
    case .false, .no:
      return constant(false)
    case .null, .nil:
      return constant(nil)
    case .self:
      advance()
      return .expression(.evaluatedObject)
    case .anyKey:
      advance()
      return .expression(.anyKey)
    case .first, .last, .size:
      return .expression(try keyOrCall(word))
    case .subquery: return try form(.subquery, word)
    case .cast: return try form(.cast, word)
    case .function: return try form(.message, word)
    case .ternary: return try form(.ternary, word)
    case .fetch: return try form(.fetch, word)
    case .and, .or, .not, .anyOf, .someOf, .allOf, .noneOf, .in, .like, .matches, .contains,
      .beginsWith, .endsWith, .between, .union, .intersect, .minus:
      throw unexpected("a value (a key of that name is written #\(word))")
    }
  }

  mutating func keyOrCall(_ word: String) throws(PredicateFormatError) -> ExpressionTree {
    if following == .sign(.openParenthesis) || following == .sign(.colon) { return try call() }
    advance()
    return .path(.evaluatedObject, [word])
  }

  /// `now()`, `abs:(x)`, `modulus:by:(7, 3)`; the colons of a name with one argument may be left out.
  private mutating func call() throws(PredicateFormatError) -> ExpressionTree {
    let start = self
    var name = ""
    while case .word(let part) = token {
      advance()
      name += part
      if accept(.colon) { name += ":" }
    }
    guard token == .sign(.openParenthesis) else { throw unexpected("\"(\"") }
    advance()
    let arguments = try list(until: .closeParenthesis)
    do {
      return try ExpressionTree.call(name, arguments)
    } catch {
      throw start.error(error.problem)
    }
  }
}
