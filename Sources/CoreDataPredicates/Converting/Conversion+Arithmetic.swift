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
