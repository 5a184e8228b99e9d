import CoreDataModel
import CoreDataPredicates
package import CoreDataSQL

/// The one statement that answers a plan for dictionaries.
///
/// ```
/// SELECT "t1"."ZNAME", COALESCE(SUM("t0"."ZVIEWS"), 0) FROM "ZNOTE" "t0" LEFT OUTER JOIN …
/// GROUP BY "t1"."ZNAME" HAVING COUNT(*) > ?1 ORDER BY "t1"."ZNAME"
/// ```
///
/// Every answer has one order: ties under the sort descriptors are decided by the rows' keys, by the groups, or by
/// the values of records that are distinct.
package struct RecordQuery {
  package let select: Select
  /// The types of its columns if key paths lead to them; computed values may be of another type.
  package let columnTypes: [ColumnType?]
  private let readers: [Reader]
  private let model: ModelLayout

  /// Reads one column of records from one column, or two, of the statement.
  private struct Reader {
    let form: RecordForm
    let kind: ValueKind
    let column: Int32
    /// Holds the entity's number, if an object may be of one of several.
    var entityColumn: Int32?
  }

  package init(
    _ plan: RecordPlan,
    _ queries: RowQueries,
    _ draft: inout StatementDraft
  ) throws(PredicateCompilationError) {
    let entity = queries.map(plan.source.layout)
    var compiler = queries.compiler(for: entity)
    compiler.textIndexes = queries.textIndexes
    compiler.draft = draft
    var filters = [queries.entityFilter(plan.source, entity)].compactMap { $0 }
    if let predicate = plan.source.predicate { filters.append(try compiler.condition(predicate)) }
    compiler.textIndexes = .none
    compiler.aggregatesRows = true
    var columns: [SQLFragment] = []
    var values: [CompiledValue] = []
    var readers: [Reader] = []
    var columnTypes: [ColumnType?] = []
    for column in plan.columns {
      let (value, entityNumber) = try compiler.value(of: column.expression)
      var reader = Reader(form: column.form, kind: value.kind, column: Int32(columns.count))
      columns.append(value.sql)
      columnTypes.append(column.expression.isKeyPath ? value.kind.columnType : nil)
      if let entityNumber {
        reader.entityColumn = Int32(columns.count)
        columns.append(entityNumber)
        columnTypes.append(.integer)
      }
      values.append(value)
      readers.append(reader)
    }
    var groups: [SQLFragment] = []
    for group in plan.groups {
      let (value, entityNumber) = try compiler.value(of: group.expression)
      groups += [value.sql, entityNumber].compactMap { $0 }
    }
    select = try Self.select(plan, &compiler, columns, values, groups, filters)
    draft = compiler.draft
    self.readers = readers
    self.columnTypes = columnTypes
    model = queries.model
  }

  private static func select(
    _ plan: RecordPlan,
    _ compiler: inout PredicateCompiler,
    _ columns: [SQLFragment],
    _ values: [CompiledValue],
    _ groups: [SQLFragment],
    _ filters: [SQLFragment]
  ) throws(PredicateCompilationError) -> Select {
    var select = Select(columns, from: compiler.entity.tableName, as: "t0")
    let names = SelectedNames(columns, compiler.dialect)
    let groups = groups.map(names.name(of:))
    select.groups = groups
    if let having = plan.having { select.groupFilter = try compiler.condition(having) }
    select.isDistinct = plan.isDistinct
    compiler.aggregatesRows = false
    if plan.aggregates {
      select.order = groups.isEmpty ? [] : try compiler.order(plan.source.sort, then: groups)
    } else if plan.isDistinct {
      let ordered = values.filter { $0.kind != .archive }.map { names.name(of: $0.sql) }
      let (order, needsGroups) = try compiler.order(
        plan.source.sort,
        ofDistinct: columns,
        then: ordered
      )
      select.order = order
      if needsGroups {
        select.isDistinct = false
        select.groups = columns.map(names.name(of:))
      }
    } else {
      select.order = try compiler.order(plan.source.sort)
    }
    select.joins = compiler.joins
    select.filter = filters.isEmpty ? nil : filters.joined(separator: " AND ")
    select.limit = plan.source.limit
    select.offset = plan.source.offset
    return select
  }

  /// The record that the statement is at.
  package func record(_ statement: some SQLStatement) -> Record {
    Record(
      values: readers.map { reader in
        guard case .identity(let layout) = reader.form else {
          return reader.form.value(of: statement.value(reader.column), kind: reader.kind)
        }
        if statement.isNull(reader.column) { return .nothing }
        let number = reader.entityColumn.map { statement.integer($0) }
        let found = number.flatMap { model[stored: $0] } ?? layout
        return .identity(number: statement.integer(reader.column), found)
      }
    )
  }
}

/// The names of the selected columns in `GROUP BY` and `ORDER BY`.
private struct SelectedNames {
  private let columns: [SQLFragment]
  private let areByPlace: Bool

  init(_ columns: [SQLFragment], _ dialect: any SQLDialect) {
    self.columns = columns
    areByPlace = dialect.namesSelectedByPlace
  }

  /// The place of a column if the database wants that; unselected values are written as they are.
  func name(of value: SQLFragment) -> SQLFragment {
    guard areByPlace, let place = columns.firstIndex(of: value) else { return value }
    return SQLFragment(stringLiteral: "\(place + 1)")
  }
}

extension ValueKind {
  /// The type of a column with such values: of numbers one that takes all that are counted or averaged.
  fileprivate var columnType: ColumnType? {
    switch self {
    case .integer, .real, .decimal, .date: .float
    case .object, .entity: .integer
    case .text, .url: .text
    case .uuid, .data: .blob
    case .archive, .composite: nil
    }
  }
}

extension CoreDataPredicates.ExpressionTree {
  fileprivate var isKeyPath: Bool {
    if case .keyPath = self { true } else { false }
  }
}

// MARK: - Compiling columns

extension PredicateCompiler {
  /// One value for each record; of an object its key, and the number of its entity if that may vary.
  fileprivate mutating func value(
    of expression: CoreDataPredicates.ExpressionTree
  ) throws(PredicateCompilationError) -> (value: CompiledValue, entity: SQLFragment?) {
    let side = try side(expression)
    switch side {
    case .object(let row):
      let entity = row.entity.hasSubentities ? column("Z_ENT", of: row) : nil
      return (row.value, entity)
    case .constant(.null), .constant(.unequalled):
      return (CompiledValue(sql: "NULL", kind: .integer, isNullable: true), nil)
    case .value(let value):
      guard case .composite(let element) = value.kind else { return (value, nil) }
      throw PredicateCompilationError(
        expression,
        "a composite attribute has several values",
        remedy: "fetch the attribute itself, or one of its elements, such as \(element)"
      )
    case .constant, .many, .list:
      if let value = side.operand { return (value, nil) }
      throw PredicateCompilationError(
        expression,
        "it has several values, and a dictionary has one for each name",
        remedy: "fetch one value, such as \(expression).@count, or fetch objects"
      )
    }
  }
}
