import Foundation

/// The converted form of a piece of a Swift predicate.
///
/// Swift has one kind of expression, trees have values and conditions; a piece that comes from one
/// and goes to the other is turned here.
enum Converted {
  case value(ExpressionTree)
  case condition(PredicateTree)
  /// `title?.contains("a")`: `nil` if the value is `nil`, otherwise a condition.
  case optionalCondition(PredicateTree, unlessNil: ExpressionTree)
  /// `title.caseInsensitiveCompare("a")`: only its comparison with a constant has a short form.
  case order(ExpressionTree, ExpressionTree, Comparison.Options)
  case range(Bounds)

  static func comparison(
    _ left: ExpressionTree,
    _ op: Comparison.Operator,
    _ right: ExpressionTree,
    _ options: Comparison.Options = []
  ) -> Converted {
    .condition(.comparison(Comparison(left, op, right, options: options)))
  }

  static func constant(_ value: Any?) -> Converted {
    .value(.constant(Constant(value)))
  }
}

/// The ends of a range, if it has some.
struct Bounds {
  var lower: ExpressionTree?
  var upper: ExpressionTree?
  var includesUpper: Bool
}

// MARK: - As one or the other

extension Converted {
  /// Conditions become `TERNARY(stars > 3, 1, 0)`.
  var value: ExpressionTree {
    get throws(ConversionError) {
      switch self {
      case .value(let value):
        return value
      case .condition(let condition):
        return condition.truth
      case .optionalCondition(let condition, let wrapped):
        return .conditional(.isNil(wrapped), .null, condition.truth)
      case .order(let one, let other, let options):
        let less = PredicateTree.comparison(Comparison(one, .lessThan, other, options: options))
        let equal = PredicateTree.comparison(Comparison(one, .equalTo, other, options: options))
        return .conditional(equal, .number(0), .conditional(less, .number(-1), .number(1)))
      case .range:
        throw ConversionError("a range can only be asked what it contains")
      }
    }
  }

  /// Values become `isDone == 1`.
  var condition: PredicateTree {
    get throws(ConversionError) {
      switch self {
      case .condition(let condition):
        return condition
      case .value(.constant(let constant)):
        guard case .number(let number) = Operand(constant.value) else { return .constant(false) }
        return .constant(number != .integer(0))
      case .value(let value):
        return .comparison(Comparison(value, .equalTo, .constant(Constant(true))))
      case .optionalCondition(let condition, let wrapped):
        return .and([.not(.isNil(wrapped)), condition])
      case .order, .range:
        throw ConversionError("an order or a range is not a condition")
      }
    }
  }
}

extension PredicateTree {
  static func isNil(_ expression: ExpressionTree) -> PredicateTree {
    .comparison(Comparison(expression, .equalTo, .null))
  }

  /// The condition as a value.
  fileprivate var truth: ExpressionTree {
    if case .constant(let value) = self { return .constant(Constant(value)) }
    return .conditional(self, .constant(Constant(true)), .constant(Constant(false)))
  }

  /// `a && b && c` as one list, however it nests.
  static func both(_ one: PredicateTree, _ other: PredicateTree) -> PredicateTree {
    if case .and(let terms) = one { return .and(terms + [other]) }
    return .and([one, other])
  }

  static func either(_ one: PredicateTree, _ other: PredicateTree) -> PredicateTree {
    if case .or(let terms) = one { return .or(terms + [other]) }
    return .or([one, other])
  }
}

extension ExpressionTree {
  package static let null = ExpressionTree.constant(Constant(nil))

  static func number(_ value: Int) -> ExpressionTree { .constant(Constant(value)) }

  /// Whether it is nil as soon as `part` is.
  func isNil(with part: ExpressionTree) -> Bool {
    if self == part { return true }
    switch self {
    case .keyPath(let base, _):
      if case .keyPath(let root, let names) = part, base == root { return starts(names) }
      return base.isNil(with: part)
    case .function(let function, let arguments):
      return !function.isOfCollection && arguments.contains { $0.isNil(with: part) }
    case .conditional(let condition, let value, .null):
      guard case .conditional(condition, let other, .null) = part else { return false }
      return value.isNil(with: other)
    case .constant, .evaluatedObject, .variable, .variableKey, .aggregate, .message, .subquery,
      .index, .cast, .conditional, .set, .assignment, .fetch, .anyKey, .block:
      return false
    }
  }

  private func starts(_ names: [String]) -> Bool {
    guard case .keyPath(_, let own) = self else { return false }
    return own.starts(with: names)
  }
}
