import CoreDataPredicates
import CoreDataSQL

/// Comparisons, in the order in which the evaluation in memory looks at them.
extension PredicateCompiler {
  mutating func compiled(_ comparison: Comparison) throws(PredicateCompilationError) -> Condition {
    if let problem = comparison.op.problem(with: comparison.options) {
      throw PredicateCompilationError(comparison, problem, remedy: "leave the letter w out")
    }
    if comparison.left.isConstant, comparison.right.isConstant {
      return try answer(comparison)
    }
    if let condition = try existence(comparison) { return condition }
    let left = try side(comparison.left)
    let right = try side(comparison.right)
    return switch comparison.modifier {
    case .direct: try direct(comparison, left, right)
    case .any: try any(comparison, left, right)
    case .all: try all(comparison, left, right)
    }
  }

  /// A comparison that does not depend on the rows is answered once and for all.
  private func answer(_ comparison: Comparison) throws(PredicateCompilationError) -> Condition {
    do throws(EvaluationError) {
      return .always(
        try CoreDataPredicates.PredicateTree.comparison(comparison).evaluate(with: nil)
      )
    } catch {
      throw PredicateCompilationError(
        comparison,
        error.description,
        remedy: "correct the constants"
      )
    }
  }

  /// Single values.
  mutating func holds(
    _ comparison: Comparison,
    _ left: Side,
    _ right: Side
  ) throws(PredicateCompilationError) -> Condition {
    try refuseComposites(in: comparison, left, right)
    if let condition = try withoutZeros(comparison, left, right) { return condition }
    return switch comparison.op {
    case .equalTo:
      try equal(comparison, left, right)
    case .notEqualTo:
      try equal(comparison, left, right).negated
    case .lessThan, .lessThanOrEqualTo, .greaterThan, .greaterThanOrEqualTo:
      try ordered(comparison, left, right)
    case .between:
      try between(comparison, left, right)
    case .in:
      try isPart(comparison, left, of: right)
    case .contains:
      try isPart(comparison, right, of: left)
    case .beginsWith, .endsWith, .like, .matches:
      try text(comparison, left, right)
    }
  }
}

// MARK: - Equality

extension PredicateCompiler {
  /// Nil equals nil; values of different kinds are never equal.
  mutating func equal(
    _ comparison: Comparison,
    _ left: Side,
    _ right: Side
  ) throws(PredicateCompilationError) -> Condition {
    try refuseComposites(in: comparison, left, right)
    let (left, right) = calculated(comparison, left, right)
    return switch (left.single, right.single) {
    case (.value(let value), .constant(let constant)), (.constant(let constant), .value(let value)):
      try equal(comparison, value, constant)
    case (.value(let one), .value(let other)):
      try equal(comparison, one, other)
    case (.constant(let one), .constant(let other)):
      if let one = one.value { try equal(comparison, one, other) } else { .always(other.isNull) }
    case (.many, _), (_, .many), (.list, _), (_, .list), (.object, _), (_, .object):
      throw collectionRefusal(comparison)
    }
  }

  private mutating func equal(
    _ comparison: Comparison,
    _ value: CompiledValue,
    _ constant: CompiledConstant
  ) throws(PredicateCompilationError) -> Condition {
    switch constant {
    case .null:
      guard value.isNullable else { return .always(false) }
      return Condition(
        "\(value.sql) IS NULL",
        isCertain: true,
        contrary: "\(value.sql) IS NOT NULL"
      )
    case .value(let bound, let kind):
      if value.kind == .archive { throw archiveRefusal(comparison) }
      guard value.kind.isComparable(with: kind) else { return .always(false) }
      if isInNoRow(bound) { return .always(false) }
      let (one, other) = folded(value, bound, comparison.options)
      return Condition(
        "\(one) = \(other)",
        isCertain: !value.isNullable,
        contrary: value.isNullable ? dialect.differ(one, other) : "\(one) <> \(other)"
      )
    case .entity(let numbers):
      return value.kind == .entity ? isIn(numbers, value) : .always(false)
    case .unequalled:
      return .always(false)
    case .list:
      throw collectionRefusal(comparison)
    }
  }

  private mutating func equal(
    _ comparison: Comparison,
    _ one: CompiledValue,
    _ other: CompiledValue
  ) throws(PredicateCompilationError) -> Condition {
    if one.kind == .archive || other.kind == .archive { throw archiveRefusal(comparison) }
    guard one.kind.isComparable(with: other.kind) else {
      guard one.isNullable, other.isNullable else { return .always(false) }
      return .all([one, other].map { Condition("\($0.sql) IS NULL", isCertain: true) })
    }
    let left = folded(one, comparison.options)
    let right = folded(other, comparison.options)
    guard one.isNullable, other.isNullable else {
      let mayDiffer = one.isNullable || other.isNullable
      return Condition(
        "\(left) = \(right)",
        isCertain: !one.isNullable && !other.isNullable,
        contrary: mayDiffer ? dialect.differ(left, right) : "\(left) <> \(right)"
      )
    }
    return Condition(
      dialect.same(left, right),
      isCertain: true,
      contrary: dialect.differ(left, right)
    )
  }
}

// MARK: - Order

extension PredicateCompiler {
  /// Beside what is calculated, a date is its seconds, as it is within the calculation.
  private func calculated(
    _ comparison: Comparison,
    _ left: Side,
    _ right: Side
  ) -> (left: Side, right: Side) {
    comparison.isOfCalculation ? (asNumber(left), asNumber(right)) : (left, right)
  }

  private func asNumber(_ side: Side) -> Side {
    switch side {
    case .value(let value): .value(asNumber(value))
    case .constant(.value(let seconds, .date)): .constant(.value(seconds, .real))
    case .constant, .object, .many, .list: side
    }
  }

