import CoreDataSQL

/// Finds the rows that have given values where values must be unique.
///
/// ```
/// one property    WHERE "ZSLUG" IN (?1, ?2, ?3, ?4)
/// several         JOIN (VALUES (?1, ?2), (?3, ?4)) w ON "ZBOOK" = w.column1 AND "ZNUMBER" = w.column2
/// ```
///
/// The unique index answers it. Values go in runs of 1, 16 or 256, filled with NULLs that match nothing,
/// so that there are three statements to compile for each constraint.
package struct UniqueRows<Connection: SQLConnection> {
  private let connection: Connection
  private let schema: StoreSchema

  package init(_ connection: Connection, _ schema: StoreSchema) {
    self.connection = connection
    self.schema = schema
  }

  package func rows(
    with values: [UniqueValues],
    in constraint: UniqueConstraint
  ) throws(Connection.Failure) -> [Row] {
    guard let layout = schema.model[number: constraint.entity] else { return [] }
    let columns = constraint.slots.compactMap { slot in
      schema.columns(of: layout).columns.first { $0.slot == slot }?.name
    }
    guard columns.count == constraint.slots.count else { return [] }
    var rows: [Row] = []
    var rest = values[...]
    while !rest.isEmpty {
      let size = rest.count == 1 ? 1 : rest.count <= 16 ? 16 : 256
      let run = rest.prefix(size)
      let select = self.select(layout, columns, count: size)
      let statement = try connection.statement(select.fragment)
      defer { statement.reset() }
      bind(run, to: statement)
      let decoder = schema.decoder(for: layout)
      statement.expect(decoder.columnTypes)
      var writer = SnapshotWriter()
      while try statement.step() {
        if let row = decoder.row(statement, into: &writer) { rows.append(row) }
      }
      rest = rest.dropFirst(size)
    }
    return rows
  }

  private func select(_ layout: EntityLayout, _ columns: [String], count: Int) -> Select {
    let decoder = schema.decoder(for: layout)
    var select = Select(
      decoder.columnNames.map { .column($0, of: "t0") },
      from: schema.queries.map(layout).tableName,
      as: "t0"
    )
    if columns.count == 1 {
      let places = [SQLFragment](repeating: .parameter, count: count).joined(separator: ", ")
      select.filter = "\(column: columns[0], of: "t0") IN (\(places))"
      return select
    }
    let types = columns.map { schema.type(of: $0, in: layout) }
    let places = types.map { schema.queries.dialect.place(for: $0) }.joined(separator: ", ")
    let wanted = (0..<count).map { _ in "(\(places))" as SQLFragment }
    let matches = columns.enumerated().map { index, column in
      "\(column: column, of: "t0") = \(column: "column\(index + 1)", of: "w")" as SQLFragment
    }
    select.joins = [
      """
      JOIN (VALUES \(wanted.joined(separator: ", "))) \(name: "w") \
      ON \(matches.joined(separator: " AND "))
      """
    ]
    return select
  }

  private func bind(_ run: ArraySlice<UniqueValues>, to statement: Connection.Statement) {
    var place: Int32 = 1
    for value in run.lazy.flatMap(\.sql) {
      statement.bind(value, at: place)
      place += 1
    }
    while place <= statement.parameterCount {
      statement.bindNull(at: place)
      place += 1
    }
  }
}
