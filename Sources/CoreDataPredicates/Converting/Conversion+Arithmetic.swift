import Foundation

extension PredicateExpressions.Arithmetic: TreeConvertible {
  func converted(by conversion: inout Conversion) throws(ConversionError) -> Converted {
    try conversion.function(op.inTrees, lhs, rhs)
  }
}

extension PredicateExpressions.ArithmeticOperator {
  fileprivate var inTrees: PredicateFunction {
    switch self {
    case .add: .add
    case .subtract: .subtract
    case .multiply: .multiply
    @unknown default: fatalError("\(self) is an operator that Foundation did not have in 2025")
    }
  }
}

extension PredicateExpressions.IntDivision: TreeConvertible {
  func converted(by conversion: inout Conversion) throws(ConversionError) -> Converted {
    try conversion.function(.divide, lhs, rhs)
  }
}

extension PredicateExpressions.FloatDivision: TreeConvertible {
  func converted(by conversion: inout Conversion) throws(ConversionError) -> Converted {
    try conversion.function(.divide, lhs, rhs)
  }
}

extension PredicateExpressions.IntRemainder: TreeConvertible {
  func converted(by conversion: inout Conversion) throws(ConversionError) -> Converted {
    try conversion.function(.modulus, lhs, rhs)
  }
}

extension PredicateExpressions.UnaryMinus: TreeConvertible {
  func converted(by conversion: inout Conversion) throws(ConversionError) -> Converted {
    .value(.function(.subtract, [.number(0), try conversion.value(of: wrapped)]))
  }
}

extension Conversion {
  fileprivate mutating func function(
    _ function: PredicateFunction,
    _ one: any PredicateExpression,
    _ other: any PredicateExpression
  ) throws(ConversionError) -> Converted {
    let left = try value(of: one)
    return .value(.function(function, [left, try value(of: other)]))
  }
}

// MARK: - Expressions inside of predicates

extension PredicateExpressions.ExpressionEvaluate: TreeConvertible {
  /// `average.evaluate($0)`: the inner expression, with what is handed to it.
  func converted(by conversion: inout Conversion) throws(ConversionError) -> Converted {
    guard case .value(.constant(let constant)) = try conversion.convert(expression),
      let inner = constant.value as? any ExpressionHolding
    else {
      throw ConversionError("only an expression that is known when the predicate is made is read")
    }
    var values: [ExpressionTree] = []
    for argument in repeat each input { values.append(try conversion.value(of: argument)) }
    return try inner.converted(with: values, by: &conversion)
  }
}

/// `Expression`, whatever goes in and comes out.
private protocol ExpressionHolding {
  func converted(
    with values: [ExpressionTree],
    by conversion: inout Conversion
  ) throws(ConversionError) -> Converted
}

extension Expression: ExpressionHolding {
  fileprivate func converted(
    with values: [ExpressionTree],
    by conversion: inout Conversion
  ) throws(ConversionError) -> Converted {
    var rest = values[...]
    for variable in repeat each self.variable {
      if let value = rest.popFirst() { conversion.bind(variable, to: value) }
    }
    return try conversion.convert(expression)
  }
}
