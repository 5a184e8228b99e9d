extension Evaluator {
  func subquery(
    _ expression: ExpressionTree,
    _ variable: String,
    _ predicate: PredicateTree
  ) throws(EvaluationError) -> Any? {
    guard let collection = try collection(of: expression, for: "SUBQUERY") else { return nil }
    return try bindings.shadowing(variable) { bind throws(EvaluationError) -> ValueCollection in
      try collection.filter { element throws(EvaluationError) -> Bool in
        bind(element)
        return try holds(predicate)
      }
    }
  }

  func set(
    _ operation: SetOperation,
    _ one: ExpressionTree,
    _ other: ExpressionTree
  ) throws(EvaluationError) -> Any? {
    let left = try collection(of: one, for: operation.rawValue)?.elements ?? []
    let right = try collection(of: other, for: operation.rawValue)?.elements ?? []
    let others = Set(right.map(Operand.init))
    switch operation {
    case .union:
      return ValueCollection(.set, (left + right).withoutDoubles)
    case .intersect:
      return ValueCollection(.set, left.filter { others.contains(Operand($0)) }.withoutDoubles)
    case .minus:
      return ValueCollection(.set, left.filter { !others.contains(Operand($0)) }.withoutDoubles)
    }
  }

  private func collection(
    of expression: ExpressionTree,
    for word: String
  ) throws(EvaluationError) -> ValueCollection? {
    let operand = Operand(try value(of: expression))
    if operand.isNothing { return nil }
    guard let members = operand.members else {
      throw EvaluationError("\(word) expects a collection, \(expression) is \(operand)")
    }
    return members
  }

  func element(
    of list: ExpressionTree,
    at place: IndexPlace
  ) throws(EvaluationError) -> Any? {
    let value = Operand(try value(of: list))
    if case .at(let expression) = place, case .dictionary(let dictionary) = value {
      return try self.value(of: expression).flatMap { dictionary.value(for: $0) }
    }
    if value.isNothing { return nil }
    guard let collection = value.members else {
      throw EvaluationError("\(list) is \(value); brackets need a list or dictionary")
    }
    switch place {
    case .size: return collection.count
    case .first: return collection.elements.first ?? nil
    case .last: return collection.elements.last ?? nil
    case .at(let expression): return try collection.element(at: try self.value(of: expression))
    }
  }
}

extension ValueCollection {
  /// The element at a position; beyond the end there is nothing.
  fileprivate func element(at place: Any?) throws(EvaluationError) -> Any? {
    guard case .number(let number) = Operand(place) else {
      throw EvaluationError("a place in a list is a number, not \(Operand(place))")
    }
    let index = Int(number.integerPart)
    return elements.indices.contains(index) ? elements[index] : nil
  }
}
