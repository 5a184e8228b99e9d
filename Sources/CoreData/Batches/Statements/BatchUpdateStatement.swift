import CoreDataModel
import CoreDataPredicates
import CoreDataSQL
import Foundation

/// A batch update as one statement, complete before the transaction begins.
///
/// ```
/// views = views + 1             UPDATE "ZNOTE" AS "t0" SET "ZVIEWS" = ("t0"."ZVIEWS" + ?1), … WHERE …
/// title = folder.name           UPDATE "ZNOTE" AS "u" SET "ZTITLE" = "t1"."ZNAME", …
///                               FROM "ZNOTE" "t0" LEFT OUTER JOIN "ZFOLDER" "t1" ON …
///                               WHERE "u"."Z_PK" = "t0"."Z_PK" AND …
/// ```
///
/// The second form, for whatever looks at other rows, computes all values before it sets the first.
package struct BatchUpdateStatement {
  /// The slots whose columns are written.
  private(set) var written = SlotSet()
  private let layout: EntityLayout
  private let queries: RowQueries
  private let columns: [StoredColumn]
  private let schema: StoreSchema
  private var compiler: PredicateCompiler
  private var assignments: [(column: String, value: SQLFragment)] = []
  private var filter: SQLFragment?

  package init(_ update: BatchUpdate, _ schema: StoreSchema, in store: StoreNumber) throws {
    layout = update.rows.layout
    queries = schema.queries
    columns = schema.columns(of: layout).columns
    self.schema = schema
    let entity = queries.map(layout)
    compiler = queries.compiler(for: entity)
    try assign(update.values, in: store)
    var filters = [queries.entityFilter(update.rows, entity)].compactMap { $0 }
    if let predicate = update.rows.predicate { filters.append(try compiler.condition(predicate)) }
    filter = filters.isEmpty ? nil : filters.joined(separator: " AND ")
  }
}

// MARK: - Values

extension BatchUpdateStatement {
  /// Constants are checked and packed as a row is; expressions are compiled.
  private mutating func assign(
    _ values: [(slot: Int, value: Any?)],
    in store: StoreNumber
  ) throws {
    let place = NSBatchUpdateRequest.place
    var constants = BatchRowValues(layout, in: store)
    for (slot, value) in values {
      guard let expression = value as? NSExpression else {
        try constants.take(value ?? NSNull(), at: slot, place: place)
        continue
      }
      if expression.tree.isConstant {
        let value = try constant(expression.tree) ?? NSNull()
        try constants.take(value, at: slot, place: place)
      } else {
        try assign(expression.tree, to: slot)
      }
    }
    let slots = layout.slotsWritten(bySetting: constants.given)
    var packer = BatchRowPacker(layout)
    let row = try packer.row(of: constants.values) { _ in nil }
    for column in columns where slots.contains(column.slot) {
      guard !layout.isPlace(column.slot) else { continue }
      let value = SQLFragment.value(SQLValue(column, of: row))
      let isDecimal = column.kind == .decimal
      assignments.append(
        (column.name, isDecimal ? queries.dialect.decimal(value) : value)
      )
    }
    written.formUnion(slots)
  }

  private func constant(_ tree: ExpressionTree) throws -> Any? {
    do {
      return try tree.value(with: nil)
    } catch {
      throw PredicateCompilationError(tree, "\(error)", remedy: "correct the expression")
    }
  }

  private mutating func assign(_ tree: ExpressionTree, to slot: Int) throws {
    let side = try compiler.side(tree)
    guard case .value(let value) = side,
      let sql = layout.taken(value, at: slot, in: queries.dialect)
    else {
      throw BatchFailure.wrongExpression(
        "\(layout.name).\(layout.slots[slot].name)",
        expected: layout.kinds[slot] == .toOne
          ? "the NSManagedObjectID of a saved object" : layout.expectation(at: slot),
        expression: tree.description,
        found: side.word
      ).error(key: layout.slots[slot].name)
    }
    guard let column = columns.first(where: { $0.slot == slot }) else { return }
    assignments.append((column.name, sql))
    written.insert(slot)
    for derivation in layout.derivations {
      guard case .ownText(let form, let source) = derivation.source, source == slot,
        let column = columns.first(where: { $0.slot == derivation.slot })
      else { continue }
      assignments.append((column.name, try changed(value, to: form, in: tree)))
      written.insert(derivation.slot)
    }
  }
}

extension EntityLayout {
  /// Places in orders stay as they are.
  fileprivate func isPlace(_ slot: Int) -> Bool {
    if case .order = slots[slot].hidden { true } else { false }
  }

