import Foundation

extension PredicateExpressions.Value: TreeConvertible {
  func converted(by conversion: inout Conversion) -> Converted {
    if let range = value as? any BoundsListing { return .range(range.bounds) }
    if let order = value as? ComparisonResult { return .constant(order.rawValue) }
    if let stored = Foreign.types?.constant(value) { return .constant(stored) }
    return .constant(value)
  }
}

extension PredicateExpressions.Variable: TreeConvertible {
  func converted(by conversion: inout Conversion) throws(ConversionError) -> Converted {
    .value(try conversion.meaning(of: key))
  }
}

extension PredicateExpressions.Conjunction: TreeConvertible {
  func converted(by conversion: inout Conversion) throws(ConversionError) -> Converted {
    let left = try conversion.condition(of: lhs)
    return .condition(.both(left, try conversion.condition(of: rhs)))
  }
}

extension PredicateExpressions.Disjunction: TreeConvertible {
  func converted(by conversion: inout Conversion) throws(ConversionError) -> Converted {
    let left = try conversion.condition(of: lhs)
    return .condition(.either(left, try conversion.condition(of: rhs)))
  }
}

extension PredicateExpressions.Negation: TreeConvertible {
  func converted(by conversion: inout Conversion) throws(ConversionError) -> Converted {
    .condition(.not(try conversion.condition(of: wrapped)))
  }
}

extension PredicateExpressions.Conditional: TreeConvertible {
  func converted(by conversion: inout Conversion) throws(ConversionError) -> Converted {
    let condition = try conversion.condition(of: test)
    let yes = try conversion.convert(trueBranch)
    let no = try conversion.convert(falseBranch)
    if case .condition(let yes) = yes, case .condition(let no) = no {
      return .condition(.or([.and([condition, yes]), .and([.not(condition), no])]))
    }
    return .value(.conditional(condition, try yes.value, try no.value))
  }
}

// MARK: - Comparisons

extension PredicateExpressions.Equal: TreeConvertible {
  func converted(by conversion: inout Conversion) throws(ConversionError) -> Converted {
    let left = try conversion.convert(lhs)
    let right = try conversion.convert(rhs)
    if let equality = try left.equals(right, asForeign: LHS.Output.self) {
      return .condition(equality)
    }
    return .condition(try left.equals(right))
  }
}

extension PredicateExpressions.NotEqual: TreeConvertible {
  func converted(by conversion: inout Conversion) throws(ConversionError) -> Converted {
    let left = try conversion.convert(lhs)
    let right = try conversion.convert(rhs)
    if let equality = try left.equals(right, asForeign: LHS.Output.self) {
      return .condition(.not(equality))
    }
    switch try left.equals(right) {
    case .comparison(var comparison) where comparison.op == .equalTo:
      comparison.op = .notEqualTo
      return .condition(.comparison(comparison))
    case let equal:
      return .condition(.not(equal))
    }
  }
}

extension Converted {
  /// The comparison of values whose type is one of a module above; `nil` for others.
  fileprivate func equals(
    _ other: Converted,
    asForeign type: Any.Type
  ) throws(ConversionError) -> PredicateTree? {
    guard case .value(let one) = self, case .value(let two) = other else { return nil }
    return try Foreign.types?.equality(one, two, of: type)
  }

  fileprivate func equals(_ other: Converted) throws(ConversionError) -> PredicateTree {
    if let constant = other.bool, let condition = equals(constant) { return condition }
    if let constant = bool, let condition = other.equals(constant) { return condition }
    if case .order(let one, let two, let options) = self, let order = other.comparisonResult {
      return order.predicate(one, two, options)
    }
    return try plainlyEquals(other)
  }

  private func plainlyEquals(_ other: Converted) throws(ConversionError) -> PredicateTree {
    .comparison(Comparison(try value, .equalTo, try other.value))
  }

  /// `(stars > 3) == true` is `stars > 3`; `nil` if it is not a condition.
  private func equals(_ constant: Bool?) -> PredicateTree? {
    switch (self, constant) {
    case (.condition(let condition), true?): condition
    case (.condition(let condition), false?): .not(condition)
    case (.condition, nil): .constant(false)
    case (.optionalCondition(_, let wrapped), nil): .isNil(wrapped)
    case (.optionalCondition(let condition, let wrapped), true?):
      .and([.not(.isNil(wrapped)), condition])
    case (.optionalCondition(let condition, let wrapped), false?):
      .and([.not(.isNil(wrapped)), .not(condition)])
    case (.value, _), (.order, _), (.range, _): nil
    }
  }

  /// The outer optional is `nil` if this is not a constant of that kind.
  private var bool: Bool?? {
    guard case .value(.constant(let constant)) = self else { return nil }
    if constant.isNil { return .some(nil) }
    return (constant.value as? Bool).map { .some($0) }
  }

  private var comparisonResult: ComparisonResult? {
    guard case .value(.constant(let constant)) = self,
      case .number(.integer(let raw)) = Operand(constant.value)
    else { return nil }
    return ComparisonResult(rawValue: Int(raw))
  }
}

extension ComparisonResult {
  /// The predicate that says that two texts are in this order.
  fileprivate func predicate(
    _ one: ExpressionTree,
    _ other: ExpressionTree,
    _ options: Comparison.Options
  ) -> PredicateTree {
    let op: Comparison.Operator =
      switch self {
      case .orderedAscending: .lessThan
      case .orderedSame: .equalTo
      case .orderedDescending: .greaterThan
      }
    return .comparison(Comparison(one, op, other, options: options))
  }
}

extension PredicateExpressions.Comparison: TreeConvertible {
  func converted(by conversion: inout Conversion) throws(ConversionError) -> Converted {
    let left = try conversion.value(of: lhs)
    return .comparison(left, op.inTrees, try conversion.value(of: rhs))
  }
}

extension PredicateExpressions.ComparisonOperator {
  fileprivate var inTrees: CoreDataPredicates.Comparison.Operator {
    switch self {
    case .lessThan: .lessThan
    case .lessThanOrEqual: .lessThanOrEqualTo
    case .greaterThan: .greaterThan
    case .greaterThanOrEqual: .greaterThanOrEqualTo
    @unknown default: fatalError("\(self) is an operator that Foundation did not have in 2025")
    }
  }
}
