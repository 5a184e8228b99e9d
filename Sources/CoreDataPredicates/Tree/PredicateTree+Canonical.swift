extension PredicateTree {
  /// The one tree for all those that say the same and print the same.
  ///
  /// A compound of one is that one, an empty compound is a constant, and a constant
  /// collection is the list of its elements.
  var canonical: PredicateTree {
    switch self {
    case .and(let terms) where terms.count < 2:
      return terms.first?.canonical ?? .constant(true)
    case .or(let terms) where terms.count < 2:
      return terms.first?.canonical ?? .constant(false)
    case .and(let terms):
      return .and(terms.map(\.canonical))
    case .or(let terms):
      return .or(terms.map(\.canonical))
    case .not(let term):
      return .not(term.canonical)
    case .comparison(var comparison):
      comparison.left = comparison.left.canonical
      comparison.right = comparison.right.canonical
      return .comparison(comparison)
    case .constant, .block:
      return self
    }
  }
}

extension ExpressionTree {
  var canonical: ExpressionTree {
    switch self {
    case .constant(let constant):
      guard case .collection(let collection) = Operand(constant.value) else { return self }
      return .aggregate(collection.elements.map { .constant(Constant($0)) })
    case .evaluatedObject, .variable, .anyKey:
      return self
    case .keyPath(let base, let names):
      return .keyPath(base: base.canonical, names: names)
    case .variableKey(let base, let variable):
      return .variableKey(base: base.canonical, variable: variable)
    case .aggregate(let elements):
      return .aggregate(elements.map(\.canonical))
    case .function(let function, let arguments):
      return .function(function, arguments.map(\.canonical))
    case .message(let target, let selector, let arguments):
      return .message(
        target: target.canonical,
        selector: selector,
        arguments: arguments.map(\.canonical)
      )
    case .subquery(let collection, let variable, let predicate):
      return .subquery(collection.canonical, variable: variable, predicate.canonical)
    case .index(let list, .at(let place)):
      return .index(list.canonical, .at(place.canonical))
    case .index(let list, let place):
      return .index(list.canonical, place)
    case .cast(let expression, let type):
      return .cast(expression.canonical, to: type)
    case .conditional(let predicate, let yes, let no):
      return .conditional(predicate.canonical, yes.canonical, no.canonical)
    case .set(let operation, let one, let other):
      return .set(operation, one.canonical, other.canonical)
    case .assignment(let name, let expression):
      return .assignment(name, expression.canonical)
    case .fetch(let request, let context, let countOnly):
      return .fetch(
        request: request.canonical,
        context: context.canonical,
        countOnly: countOnly
      )
    case .block(let block, let arguments):
      return .block(block, arguments.map(\.canonical))
    }
  }
}
