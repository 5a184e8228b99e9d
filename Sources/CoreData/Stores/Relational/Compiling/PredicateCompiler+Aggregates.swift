import CoreDataPredicates
import CoreDataSQL

/// One value for a whole collection: `notes.@count`, `notes.@max.stars`, `sum:(notes.stars)`.
extension PredicateCompiler {
  /// An operator of key-value coding; it takes the keys behind it.
  mutating func aggregate(
    _ name: String,
    of rows: RowSet,
    _ rest: inout ArraySlice<String>,
    in part: CoreDataPredicates.ExpressionTree
  ) throws(PredicateCompilationError) -> CompiledValue {
    if name == "@count" { return count(rows) }
    guard let aggregate = PredicateFunction(collectionOperator: name).flatMap(Derivation.Total.init)
    else {
      throw PredicateCompilationError(
        part,
        "the database does not know \(name)",
        remedy: "use @count, @sum, @avg, @min or @max"
      )
    }
    let path = rest.prefix { !$0.hasPrefix("@") }
    rest = rest.dropFirst(path.count)
    var rows = rows
    var value = rows.element
    if path != ["self"], let row = rows.place {
      guard case .value(let found) = try resolve(path, from: .object(row), in: part) else {
        throw typeRefusal(part)
      }
      value = found
      // The same object may be in several rows; its value counts once.
      if rows.hasDoubles { rows.element = row.value } else { rows.element = found }
    }
    return try total(aggregate, of: value, in: rows, isDefaulted: true, part)
  }

  /// A function of a collection; unlike operators, averages of nothing are nil.
  mutating func statistic(
    _ function: PredicateFunction,
    _ arguments: [CoreDataPredicates.ExpressionTree],
    in part: CoreDataPredicates.ExpressionTree
  ) throws(PredicateCompilationError) -> Side {
    if aggregatesRows, let value = try aggregateOfRows(function, arguments, in: part) {
      return .value(value)
    }
    guard arguments.count == 1, case .many(let rows) = try side(arguments[0]) else {
      throw PredicateCompilationError(
        part,
        "the database computes it only of to-many relationships",
        remedy: "write the comparison for each value"
      )
    }
    if function == .count { return .value(count(rows)) }
    guard let aggregate = Derivation.Total(function) else {
      throw PredicateCompilationError(
        part,
        "the database does not compute \(function.rawValue)",
        remedy: PredicateCompilationError.filterInMemory
      )
    }
    return .value(try total(aggregate, of: rows.element, in: rows, isDefaulted: false, part))
  }

  /// One value for all the rows of a group, or of the result; nil when the argument is a collection.
  private mutating func aggregateOfRows(
    _ function: PredicateFunction,
    _ arguments: [CoreDataPredicates.ExpressionTree],
    in part: CoreDataPredicates.ExpressionTree
  ) throws(PredicateCompilationError) -> CompiledValue? {
    // Within an argument each row counts by itself again.
    aggregatesRows = false
    defer { aggregatesRows = true }
    guard arguments.count == 1, let value = try side(arguments[0]).operand else { return nil }
    if function == .count {
      let counted: SQLFragment = value.sql == root.key ? "*" : value.sql
      return CompiledValue(sql: "COUNT(\(counted))", kind: .integer, isNullable: false)
    }
    guard let aggregate = Derivation.Total(function) else { return nil }
    let term = try self.term(of: aggregate, value, in: part)
    let call = dialect.call(aggregate, term.sql, of: term.kind)
    return CompiledValue(
      sql: aggregate == .sum ? "COALESCE(\(call), 0)" : call,
      kind: aggregate == .average && term.kind == .integer ? .real : term.kind,
      isNullable: aggregate != .sum
    )
  }

  private func typeRefusal(
    _ part: CoreDataPredicates.ExpressionTree
  ) -> PredicateCompilationError {
    PredicateCompilationError(
      part,
      "the database cannot compute this of such values",
      remedy: "use an attribute, of a number type for sums and averages"
    )
  }

  /// A value as a total takes it: sums and averages take numbers, as which memory counts other values, too.
  private func term(
    of aggregate: Derivation.Total,
    _ value: CompiledValue,
    in part: CoreDataPredicates.ExpressionTree
  ) throws(PredicateCompilationError) -> CompiledValue {
    guard value.kind.isOrdered else { throw typeRefusal(part) }
    if aggregate == .minimum || aggregate == .maximum || value.kind.isNumber { return value }
    var number = value
    number.kind = .real
    switch value.kind {
    case .text, .url: number.sql = dialect.number(beginning: value.sql)
    case .uuid, .data: number.sql = "CASE WHEN \(value.sql) IS NOT NULL THEN 0.0 END"
    case .integer, .real, .decimal, .date, .object, .entity, .archive, .composite: break
    }
    return number
  }
}

