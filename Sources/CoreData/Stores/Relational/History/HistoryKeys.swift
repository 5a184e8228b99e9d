import CoreDataSQL

/// The keys that a history has given.
struct HistoryKeys<Connection: SQLConnection> {
  private let connection: Connection
  private let dialect: any SQLDialect

  init(_ connection: Connection, _ dialect: any SQLDialect) {
    self.connection = connection
    self.dialect = dialect
  }

  /// The last key that was ever given, also if its row was purged.
  func last(
    of entity: HistoryTables.Entity,
    leavingRoomFor count: Int64 = 1
  ) throws(Connection.Failure) -> Int64 {
    try StoredNumber.lastKey(
      of: entity.rawValue,
      named: entity.name,
      in: entity.table,
      leavingRoomFor: count,
      on: connection
    )
  }

  /// The first transaction that was not purged; if all were, the number after the last.
  func firstTransaction() throws(Connection.Failure) -> Int64 {
    let select = Select(
      ["MIN(\(column: "Z_PK", of: "t0"))"],
      from: HistoryTables.Entity.transaction.table,
      as: "t0"
    )
    if let first = try connection.integer(select.fragment) { return first }
    return try lastTransaction() + 1
  }

  /// The last transaction that was ever written, also if it was purged.
  func lastTransaction() throws(Connection.Failure) -> Int64 {
    guard let query = dialect.lastTransaction else { return try last(of: .transaction) }
    return try connection.integer(query) ?? 0
  }
}
