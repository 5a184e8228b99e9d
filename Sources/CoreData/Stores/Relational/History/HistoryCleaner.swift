import CoreDataSQL

/// Removes the older part of a store's history.
///
/// Texts stay, for the transactions to come; so do the keys, which are never given again.
package struct HistoryCleaner<Connection: SQLConnection> {
  private let connection: Connection
  private let dialect: any SQLDialect

  package init(_ connection: Connection, _ dialect: any SQLDialect) {
    self.connection = connection
    self.dialect = dialect
  }

  /// Gives the number of changes that went.
  package func perform(_ purge: HistoryPurge) throws(Connection.Failure) -> Int {
    let end: Int64
    switch purge {
    case .all: end = .max
    case .beforeTransaction(let number): end = number
    case .beforeTime(let time): end = try firstTransaction(since: time)
    }
    if end <= (try HistoryKeys(connection, dialect).firstTransaction()) { return 0 }
    let changes = Delete(
      from: HistoryTables.Entity.change.table,
      where: "\(column: "ZTRANSACTIONID") < \(.integer(end))"
    )
    try connection.run(changes.fragment)
    let count = connection.changeCount
    let transactions = Delete(
      from: HistoryTables.Entity.transaction.table,
      where: "\(column: "Z_PK") < \(.integer(end))"
    )
    try connection.run(transactions.fragment)
    return count
  }

  /// The first transaction that is not older: history stays whole from there on, even if a clock has gone back.
  private func firstTransaction(since time: Double) throws(Connection.Failure) -> Int64 {
    var select = Select(
      ["MIN(\(column: "Z_PK", of: "t0"))"],
      from: HistoryTables.Entity.transaction.table,
      as: "t0"
    )
    select.filter = "\(column: "ZTIMESTAMP", of: "t0") >= \(.real(time))"
    return try connection.integer(select.fragment) ?? .max
  }
}
