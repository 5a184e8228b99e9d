import CoreDataPredicates
import CoreDataSQL

/// Expressions: each becomes a constant, a value in SQL, an object, or rows.
extension PredicateCompiler {
  mutating func side(
    _ expression: CoreDataPredicates.ExpressionTree
  ) throws(PredicateCompilationError) -> Side {
    if expression.isConstant { return .constant(try constant(expression)) }
    switch expression {
    case .constant(let constant):
      return .constant(try compiled(constant, in: expression))
    case .evaluatedObject:
      return .object(root)
    case .variable(let name):
      return .object(try row(ofVariable: name, in: expression))
    case .keyPath(let base, let names):
      return try resolve(names[...], from: try side(base), in: expression)
    case .aggregate(let elements):
      return .list(try sides(elements))
    case .function(let function, let arguments):
      return try call(function, arguments, in: expression)
    case .subquery(let collection, let variable, let predicate):
      return try subquery(collection, variable, predicate, in: expression)
    case .index(let list, .size):
      return try resolve(["@count"], from: try side(list), in: expression)
    case .cast(let operand, let type):
      return .value(try cast(operand, to: type, in: expression))
    case .conditional(let predicate, let yes, let no):
      return try conditional(predicate, yes, no, in: expression)
    case .variableKey(_, let variable):
      throw unboundRefusal(variable, in: expression)
    case .message, .index, .set, .assignment, .fetch, .anyKey, .block:
      throw PredicateCompilationError(
        expression,
        "the database has no equivalent",
        remedy: PredicateCompilationError.filterInMemory
      )
    }
  }

  private mutating func sides(
    _ expressions: [CoreDataPredicates.ExpressionTree]
  ) throws(PredicateCompilationError) -> [Side] {
    var sides: [Side] = []
    for expression in expressions { sides.append(try side(expression)) }
    return sides
  }
}

// MARK: - Variables and subqueries

extension PredicateCompiler {
  private func row(
    ofVariable name: String,
    in part: CoreDataPredicates.ExpressionTree
  ) throws(PredicateCompilationError) -> RowPlace {
    guard let row = variables[name] else { throw unboundRefusal(name, in: part) }
    return row
  }

  private func unboundRefusal(
    _ name: String,
    in part: CoreDataPredicates.ExpressionTree
  ) -> PredicateCompilationError {
    PredicateCompilationError(
      part,
      "the variable $\(name) has no value",
      remedy: .giveVariableValue
    )
  }

  /// The rows for which the predicate holds; the variable hides an outer one of its name.
  private mutating func subquery(
    _ collection: CoreDataPredicates.ExpressionTree,
    _ variable: String,
    _ predicate: CoreDataPredicates.PredicateTree,
    in part: CoreDataPredicates.ExpressionTree
  ) throws(PredicateCompilationError) -> Side {
    let source = try side(collection)
    if case .constant(.null) = source { return source }
    guard case .many(var rows) = source, let row = rows.place else {
      throw PredicateCompilationError(
        part,
        "the database looks only through to-many relationships",
        remedy: "begin the SUBQUERY with one"
      )
    }
    let outer = variables.updateValue(row, forKey: variable)
    defer { variables[variable] = outer }
    rows.conditions.append(try compiled(predicate))
    if rows.element.isNullable {
      rows.conditions.append(Condition("\(rows.element.sql) IS NOT NULL", isCertain: true))
    }
    return .many(rows)
  }
}

// MARK: - Casts and choices

extension PredicateCompiler {
  private mutating func cast(
    _ operand: CoreDataPredicates.ExpressionTree,
    to type: CastType,
    in part: CoreDataPredicates.ExpressionTree
  ) throws(PredicateCompilationError) -> CompiledValue {
    if case .value(var value) = try side(operand) {
      switch (type, value.kind) {
      case (.number, .integer), (.number, .real), (.number, .decimal), (.decimal, .decimal),
        (.date, .date), (.string, .text), (.uuid, .uuid), (.url, .url):
        return value
      case (.date, .integer), (.date, .real), (.date, .decimal):
        value.kind = .date
        return value
      case (.number, .date):
        return asNumber(value)
      case (.decimal, .integer), (.decimal, .real):
        value.kind = .decimal
        return value
      case (.date, _), (.number, _), (.decimal, _), (.string, _), (.uuid, _), (.url, _):
        break
      }
    }
    throw PredicateCompilationError(
      part,
      "the database casts only between numbers and dates",
      remedy: "keep the value in an attribute of the other type"
    )
  }

  private mutating func conditional(
    _ predicate: CoreDataPredicates.PredicateTree,
    _ yes: CoreDataPredicates.ExpressionTree,
    _ no: CoreDataPredicates.ExpressionTree,
    in part: CoreDataPredicates.ExpressionTree
  ) throws(PredicateCompilationError) -> Side {
    let condition = try compiled(predicate)
    let known = narrowings
    if let narrowing = try narrowing(by: predicate) { narrowings.append(narrowing) }
    let one = try side(yes)
    narrowings = known
    let other = try side(no)
    if let constant = condition.constant { return constant ? one : other }
    let operands = [one, other].compactMap(\.operand)
    guard let kind = operands.first?.kind,
      let left = one.branch(of: kind), let right = other.branch(of: kind)
    else {
      throw PredicateCompilationError(
        part,
        "the two values have no common type",
        remedy: "choose between values of one type"
      )
    }
    return .value(
      CompiledValue(
        sql: "CASE WHEN \(condition.sql) THEN \(left) ELSE \(right) END",
        kind: kind.isNumber ? operands.widestNumber : kind,
        isNullable: true
      )
    )
  }
}

extension PredicateCompiler {
  /// The row of which `entity IN {Car, Racer}` asks for an entity, as one of the topmost that it names.
  private mutating func narrowing(
    by predicate: CoreDataPredicates.PredicateTree
  ) throws(PredicateCompilationError) -> RowPlace? {
    guard case .comparison(let comparison) = predicate, comparison.op == .in,
      case .keyPath(let base, let names) = comparison.left, names.last == "entity",
      case .aggregate(let entities) = comparison.right
    else { return nil }
    let numbers = entities.compactMap { entity -> Int? in
      guard case .constant(let constant) = entity, let value = constant.value,
        case .entity(let numbers) = keyOf(value)
      else { return nil }
      return numbers.lowerBound
    }
    // An entity has a lower number than those below it.
    guard let top = numbers.min(), tables.entities.indices.contains(top - 1),
      tables.entities[top - 1].numbers.isSuperset(of: numbers),
      case .object(let row) = try resolve(names.dropLast(), from: try side(base), in: base)
    else { return nil }
    return RowPlace(
      entity: tables.entities[top - 1],
      key: row.key,
      clause: row.clause,
      alias: row.alias,
      isNullable: row.isNullable
    )
  }
}

extension ClosedRange<Int> {
  fileprivate func isSuperset(of numbers: [Int]) -> Bool { numbers.allSatisfy(contains) }
}

extension Side {
  /// As one of two values of a kind; nil for those of another.
  fileprivate func branch(of kind: ValueKind) -> SQLFragment? {
    if case .constant(.null) = self { return "NULL" }
    guard let value = operand, value.kind.isComparable(with: kind) else { return nil }
    return value.sql
  }
}

extension PredicateCompiler {
  /// The column of a date keeps whole seconds as whole numbers, which divide in another way.
  func asNumber(_ value: CompiledValue) -> CompiledValue {
    guard value.kind == .date else { return value }
    return CompiledValue(
      sql: dialect.cast(value.sql, to: .real),
      kind: .real,
      isNullable: value.isNullable
    )
  }
}
