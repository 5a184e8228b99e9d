import CoreDataPredicates
import CoreDataSQL

/// Comparisons with collections: `ANY`, `ALL`, `IN`, `CONTAINS`.
extension PredicateCompiler {
  /// Without a modifier a collection can contain something, or be missing; all else needs a word
  /// that says how many of its values are meant.
  mutating func direct(
    _ comparison: Comparison,
    _ left: Side,
    _ right: Side
  ) throws(PredicateCompilationError) -> Condition {
    switch (left, right) {
    case (.many, .many):
      throw collectionRefusal(comparison)
    case (.many(let rows), .constant(.null)) where comparison.op.testsNil,
      (.constant(.null), .many(let rows)) where comparison.op.testsNil:
      return comparison.op == .equalTo ? rows.isNothing : rows.isNothing.negated
    case (.many, _) where comparison.options.contains(.wordBased):
      throw modifierRefusal(comparison, comparison.left)
    case (.many(let rows), _) where comparison.op == .contains:
      return isMember(right, of: rows, try equal(comparison, right, .value(rows.element)))
    case (_, .many(let rows)) where comparison.op == .in:
      return isMember(left, of: rows, try equal(comparison, left, .value(rows.element)))
    case (.many, _):
      throw modifierRefusal(comparison, comparison.left)
    case (_, .many):
      throw modifierRefusal(comparison, comparison.right)
    case (.constant, _), (.value, _), (.object, _), (.list, _):
      return try holds(comparison, left, right)
    }
  }

  private func modifierRefusal(
    _ comparison: Comparison,
    _ part: CoreDataPredicates.ExpressionTree
  ) -> PredicateCompilationError {
    let isLeft = part == comparison.left
    return PredicateCompilationError(
      comparison,
      "the to-many key path \(part) has several values and cannot be compared as one",
      remedy: isLeft
        ? "write ANY \(comparison), or ALL or NONE"
        : "write it on the left side, behind ANY, ALL or NONE"
    )
  }

  mutating func any(
    _ comparison: Comparison,
    _ left: Side,
    _ right: Side
  ) throws(PredicateCompilationError) -> Condition {
    switch try elements(left, in: comparison) {
    case .rows(let rows):
      return try any(comparison, rows, right)
    case .sides(let sides):
      var conditions: [Condition] = []
      for side in sides { conditions.append(try holds(comparison, side, right)) }
      return .any(conditions)
    }
  }

  mutating func all(
    _ comparison: Comparison,
    _ left: Side,
    _ right: Side
  ) throws(PredicateCompilationError) -> Condition {
    switch try elements(left, in: comparison) {
    case .rows(let rows):
      let fails = try holds(comparison, .value(rows.element), right).negated
      return exists(rows, isStrict: false, fails).negated
    case .sides(let sides):
      var conditions: [Condition] = []
      for side in sides { conditions.append(try holds(comparison, side, right)) }
      return .all(conditions)
    }
  }

  private mutating func any(
    _ comparison: Comparison,
    _ rows: RowSet,
    _ right: Side
  ) throws(PredicateCompilationError) -> Condition {
    let condition = try holds(comparison, .value(rows.element), right)
    return exists(rows, isStrict: comparison.op.isStrict && right.isValue, condition)
  }

  private enum Elements {
    case rows(RowSet)
    case sides([Side])
  }

  /// The elements that ANY and ALL run through; nil does not have elements.
  private mutating func elements(
    _ side: Side,
    in comparison: Comparison
  ) throws(PredicateCompilationError) -> Elements {
    switch side {
    case .many(let rows): return .rows(rows)
    case .list(let sides): return .sides(sides)
    case .constant(.null): return .sides([])
    case .constant(.list(let values)): return .sides(try sides(values, in: comparison))
    case .constant, .value, .object:
      throw PredicateCompilationError(
        comparison,
        "ANY and ALL expect a collection, \(comparison.left) has a single value",
        remedy: "leave the word out"
      )
    }
  }
}

extension Comparison.Operator {
  /// Whether nil on the left side can never make it true.
  fileprivate var isStrict: Bool {
    switch self {
    case .lessThan, .lessThanOrEqualTo, .greaterThan, .greaterThanOrEqualTo, .equalTo, .matches,
      .like, .beginsWith, .endsWith, .between:
      true
    case .notEqualTo, .in, .contains: false
    }
  }

  fileprivate var testsNil: Bool { self == .equalTo || self == .notEqualTo }
}

extension Side {
  /// Whether it is a constant that is not nil.
  fileprivate var isValue: Bool {
    if case .constant(.value) = self { true } else { false }
  }
}

// MARK: - Rows