  /// A computed value as an attribute's column keeps it; `nil` if it is of another kind.
  fileprivate func taken(
    _ value: CompiledValue,
    at slot: Int,
    in dialect: any SQLDialect
  ) -> SQLFragment? {
    let kind = value.kind
    return switch kinds[slot] {
    case .integer where kind == .integer: value.sql
    case .integer: kind.isNumber ? dialect.cast(value.sql, to: .integer) : nil
    case .boolean: kind.isNumber ? dialect.cast(value.sql, to: .boolean) : nil
    case .decimal where kind == .real: dialect.cast(value.sql, to: .decimal)
    case .real, .decimal: kind.isNumber ? value.sql : nil
    case .date: [.date, .integer, .real].contains(kind) ? value.sql : nil
    case .text: kind == .text ? value.sql : nil
    case .uri: kind == .url ? value.sql : nil
    case .uuid: kind == .uuid ? value.sql : nil
    case .data: kind == .data ? value.sql : nil
    case .externalData, .transformable, .composite, .object, .toOne, .toMany, .orderedToMany,
      .fetched:
      nil
    }
  }
}

extension BatchUpdateStatement {
  /// A form of a text, in SQL.
  private func changed(
    _ text: CompiledValue,
    to form: TextForm,
    in part: ExpressionTree
  ) throws(PredicateCompilationError) -> SQLFragment {
    if form == .canonical {
      return queries.dialect.folded(text.sql, [.caseInsensitive, .diacriticInsensitive])
    }
    if let call = queries.dialect.call(form.function, [text]) { return call }
    throw PredicateCompilationError(
      part,
      "the database does not compute \(form.function.rawValue), which an attribute is derived by",
      remedy: PredicateCompilationError.filterInMemory
    )
  }
}

extension Side {
  /// As sentences call it.
  fileprivate var word: String {
    switch self {
    case .constant: "a constant"
    case .value(let value): value.kind.word
    case .object: "an object"
    case .many, .list: "many values"
    }
  }
}

extension SQLValue {
  /// A column's value as a snapshot has it.
  fileprivate init(_ column: StoredColumn, of snapshot: Snapshot) {
    guard snapshot.hasValue(column.slot) else {
      self = .null
      return
    }
    switch column.kind {
    case .integer, .boolean, .toOne: self = .integer(snapshot.integer(column.slot))
    case .real, .date: self = .real(snapshot.real(column.slot))
    case .text, .uri: self = .text(snapshot.text(column.slot))
    case .uuid, .data, .externalData, .transformable:
      self = .blob([UInt8](snapshot.bytes(column.slot)))
    case .decimal:
      let decimal = snapshot.bytes(column.slot).loadUnaligned(as: Decimal.self)
      self = decimal.isNaN ? .null : .text("\(decimal)")
    case .composite, .object, .toMany, .orderedToMany, .fetched: self = .null
    }
  }
}

// MARK: - Statements

extension BatchUpdateStatement {
  var update: SQLFragment {
    let table = queries.map(layout).tableName
    let looksFurther = !compiler.joins.isEmpty || assignments.contains { $0.value.hasSubselect }
    let target = looksFurther ? "u" : "t0"
    let version: SQLFragment = "COALESCE(\(column: "Z_OPT", of: target), 0) + 1"
    let times = schema.timesOfWriting(layout, as: target)
    let all = [("Z_OPT", version)] + (assignments + times).map { ($0.column, $0.value) }
    let list = all.map { "\(column: $0.0) = \($0.1)" as SQLFragment }.joined(separator: ", ")
    var sql: SQLFragment = "UPDATE \(name: table) AS \(name: target) SET \(list)"
    guard looksFurther else { return sql + queries.dialect.condition(filter, of: target) }
    sql += " FROM \(table: table, as: "t0")"
    for join in compiler.joins { sql += " \(join)" }
    let same: SQLFragment = "\(column: "Z_PK", of: "u") = \(column: "Z_PK", of: "t0")"
    sql += " WHERE \(SQLFragment.ownRows(of: "u"))\(same)"
    if let filter { sql += " AND \(filter)" }
    return sql
  }

  /// The keys and entities of the rows, before they are changed.
  var keys: SQLFragment { select(["Z_PK", "Z_ENT"]) }

  /// The present contents of the columns whose data may be in files, before they are replaced.
  var formerFiles: SQLFragment? {
    let columns = columns.filter { written.contains($0.slot) && $0.kind == .externalData }
    return columns.isEmpty ? nil : select(columns.map(\.name))
  }

  private func select(_ columns: [String]) -> SQLFragment {
    var select = Select(
      columns.map { .column($0, of: "t0") },
      from: queries.map(layout).tableName,
      as: "t0"
    )
    select.joins = compiler.joins
    select.filter = filter
    return select.fragment
  }
}

extension SQLFragment {
  /// Whether it looks at rows of its own.
  fileprivate var hasSubselect: Bool {
    pieces.contains { piece in
      if case .text(let text) = piece { text.contains("SELECT ") } else { false }
    }
  }
}
