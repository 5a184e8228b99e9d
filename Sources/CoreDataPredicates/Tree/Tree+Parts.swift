// Trees with other parts in them: one place knows the parts of each case.

extension PredicateTree {
  /// The same predicate with each side of its comparisons as `change` makes it.
  package func mappingExpressions<Failure: Error>(
    _ change: (ExpressionTree) throws(Failure) -> ExpressionTree
  ) throws(Failure) -> PredicateTree {
    switch self {
    case .constant, .block:
      return self
    case .comparison(var comparison):
      comparison.left = try change(comparison.left)
      comparison.right = try change(comparison.right)
      return .comparison(comparison)
    case .and(let terms):
      return .and(try terms.mappingExpressions(change))
    case .or(let terms):
      return .or(try terms.mappingExpressions(change))
    case .not(let term):
      return .not(try term.mappingExpressions(change))
    }
  }
}

extension [PredicateTree] {
  fileprivate func mappingExpressions<Failure: Error>(
    _ change: (ExpressionTree) throws(Failure) -> ExpressionTree
  ) throws(Failure) -> [PredicateTree] {
    try map { term throws(Failure) in try term.mappingExpressions(change) }
  }
}

extension ExpressionTree {
  /// The same expression with each of its immediate parts as `change` makes it.
  package func mappingParts<Failure: Error>(
    _ change: (ExpressionTree) throws(Failure) -> ExpressionTree
  ) throws(Failure) -> ExpressionTree {
    func changed(_ parts: [ExpressionTree]) throws(Failure) -> [ExpressionTree] {
      try parts.map { part throws(Failure) in try change(part) }
    }
    switch self {
    case .constant, .evaluatedObject, .anyKey, .variable:
      return self
    case .keyPath(.evaluatedObject, _):
      return self
    case .keyPath(let base, let names):
      return .path(try change(base), names)
    case .variableKey(let base, let variable):
      return .variableKey(base: try change(base), variable: variable)
    case .aggregate(let elements):
      return .aggregate(try changed(elements))
    case .function(let function, let arguments):
      return .function(function, try changed(arguments))
    case .message(let target, let selector, let arguments):
      return .message(
        target: try change(target),
        selector: selector,
        arguments: try changed(arguments)
      )
    case .subquery(let collection, let variable, let predicate):
      return .subquery(
        try change(collection),
        variable: variable,
        try predicate.mappingExpressions(change)
      )
    case .index(let list, .at(let place)):
      return .index(try change(list), .at(try change(place)))
    case .index(let list, let place):
      return .index(try change(list), place)
    case .cast(let expression, let type):
      return .cast(try change(expression), to: type)
    case .conditional(let predicate, let yes, let no):
      return .conditional(
        try predicate.mappingExpressions(change),
        try change(yes),
        try change(no)
      )
    case .set(let operation, let one, let other):
      return .set(operation, try change(one), try change(other))
    case .assignment(let name, let expression):
      return .assignment(name, try change(expression))
    case .fetch(let request, let context, let countOnly):
      return .fetch(
        request: try change(request),
        context: try change(context),
        countOnly: countOnly
      )
    case .block(let block, let arguments):
      return .block(block, try changed(arguments))
    }
  }
}

extension Comparison {
  /// Whether one side is calculated, as in `created + 3600 > changed`.
  package var isOfCalculation: Bool { left.isCalculation || right.isCalculation }
}

extension ExpressionTree {
  fileprivate var isCalculation: Bool {
    if case .function(let function, _) = self { function.isCalculation } else { false }
  }
}