extension SQLDialect {
  fileprivate func call(
    _ aggregate: Derivation.Total,
    _ values: SQLFragment,
    of kind: ValueKind
  ) -> SQLFragment {
    switch aggregate {
    case .sum: sum(values, of: kind)
    case .average: average(values, of: kind)
    case .minimum: "MIN(\(values))"
    case .maximum: "MAX(\(values))"
    }
  }
}

// MARK: - Whether there is one

extension PredicateCompiler {
  /// The condition of a comparison with a count that asks only whether there is a member; nil for others.
  ///
  /// ```
  /// tags.@count > 0      EXISTS (SELECT 1 FROM "Z_1TAGS" "t1" WHERE "t1"."Z_1NOTES" = "t0"."Z_PK")
  /// ```
  mutating func existence(
    _ comparison: Comparison
  ) throws(PredicateCompilationError) -> Condition? {
    guard let isThere = comparison.asksWhetherThere,
      case .keyPath(let base, let names) = comparison.left, names.last == "@count"
    else { return nil }
    var compiler = self
    let whole = try compiler.resolve(
      names.dropLast(),
      from: try compiler.side(base),
      in: comparison.left
    )
    // Of an object that is not there, the count is nil.
    guard case .many(let rows) = whole, rows.owner == nil else { return nil }
    let found = compiler.exists(rows, isStrict: false, .always(true))
    self = compiler
    return isThere ? found : found.negated
  }
}

extension Comparison {
  fileprivate var asksWhetherThere: Bool? {
    guard modifier == .direct, case .constant(let constant) = right,
      case .integer(let number) = constant.kind
    else { return nil }
    return switch op {
    case .greaterThan, .notEqualTo: number == 0 ? true : nil
    case .greaterThanOrEqualTo: number == 1 ? true : nil
    case .equalTo, .lessThanOrEqualTo: number == 0 ? false : nil
    case .lessThan: number == 1 ? false : nil
    case .matches, .like, .beginsWith, .endsWith, .in, .contains, .between: nil
    }
  }
}

// MARK: - Subselects

extension PredicateCompiler {
  private mutating func count(_ rows: RowSet) -> CompiledValue {
    let column: SQLFragment =
      rows.hasDoubles
      ? "COUNT(DISTINCT \(rows.element.sql))"
      : rows.element.isNullable ? "COUNT(\(rows.element.sql))" : "COUNT(*)"
    return rows.ofItsOwner(select(column, from: rows), kind: .integer, isNullable: false)
  }

  private mutating func total(
    _ aggregate: Derivation.Total,
    of value: CompiledValue,
    in rows: RowSet,
    isDefaulted: Bool,
    _ part: CoreDataPredicates.ExpressionTree
  ) throws(PredicateCompilationError) -> CompiledValue {
    let value = try term(of: aggregate, value, in: part)
    let isAverage = aggregate == .average
    let isDefaulted = aggregate == .sum || (isAverage && isDefaulted)
    let call: (SQLFragment) -> SQLFragment = { [dialect] column in
      let call = dialect.call(aggregate, column, of: value.kind)
      return isDefaulted ? "COALESCE(\(call), 0)" : call
    }
    let select: SQLFragment =
      if rows.hasDoubles, rows.element.sql != value.sql {
        """
        (SELECT \(call("\"value\"")) FROM (\
        SELECT DISTINCT \(rows.element.sql), \(value.sql) AS "value" FROM \(close(rows))) "each")
        """
      } else {
        self.select(call(rows.hasDoubles ? "DISTINCT \(value.sql)" : value.sql), from: rows)
      }
    return rows.ofItsOwner(
      select,
      kind: isAverage && value.kind == .integer ? .real : value.kind,
      isNullable: !isDefaulted
    )
  }

  /// The text behind `FROM`.
  private mutating func close(_ rows: RowSet) -> SQLFragment {
    let tables = clauses.removeValue(forKey: rows.clause)?.tables ?? []
    return "\(tables.joined(separator: " ")) WHERE \(Condition.all(rows.conditions).term)"
  }
}

extension RowSet {
  /// Without an owner of the collection there is no value either, not even a zero.
  fileprivate func ofItsOwner(
    _ value: SQLFragment,
    kind: ValueKind,
    isNullable: Bool
  ) -> CompiledValue {
    guard let owner else { return CompiledValue(sql: value, kind: kind, isNullable: isNullable) }
    return CompiledValue(
      sql: "CASE WHEN \(owner) IS NOT NULL THEN \(value) END",
      kind: kind,
      isNullable: true
    )
  }
}
