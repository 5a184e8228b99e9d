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
    if function.isOfCollection { return try statistic(function, arguments, in: part) }
    if function == .noIndex { return try withoutIndex(try side(arguments[0])) }
    guard function.isPure else {
      throw PredicateCompilationError(
        part,
        "the database cannot draw a number for each object",
        remedy: PredicateCompilationError.filterInMemory
      )
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
        function.isOfText ? operand.kind == .text : operand.kind.isNumber
      else {
        throw PredicateCompilationError(
          part,
          "\(argument) is not \(function.isOfText ? "a text" : "a number")",
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
  fileprivate func kind(of operands: [CompiledValue]) -> ValueKind {
    switch result {
    case .text: .text
    case .integer: .integer
    case .real: .real
    case .date: .date
    case .power: operands.allSatisfy { $0.kind == .integer } ? .integer : .real
    case .likeArguments: operands.widestNumber
    }
  }

  /// The operator of SQL; `nil` if its results differ from those in memory.
  fileprivate func native(_ operands: [CompiledValue]) -> SQLFragment? {
    guard operands.count == 2 else { return nil }
    return switch sqlOperator {
    case .ofIntegers(let sign):
      operands.widestNumber == .integer ? SQLFragment(stringLiteral: sign) : nil
    case .ofAllButDecimals(let sign):
      operands.widestNumber == .decimal ? nil : SQLFragment(stringLiteral: sign)
    case nil: nil
    }
  }
}

extension [CompiledValue] {
  /// Decimals win over doubles, and those over integers.
  package var widestNumber: ValueKind {
    contains { $0.kind == .decimal } ? .decimal : contains { $0.kind == .real } ? .real : .integer
  }
}
