import CoreData
import CoreDataPredicates
import CoreDataSQL
import Foundation

/// Computes the derived attributes of all rows of the connection's zone, and sets those that are not what they should
/// be.
struct PostgreSQLDerivedValues {
  private let connection: PostgreSQLConnection
  private let schema: StoreSchema
  private let time = Date().timeIntervalSinceReferenceDate

  init(
    _ connection: PostgreSQLConnection,
    _ layout: ModelLayout,
    _ tables: TableMap
  ) throws(PredicateCompilationError) {
    self.connection = connection
    schema = try StoreSchema(
      layout,
      tables: tables,
      dialect: PostgreSQLDialect(),
      keyOf: { _ in nil }
    )
  }

  func refresh() throws(PostgreSQLError) {
    for layout in schema.model.entities {
      for derivation in layout.derivations
      where layout.declarer(of: derivation.slot) == layout.number {
        try refresh(derivation, of: layout)
      }
    }
    if let writer = DerivationWriter(connection, schema) {
      try writer.note(try everyRow())
      _ = try writer.refresh()
    }
  }

  /// Refreshes values for which the row itself is enough: the time, and forms of its texts.
  private func refresh(
    _ derivation: DerivedSlot,
    of layout: EntityLayout
  ) throws(PostgreSQLError) {
    let map = schema.queries.map(layout)
    guard let column = map.column(of: layout.slots[derivation.slot].name) else { return }
    switch derivation.source {
    case .now:
      try connection.run(
        """
        UPDATE \(name: map.tableName) SET \(column: column) = \(.real(time)) \
        WHERE \(SQLFragment.ownRows)\(column: column) IS NULL AND \(rows(of: map))
        """
      )
    case .ownText(let form, let slot):
      guard let text = map.column(of: layout.slots[slot].name) else { return }
      try set(column, to: form, of: text, in: map)
    case .related, .unusable:
      return
    }
  }

  private func rows(of map: EntityMap) -> SQLFragment {
    """
    \(column: "Z_ENT") BETWEEN \(.number(map.numbers.lowerBound)) \
    AND \(.number(map.numbers.upperBound))
    """
  }
}

// MARK: - Parts

extension PostgreSQLDerivedValues {
  /// The forms of texts are made here, as saves make them.
  private func set(
    _ column: String,
    to form: TextForm,
    of text: String,
    in map: EntityMap
  ) throws(PostgreSQLError) {
    let statement = try connection.statement(
      """
      SELECT \(column: "Z_PK"), \(column: text), \(column: column) \
      FROM \(table: map.tableName) WHERE \(rows(of: map))
      """ as SQLFragment
    )
    var keys = PostgreSQLArray(of: PostgreSQLType.int64)
    var values = PostgreSQLArray(of: PostgreSQLType.text)
    var count = 0
    while try statement.step() {
      let wanted = statement.isNull(1) ? nil : form.of(statement.text(1))
      let found = statement.isNull(2) ? nil : statement.text(2)
      if wanted.map({ Array($0.utf8) }) == found.map({ Array($0.utf8) }) { continue }
      keys.append(statement.integer(0))
      if let wanted { values.append(wanted) } else { values.appendNull() }
      count += 1
    }
    statement.reset()
    if count == 0 { return }
    let update: SQLFragment = """
      UPDATE \(name: map.tableName) \(name: "t") SET \(column: column) = \(ArrayRows.value(1)) \
      FROM \(ArrayRows.wanted(2, for: count)) WHERE \(SQLFragment.ownRows(of: "t"))\
      \(column: "Z_PK", of: "t") = \(ArrayRows.value(0))
      """
    _ = try connection.run([ArrayRows.request(update, [keys, values], zone: connection.zone)])
  }

  /// The rows of the zone in whose entities something is computed.
  private func everyRow() throws(PostgreSQLError) -> [WrittenRow] {
    var rows: [WrittenRow] = []
    for table in Set(schema.computedColumns.map(\.table)).sorted() {
      let statement = try connection.statement(
        "SELECT \(column: "Z_PK"), \(column: "Z_ENT") FROM \(table: table)" as SQLFragment
      )
      defer { statement.reset() }
      while try statement.step() {
        guard let layout = schema.model[stored: statement.integer(1)] else { continue }
        rows.append(WrittenRow(layout: layout, primaryKey: statement.integer(0)))
      }
    }
    return rows
  }
}
