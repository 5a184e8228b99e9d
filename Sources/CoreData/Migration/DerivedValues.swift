import CoreDataPredicates
import CoreDataSQL
import CoreDataSQLite

/// Computes the derived attributes of all rows, and sets those that are not what they should be.
struct DerivedValues {
  private let connection: Connection
  private let layout: ModelLayout
  private let tables: TableMap

  init(_ connection: Connection, _ layout: ModelLayout, _ tables: TableMap) {
    self.connection = connection
    self.layout = layout
    self.tables = tables
  }

  func refresh() throws {
    for statement in ownValues { try connection.run(statement) }
    let queries = RowQueries(
      tables: tables,
      dialect: SQLiteDialect(),
      model: layout,
      keyOf: { _ in nil }
    )
    for column in try ComputedColumn.all(in: queries, besides: .none) {
      try refresh(column)
    }
  }

  /// Derivations for which the row itself is enough: the time, and forms of its texts.
  private var ownValues: [SQLFragment] {
    layout.entities.flatMap { entity -> [SQLFragment] in
      guard let map = tables[entity.name] else { return [] }
      return entity.derivations.compactMap { derivation in
        guard entity.declarer(of: derivation.slot) == entity.number,
          let column = map.column(of: entity.slots[derivation.slot].name)
        else { return nil }
        let rows: SQLFragment = """
          \(column: "Z_ENT") BETWEEN \(.number(map.numbers.lowerBound)) \
          AND \(.number(map.numbers.upperBound))
          """
        switch derivation.source {
        case .now:
          return """
            UPDATE \(name: map.tableName) SET \(column: column) = NSCoreDataNow() \
            WHERE \(column: column) IS NULL AND \(rows)
            """
        case .ownText(let textForm, let slot):
          guard let text = map.column(of: entity.slots[slot].name) else { return nil }
          let form: SQLFragment = "\(MigrationFunctions.form(textForm))(\(column: text))"
          return """
            UPDATE \(name: map.tableName) SET \(column: column) = \(form) \
            WHERE \(column: column) IS NOT \(form) AND \(rows)
            """
        case .related, .unusable:
          return nil
        }
      }
    }
  }

  private func refresh(_ column: ComputedColumn) throws(SQLiteError) {
    // The keys of all rows, since all may be concerned.
    let keys = try connection.text(
      "SELECT json_group_array(\(column: "Z_PK")) FROM \(name: column.table)"
    )
    let rendered = column.outdated.rendered(for: .sqlite)
    let statement = try connection.statement(column.outdated)
    for (place, value) in rendered.bindings.enumerated() where value == nil {
      statement.bind(.text(keys ?? "[]"), at: Int32(place + 1))
    }
    var found: [(key: Int64, value: SQLValue)] = []
    while try statement.step() { found.append((statement.integer(0), statement.value(2))) }
    statement.reset()
    let update = try connection.statement(column.update)
    for (key, value) in found {
      update.bind(value, at: 1)
      update.bind(key, at: 2)
      try update.run()
    }
  }
}
