import CoreDataPredicates
import CoreDataSQL

/// The predefined functions.
///
/// Functions that SQL computes exactly as memory does are written in SQL; all others are the dialect's business.
extension PredicateCompiler {
  mutating func call(
    _ function: PredicateFunction,
    _ arguments: [CoreDataPredicates.ExpressionTree],
    in part: CoreDataPredicates.ExpressionTree
  ) throws(PredicateCompilationError) -> Side {
    switch function {
    case .sum, .count, .min, .max, .average, .median, .mode, .standardDeviation:
      return try statistic(function, arguments, in: part)
    case .noIndex:
      return try withoutIndex(try side(arguments[0]))
    case .random, .randomBelow, .now:
      throw PredicateCompilationError(
        part,
        "the database cannot draw a number for each object",
        remedy: PredicateCompilationError.filterInMemory
      )
    case .add, .subtract, .multiply, .divide, .modulus, .power, .bitwiseAnd, .bitwiseOr,
      .bitwiseXor, .leftShift, .rightShift, .squareRoot, .logarithm, .naturalLogarithm,
      .exponential, .floor, .ceiling, .absolute, .truncate, .onesComplement, .uppercase,
      .lowercase, .canonical, .length:
      break
    }
    guard let operands = try operands(arguments, of: function, in: part) else {
      return .constant(.null)
    }
    guard let sql = native(function, operands) ?? dialect.call(function, operands) else {
      throw PredicateCompilationError(
        part,
        "the database does not compute \(function.rawValue) as memory does",
        remedy: PredicateCompilationError.filterInMemory
      )
    }
    return .value(
      CompiledValue(
        sql: sql,
        kind: function.kind(of: operands),
        isNullable: true
      )
    )
  }

  /// Nil when one of the arguments is nil: then so is the result.
  private mutating func operands(
    _ arguments: [CoreDataPredicates.ExpressionTree],
    of function: PredicateFunction,
    in part: CoreDataPredicates.ExpressionTree
  ) throws(PredicateCompilationError) -> [CompiledValue]? {
    var operands: [CompiledValue] = []
    for argument in arguments {
      let side = try side(argument)
      if case .constant(.null) = side { return nil }
      guard let operand = side.operand.map(asNumber),
        function.takesText ? operand.kind == .text : operand.kind.isNumber
      else {
        throw PredicateCompilationError(
          part,
          "\(argument) is not \(function.takesText ? "a text" : "a number")",
          remedy: "use an attribute of another type"
        )
      }
      operands.append(operand)
    }
    return operands
  }

  /// The operator of SQL, if there is one with the results of memory.
  private func native(
    _ function: PredicateFunction,
    _ operands: [CompiledValue]
  ) -> SQLFragment? {
    guard let sign = function.native(operands) else { return nil }
    return dialect.operation(function, sign, operands[0].sql, operands[1].sql)
  }

  private func withoutIndex(_ side: Side) throws(PredicateCompilationError) -> Side {
    guard case .value(var value) = side else { return side }
    value.sql = dialect.withoutIndex(value.sql)
    return .value(value)
  }
}

extension PredicateFunction {
  fileprivate var takesText: Bool {
    self == .uppercase || self == .lowercase || self == .canonical || self == .length
  }

  fileprivate func kind(of operands: [CompiledValue]) -> ValueKind {
    switch self {
    case .uppercase, .lowercase, .canonical: .text
    case .length, .bitwiseAnd, .bitwiseOr, .bitwiseXor, .leftShift, .rightShift, .onesComplement:
      .integer
    case .squareRoot, .logarithm, .naturalLogarithm, .exponential: .real
    case .power: operands.allSatisfy { $0.kind == .integer } ? .integer : .real
    case .sum, .count, .min, .max, .average, .median, .mode, .standardDeviation, .add, .subtract,
      .multiply, .divide, .modulus, .floor, .ceiling, .absolute, .truncate, .randomBelow,
      .noIndex, .random, .now:
      operands.widestNumber
    }
  }

  /// The operator of SQL; `nil` if its results differ from those in memory.
  fileprivate func native(_ operands: [CompiledValue]) -> SQLFragment? {
    guard operands.count == 2, let sign = infix ?? (self == .modulus ? "%" : nil) else {
      return nil
    }
    switch self {
    case .add, .subtract, .multiply:
      if operands.widestNumber == .decimal { return nil }
    case .divide, .modulus, .bitwiseAnd, .bitwiseOr, .leftShift, .rightShift:
      if operands.widestNumber != .integer { return nil }
    case .sum, .count, .min, .max, .average, .median, .mode, .standardDeviation, .power,
      .bitwiseXor, .squareRoot, .logarithm, .naturalLogarithm, .exponential, .floor, .ceiling,
      .absolute, .truncate, .onesComplement, .randomBelow, .uppercase, .lowercase, .canonical,
      .length, .noIndex, .random, .now:
      return nil
    }
    return SQLFragment(stringLiteral: sign)
  }
}

extension [CompiledValue] {
  /// Decimals win over doubles, and those over integers.
  package var widestNumber: ValueKind {
    contains { $0.kind == .decimal } ? .decimal : contains { $0.kind == .real } ? .real : .integer
  }
}