  /// No order holds with nil.
  private func ordered(
    _ comparison: Comparison,
    _ left: Side,
    _ right: Side
  ) throws(PredicateCompilationError) -> Condition {
    guard let (one, other) = try operands(comparison, left, right) else { return .always(false) }
    let sign = SQLFragment(stringLiteral: comparison.op.sign)
    let isCertain = !one.isNullable && !other.isNullable
    guard one.kind == .text, !comparison.options.isDisjoint(with: .ordering) else {
      return Condition(
        "\(shaded(one.sql)) \(sign) \(shaded(other.sql))",
        isCertain: isCertain
      )
    }
    let order = dialect.compare(one.sql, other.sql, comparison.options)
    return Condition("\(order) \(sign) 0", isCertain: isCertain)
  }

  private func between(
    _ comparison: Comparison,
    _ value: Side,
    _ bounds: Side
  ) throws(PredicateCompilationError) -> Condition {
    let pair: [Side]
    switch bounds {
    case .list(let sides): pair = sides
    case .constant(.list(let values)):
      pair = try sides(values, in: comparison)
    case .constant, .value, .object, .many: pair = []
    }
    guard pair.count == 2 else {
      throw PredicateCompilationError(
        comparison,
        "BETWEEN needs two bounds",
        remedy: "write them in braces, such as {1, 5}"
      )
    }
    guard let (one, low) = try operands(comparison, value, pair[0]),
      let (_, high) = try operands(comparison, value, pair[1])
    else { return .always(false) }
    guard one.kind == .text, !comparison.options.isDisjoint(with: .ordering) else {
      return Condition(
        "\(shaded(one.sql)) BETWEEN \(low.sql) AND \(high.sql)",
        isCertain: !one.isNullable && !low.isNullable && !high.isNullable
      )
    }
    return .all([
      Condition(
        "\(dialect.compare(one.sql, low.sql, comparison.options)) >= 0",
        isCertain: false
      ),
      Condition(
        "\(dialect.compare(one.sql, high.sql, comparison.options)) <= 0",
        isCertain: false
      ),
    ])
  }

  /// Two values that have an order; `nil` if one of them is nil or NaN.
  private func operands(
    _ comparison: Comparison,
    _ left: Side,
    _ right: Side
  ) throws(PredicateCompilationError) -> (CompiledValue, CompiledValue)? {
    let (left, right) = calculated(comparison, left, right)
    for side in [left, right] {
      if case .constant(.null) = side { return nil }
      if case .constant(.unequalled) = side { return nil }
    }
    guard let one = left.operand, let other = right.operand else {
      throw collectionRefusal(comparison)
    }
    guard one.kind.isOrdered, one.kind.isComparable(with: other.kind) else {
      throw PredicateCompilationError(
        comparison,
        "\(one.kind.word) and \(other.kind.word) have no order",
        remedy: "compare values of one type, such as two numbers or two dates"
      )
    }
    return (one, other)
  }
}

extension Comparison.Options {
  /// The options that orders of texts heed.
  fileprivate static let ordering: Self = [
    .caseInsensitive, .diacriticInsensitive, .localeSensitive,
  ]
}

// MARK: - Refusals

extension PredicateCompiler {
  func collectionRefusal(_ comparison: Comparison) -> PredicateCompilationError {
    PredicateCompilationError(
      comparison,
      "the database compares single values with \(comparison.op.sign), not collections",
      remedy: "use ANY, ALL, IN or @count"
    )
  }

  /// A composite attribute can be missing, which is asked with `== nil`; all else needs one of its elements.
  private func refuseComposites(
    in comparison: Comparison,
    _ left: Side,
    _ right: Side
  ) throws(PredicateCompilationError) {
    for (side, other) in [(left, right), (right, left)] {
      guard case .value(let value) = side, case .composite(let element) = value.kind else {
        continue
      }
      if case .constant(.null) = other, [.equalTo, .notEqualTo].contains(comparison.op) {
        continue
      }
      throw PredicateCompilationError(
        comparison,
        "a composite attribute has several values",
        remedy: "compare one of them, such as \(element)"
      )
    }
  }

  func archiveRefusal(_ comparison: Comparison) -> PredicateCompilationError {
    PredicateCompilationError(
      comparison,
      "the database cannot look into transformed values and data kept in files",
      remedy: "compare with nil, or keep what you search for in an attribute of its own"
    )
  }
}

// MARK: - Sides

extension Side {
  /// An object is its key.
  var single: Side {
    if case .object(let row) = self { .value(row.value) } else { self }
  }

  /// A value, bound if it is a constant; `nil` for collections, and constants that no value represents.
  var operand: CompiledValue? {
    switch self {
    case .value(let value): value
    case .object(let row): row.value
    case .constant(let constant): constant.value
    case .many, .list: nil
    }
  }
}

extension CompiledConstant {
  var isNull: Bool {
    if case .null = self { true } else { false }
  }

  var value: CompiledValue? {
    switch self {
    case .value(let value, let kind):
      CompiledValue(sql: .value(value), kind: kind, isNullable: false)
    case .null, .entity, .unequalled, .list:
      nil
    }
  }
}

extension PredicateCompiler {
  func isIn(_ numbers: ClosedRange<Int>, _ entity: CompiledValue) -> Condition {
    let low = SQLFragment.value(.integer(Int64(numbers.lowerBound)))
    guard numbers.count > 1 else {
      return Condition(
        "\(entity.sql) = \(low)",
        isCertain: !entity.isNullable,
        contrary: dialect.differ(entity.sql, low)
      )
    }
    let high = SQLFragment.value(.integer(Int64(numbers.upperBound)))
    return Condition("\(entity.sql) BETWEEN \(low) AND \(high)", isCertain: !entity.isNullable)
  }
}
