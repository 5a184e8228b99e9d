/// Takes predicate text apart: the seam between schemas and a parser of the whole language.
///
/// Writing a `.mom` turns format text into an object graph, and hashing a derived attribute needs
/// its expression's canonical text. `CommonFormats` does both for what models usually say; whoever
/// has a complete parser passes it instead.
package protocol FormatReading: Sendable {
  /// The predicate that a text says; nil when this reader does not understand it.
  func predicate(_ format: String) -> PredicateTree?
  /// The expression that a text says; nil when this reader does not understand it.
  func expression(_ format: String) -> ExpressionTree?
}

/// Reads comparisons, `AND`/`OR`/`NOT`, key paths, literals, variables, lists, arithmetic and
/// function calls: what model files usually say.
package struct CommonFormats: FormatReading {
  package init() {}

  package func predicate(_ format: String) -> PredicateTree? {
    guard let tokens = FormatToken.tokens(of: format) else { return nil }
    var parser = FormatParser(tokens: tokens)
    guard let predicate = parser.predicate(), parser.isAtEnd else { return nil }
    return predicate
  }

  package func expression(_ format: String) -> ExpressionTree? {
    guard let tokens = FormatToken.tokens(of: format) else { return nil }
    var parser = FormatParser(tokens: tokens)
    guard let expression = parser.expression(), parser.isAtEnd else { return nil }
    return expression
  }
}
