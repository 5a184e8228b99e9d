import CoreData

/// Reads the rows of a save in which the server may have something else than was written, in one trip with what writes
/// them: a statement for each entity.
struct WrittenRowsReading {
  private let schema: StoreSchema
  private let statements: [(layout: EntityLayout, statement: PostgreSQLStatement)]

  init(
    _ plan: SavePlan,
    _ schema: StoreSchema,
    on connection: PostgreSQLConnection
  ) throws(PostgreSQLError) {
    self.schema = schema
    var numbers: [Int32: [Int64]] = [:]
    for row in plan.inserts where row.layout.needsStoreToDerive {
      numbers[row.layout.number, default: []].append(row.primaryKey)
    }
    // If any version would do, the row may have values that are not in the plan.
    for row in plan.updates where row.layout.needsStoreToDerive || row.expectedVersion == nil {
      numbers[row.layout.number, default: []].append(row.primaryKey)
    }
    var statements: [(layout: EntityLayout, statement: PostgreSQLStatement)] = []
    for (number, keys) in numbers.sorted(by: { $0.key < $1.key }) {
      guard let layout = schema.model[number: number] else { continue }
      let columns = schema.selection(for: layout)
      let query = schema.queries.rows(keys, of: layout, columns: columns)
      statements.append((layout, try connection.statement(query)))
    }
    self.statements = statements
  }

  func requests() throws(PostgreSQLError) -> [PostgreSQLRequest] {
    var requests: [PostgreSQLRequest] = []
    for (_, statement) in statements { requests.append(try statement.request()) }
    return requests
  }

  /// The rows as the answers have them.
  func rows(
    in answers: ArraySlice<any PostgreSQLRows>
  ) throws(PostgreSQLError) -> [ChangedRow: Snapshot] {
    var rows: [ChangedRow: Snapshot] = [:]
    var writer = SnapshotWriter()
    for ((layout, statement), answer) in zip(statements, answers) {
      let decoder = schema.decoder(for: layout)
      statement.expect(decoder.columnTypes)
      try statement.take(answer)
      defer { statement.reset() }
      while try statement.step() {
        guard let row = decoder.row(statement, into: &writer) else { continue }
        rows[ChangedRow(root: row.layout.rootNumber, number: row.primaryKey)] = row.snapshot
      }
    }
    return rows
  }
}
