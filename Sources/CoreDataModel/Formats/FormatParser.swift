/// A recursive-descent parser for `CommonFormats`; every function gives nil, having consumed an
/// unspecified number of tokens, when the text is not of its form.
struct FormatParser {
  let tokens: [FormatToken]
  var position = 0
  /// Parentheses that are open, so that a hostile text cannot exhaust the stack.
  private var depth = 0

  init(tokens: [FormatToken]) {
    self.tokens = tokens
  }

  var isAtEnd: Bool { position == tokens.count }

  var next: FormatToken? { isAtEnd ? nil : tokens[position] }

  mutating func accept(_ symbols: String...) -> String? {
    guard case .symbol(let symbol) = next, symbols.contains(symbol) else { return nil }
    position += 1
    return symbol
  }

  mutating func accept(_ words: FormatWord...) -> FormatWord? {
    guard case .word(let word) = next, words.contains(word) else { return nil }
    position += 1
    return word
  }

  mutating func nested<Tree>(_ parse: (inout FormatParser) -> Tree?) -> Tree? {
    guard depth < 100 else { return nil }
    depth += 1
    defer { depth -= 1 }
    return parse(&self)
  }
}

// MARK: - Predicates

extension FormatParser {
  mutating func predicate() -> PredicateTree? {
    nested { $0.disjunction() }
  }

  private mutating func disjunction() -> PredicateTree? {
    guard let first = conjunction() else { return nil }
    var parts = [first]
    while accept(.or) != nil || accept("||") != nil {
      guard let part = conjunction() else { return nil }
      parts.append(part)
    }
    return parts.count == 1 ? first : .compound(.or, parts)
  }

  private mutating func conjunction() -> PredicateTree? {
    guard let first = negation() else { return nil }
    var parts = [first]
    while accept(.and) != nil || accept("&&") != nil {
      guard let part = negation() else { return nil }
      parts.append(part)
    }
    return parts.count == 1 ? first : .compound(.and, parts)
  }

  private mutating func negation() -> PredicateTree? {
    guard accept(.not) != nil || accept("!") != nil else { return primary() }
    return nested { $0.negation() }.map { .compound(.not, [$0]) }
  }

  private mutating func primary() -> PredicateTree? {
    if accept(.truePredicate) != nil { return .value(true) }
    if accept(.falsePredicate) != nil { return .value(false) }
    let start = position
    if let comparison = comparison() { return comparison }
    position = start
    guard accept("(") != nil, let inner = predicate(), accept(")") != nil else { return nil }
    return inner
  }

  private mutating func comparison() -> PredicateTree? {
    let quantifier = accept(.any, .some, .all, .none)
    guard let left = expression(), let comparator = comparator() else { return nil }
    guard let options = options(), let right = expression() else { return nil }
    let comparison = PredicateTree.comparison(
      .init(
        left,
        comparator,
        right,
        options: options,
        modifier: quantifier == nil ? .direct : quantifier == .all ? .all : .any
      )
    )
    return quantifier == FormatWord.none ? .compound(.not, [comparison]) : comparison
  }

  private mutating func comparator() -> PredicateTree.Comparator? {
    guard let next else { return nil }
    position += 1
    switch next {
    case .symbol("="), .symbol("=="): return .equal
    case .symbol("!="), .symbol("<>"): return .notEqual
    case .symbol("<"): return .lessThan
    case .symbol("<="), .symbol("=<"): return .lessThanOrEqual
    case .symbol(">"): return .greaterThan
    case .symbol(">="), .symbol("=>"): return .greaterThanOrEqual
    case .word(let word): return word.comparator
    case .symbol, .name, .variable, .integer, .real, .text: return nil
    }
  }

  private mutating func options() -> PredicateTree.Options? {
    guard accept("[") != nil else { return [] }
    guard case .name(let letters) = next else { return nil }
    position += 1
    var options: PredicateTree.Options = []
    for letter in letters.lowercased() {
      switch letter {
      case "c": options.insert(.caseInsensitive)
      case "d": options.insert(.diacriticInsensitive)
      case "n": options.insert(.normalized)
      case "l": options.insert(.localeSensitive)
      default: return nil
      }
    }
    return accept("]") == nil ? nil : options
  }
}