extension PredicateCompiler {
  /// Whether a condition holds for one of the rows; null values do not count as elements.
  ///
  /// A strict condition is never true without a value, and needs no second look.
  mutating func exists(_ rows: RowSet, isStrict: Bool, _ condition: Condition) -> Condition {
    var conditions = rows.conditions
    if rows.element.isNullable, !isStrict {
      conditions.append(Condition("\(rows.element.sql) IS NOT NULL", isCertain: true))
    }
    let every = Condition.all(conditions + [condition])
    let select = select("1", from: rows, where: every)
    return every.constant == false ? .always(false) : .exists(select)
  }

  /// Whether one of the rows is a member that the condition knows.
  ///
  /// ```
  /// tags CONTAINS %@
  ///
  /// few have it   "t0"."Z_PK" IN (SELECT "t1"."Z_1NOTES" FROM "Z_1TAGS" "t1" WHERE "t1"."Z_2TAGS" = ?1)
  /// else          EXISTS (SELECT 1 FROM … WHERE "t1"."Z_1NOTES" = "t0"."Z_PK" AND "t1"."Z_2TAGS" = ?1)
  /// ```
  private mutating func isMember(
    _ member: Side,
    of rows: RowSet,
    _ condition: Condition
  ) -> Condition {
    guard let owners = rows.ownerColumn, case .constant(.value) = member,
      let tables = clauses[rows.clause]?.tables, condition.constant == nil
    else { return exists(rows, isStrict: false, condition) }
    let keys: SQLFragment =
      "SELECT \(owners) FROM \(tables.joined(separator: " ")) WHERE \(condition.term)"
    guard draft.answer(to: .owners(keys)) == .few else {
      return exists(rows, isStrict: false, condition)
    }
    clauses[rows.clause] = nil
    return Condition("\(root.key) IN (\(keys))", isCertain: false, isFew: true)
  }

  /// A subselect; its `FROM` is done with.
  mutating func select(
    _ column: SQLFragment,
    from rows: RowSet,
    where condition: Condition? = nil
  ) -> SQLFragment {
    let tables = clauses.removeValue(forKey: rows.clause)?.tables ?? []
    let filter = condition ?? Condition.all(rows.conditions)
    return "(SELECT \(column) FROM \(tables.joined(separator: " ")) WHERE \(filter.term))"
  }
}

extension RowSet {
  /// Whether an object that could have the collection is missing.
  fileprivate var isNothing: Condition {
    guard let owner else { return .always(false) }
    return Condition("\(owner) IS NULL", isCertain: true, contrary: "\(owner) IS NOT NULL")
  }
}

// MARK: - Membership

extension PredicateCompiler {
  /// Whether a value is an element, or a text a part, of the other side.
  mutating func isPart(
    _ comparison: Comparison,
    _ part: Side,
    of whole: Side
  ) throws(PredicateCompilationError) -> Condition {
    switch whole {
    case .constant(.null):
      return .always(false)
    case .constant(.list) where comparison.options.contains(.wordBased),
      .list where comparison.options.contains(.wordBased):
      throw PredicateCompilationError(
        comparison,
        Comparison.Operator.collectionProblem,
        remedy: "write ANY before it"
      )
    case .constant(.list(let values)):
      guard case .value(let value) = part.single else {
        let sides = try sides(values, in: comparison)
        return try isElement(comparison, part, of: sides)
      }
      return try isElement(comparison, value, of: values)
    case .list(let sides):
      return try isElement(comparison, part, of: sides)
    case .many:
      throw PredicateCompilationError(
        comparison,
        "the database looks through one to-many key path in a comparison, not two",
        remedy: "use SUBQUERY(tags, $t, $t IN folder.tags).@count > 0"
      )
    case .constant(.entity), .constant(.unequalled), .constant(.value), .value, .object:
      return try contains(comparison, whole, part)
    }
  }

  private mutating func isElement(
    _ comparison: Comparison,
    _ part: Side,
    of sides: [Side]
  ) throws(PredicateCompilationError) -> Condition {
    var conditions: [Condition] = []
    for side in sides { conditions.append(try equal(comparison, side, part)) }
    return .any(conditions)
  }

  private mutating func isElement(
    _ comparison: Comparison,
    _ value: CompiledValue,
    of constants: [Any?]
  ) throws(PredicateCompilationError) -> Condition {
    if value.kind == .archive { throw archiveRefusal(comparison) }
    var conditions: [Condition] = []
    var list = ConstantList()
    for constant in constants {
      switch try compiled(Constant(constant), in: comparison.right) {
      case .value(let bound, let kind) where value.kind.isComparable(with: kind):
        if !isInNoRow(bound) { list.append(folded(bound, comparison.options)) }
      case .null:
        if value.isNullable {
          conditions.append(Condition("\(value.sql) IS NULL", isCertain: true))
        }
      case .entity(let numbers) where value.kind == .entity:
        conditions.append(isIn(numbers, value))
      case .value, .entity, .unequalled, .list:
        continue
      }
    }
    let one = folded(value, comparison.options)
    let listed = list.conditions(for: one, isCertain: !value.isNullable, in: dialect)
    return .any(listed + conditions)
  }
}
