/// Rows of many objects in one statement.
extension StoreSchema {
  /// The rows with those keys, of an entity or below it.
  package func rows<Connection: SQLConnection>(
    _ primaryKeys: [Int64],
    of layout: EntityLayout,
    on connection: Connection
  ) throws(Connection.Failure) -> [Row] {
    let decoder = decoder(for: layout)
    let query = queries.rows(primaryKeys, of: layout, columns: selection(for: layout))
    let statement = try connection.statement(query)
    defer { statement.reset() }
    statement.expect(decoder.columnTypes)
    var rows: [Row] = []
    var writer = SnapshotWriter()
    while try statement.step() {
      if let row = decoder.row(statement, into: &writer) { rows.append(row) }
    }
    return rows
  }

  /// The rows that a to-many relationship of many objects leads to, each with its owner.
  ///
  /// A member of several owners is decoded once.
  package func members<Connection: SQLConnection>(
    of owners: [Int64],
    in layout: EntityLayout,
    at slot: Int,
    on connection: Connection
  ) throws(Connection.Failure) -> [MemberRow] {
    guard let end = layout.slots[slot].end, let destination = model[number: end.destination]
    else { return [] }
    let decoder = decoder(for: destination)
    let query = queries.members(
      of: owners,
      in: layout,
      at: slot,
      destination: destination,
      columns: selection(for: destination)
    )
    guard let query else { return [] }
    let statement = try connection.statement(query)
    defer { statement.reset() }
    statement.expect(decoder.columnTypes)
    var members: [MemberRow] = []
    var known: [Int64: Row] = [:]
    let mayRepeat = layout.isPaired(slot)
    let ownerColumn = Int32(decoder.columnNames.count)
    var writer = SnapshotWriter()
    while try statement.step() {
      let number = statement.integer(0)
      let found = mayRepeat ? known[number] : nil
      guard let row = found ?? decoder.row(statement, into: &writer) else { continue }
      if mayRepeat, found == nil { known[number] = row }
      members.append(MemberRow(owner: statement.integer(ownerColumn), row: row))
    }
    return members
  }
}
