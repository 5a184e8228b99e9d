import CoreData
import CoreDataSQL
import CoreDataSQLite

/// The store's history: every change belongs to a transaction, and a transaction's texts are there.
///
/// A finding is worth a note: a history that was purged may have such leftovers, and a reader of a
/// history begins with its transactions and never sees them.
struct HistoryCheck: StoreCheck {
  let name = CheckName.history

  /// The tables of history, with the numbers that Z_PRIMARYKEY has for them.
  static let tables = HistoryTables.Entity.allCases.map {
    (number: Int($0.rawValue), name: $0.table)
  }

  /// The columns of a transaction that lead to texts.
  static let texts = HistoryOrigin.Field.allCases.map(\.keyColumn)

  func findings(in store: CheckedStore) throws(SQLiteError) -> [Finding] {
    guard store.file.has("ZTRANSACTIONID", in: "ACHANGE"),
      store.file.tables["ATRANSACTION"] != nil
    else { return [] }
    let strings = Self.texts.filter {
      store.file.has($0, in: "ATRANSACTION") && store.file.tables["ATRANSACTIONSTRING"] != nil
    }
    var findings = try homelessChanges(in: store)
    for column in strings { findings += try lostTexts(column, in: store) }
    return findings
  }

  private func homelessChanges(in store: CheckedStore) throws(SQLiteError) -> [Finding] {
    let condition: SQLFragment = """
      NOT EXISTS (SELECT 1 FROM ATRANSACTION AS \(name: "d") \
      WHERE \(.column("Z_PK", of: "d")) = \(own("ZTRANSACTIONID")))
      """
    let fault = RowFault(
      .note,
      .history,
      .table("ACHANGE"),
      where: condition,
      remedy: Remedy(
        "removes them",
        .history,
        ["DELETE FROM ACHANGE AS \(name: "t0") WHERE \(condition)"]
      )
    ) { "\($0.rows("belongs", "belong")) to a transaction that is not there" }
    return try findings([fault], of: "ACHANGE", in: store)
  }

  private func lostTexts(
    _ column: String,
    in store: CheckedStore
  ) throws(SQLiteError) -> [Finding] {
    let condition: SQLFragment = """
      \(own(column)) IS NOT NULL AND NOT EXISTS (SELECT 1 FROM ATRANSACTIONSTRING \
      AS \(name: "d") WHERE \(.column("Z_PK", of: "d")) = \(own(column)))
      """
    let fault = RowFault(
      .note,
      .history,
      .table("ATRANSACTION"),
      where: condition,
      remedy: Remedy(
        "takes the key of the text out of them",
        .history,
        [
          """
          UPDATE ATRANSACTION AS \(name: "t0") SET \(column: column) = NULL WHERE \(condition)
          """
        ]
      )
    ) { "\($0.rows("has", "have")) a text in \(column) that is not in ATRANSACTIONSTRING" }
    return try findings([fault], of: "ATRANSACTION", in: store)
  }

  private func findings(
    _ faults: [RowFault],
    of table: String,
    in store: CheckedStore
  ) throws(SQLiteError) -> [Finding] {
    try TableScan(faults, of: table, in: store).findings {
      condition throws(SQLiteError) in
      try store.rows(of: table, where: condition)
    }
  }
}
