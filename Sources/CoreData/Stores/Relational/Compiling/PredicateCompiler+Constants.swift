import CoreDataPredicates
import CoreDataSQL
import Foundation

/// Constants, as the columns have them.
extension PredicateCompiler {
  func compiled(
    _ constant: Constant,
    in part: some CustomStringConvertible
  ) throws(PredicateCompilationError) -> CompiledConstant {
    if let compiled = constant.compiled(keyOf) { return compiled }
    throw PredicateCompilationError(
      part,
      "the database has no values of type \(type(of: constant.value ?? "nil"))",
      remedy: "compare with a value of an attribute's type, an object or its objectID"
    )
  }

  /// The value of an expression without rows.
  func constant(
    _ expression: CoreDataPredicates.ExpressionTree
  ) throws(PredicateCompilationError) -> CompiledConstant {
    if case .constant(let constant) = expression { return try compiled(constant, in: expression) }
    let value: Any?
    do throws(EvaluationError) {
      value = try expression.value(with: nil)
    } catch {
      throw PredicateCompilationError(
        expression,
        error.description,
        remedy: "correct the expression"
      )
    }
    return try compiled(Constant(value), in: expression)
  }

  func sides(
    _ constants: [Any?],
    in comparison: Comparison
  ) throws(PredicateCompilationError) -> [Side] {
    var sides: [Side] = []
    sides.reserveCapacity(constants.count)
    for constant in constants {
      sides.append(.constant(try compiled(Constant(constant), in: comparison)))
    }
    return sides
  }
}

extension Constant {
  /// The constant as columns have it; `nil` for constants that no column can have.
  func compiled(_ keyOf: (Any) -> CompiledKey?) -> CompiledConstant? {
    switch kind {
    case .nothing: .null
    case .integer(let value): .value(.integer(value), .integer)
    case .real(let value): value.isNaN ? .unequalled : .value(.real(value), .real)
    case .decimal(let value): .value(SQLValue(value), .decimal)
    case .text(let text): .value(.text(text), .text)
    case .date(let date): .value(.real(date.timeIntervalSinceReferenceDate), .date)
    case .uuid(let uuid): .value(withUnsafeBytes(of: uuid.uuid) { .blob([UInt8]($0)) }, .uuid)
    case .url(let url): .value(.text(url.absoluteString), .url)
    case .data(let data): .value(.blob([UInt8](data)), .data)
    case .collection(let values): .list(values)
    case .object(let object):
      switch keyOf(object) {
      case .row(let root, let number)?: .value(.integer(number), .object(root: root))
      case .elsewhere?: .unequalled
      case .entity(let numbers)?: .entity(numbers)
      case nil: nil
      }
    }
  }
}

extension SQLValue {
  /// A whole number if it is one, else the nearest double, as the column keeps it.
  init(_ decimal: Decimal) {
    let spelling = decimal.description
    self = Int64(spelling).map(SQLValue.integer) ?? .real(Double(spelling) ?? .nan)
  }
}

extension CoreDataPredicates.ExpressionTree {
  /// Whether it says the same for every object, so that it can be evaluated beforehand.
  var isConstant: Bool {
    switch self {
    case .constant:
      true
    case .evaluatedObject, .variable, .variableKey, .subquery, .conditional, .assignment, .anyKey,
      .block:
      false
    case .fetch(let request, let context, _):
      request.isConstant && context.isConstant
    case .keyPath(let base, _), .cast(let base, _):
      base.isConstant
    case .aggregate(let elements):
      elements.allSatisfy(\.isConstant)
    case .function(let function, let arguments):
      function != .random && function != .randomBelow && arguments.allSatisfy(\.isConstant)
    case .message(let target, _, let arguments):
      target.isConstant && arguments.allSatisfy(\.isConstant)
    case .index(let list, .at(let place)):
      list.isConstant && place.isConstant
    case .index(let list, .first), .index(let list, .last), .index(let list, .size):
      list.isConstant
    case .set(_, let one, let other):
      one.isConstant && other.isConstant
    }
  }
}
