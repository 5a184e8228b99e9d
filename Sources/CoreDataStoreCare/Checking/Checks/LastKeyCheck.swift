import CoreData
import CoreDataSQL
import CoreDataSQLite

/// The last key that was handed out, by which the next object gets one.
///
/// One that is smaller than the largest key gives new objects the keys of old ones. Deleted objects
/// leave a larger one behind.
struct LastKeyCheck: StoreCheck {
  let name = CheckName.lastKey

  func findings(in store: CheckedStore) throws(SQLiteError) -> [Finding] {
    guard store.file.tables["Z_PRIMARYKEY"] != nil else { return [] }
    return try store.each(of: counters(in: store), name, at: \.place) {
      counter throws(SQLiteError) in
      try finding(counter, in: store).map { [$0] } ?? []
    }
  }

  private func finding(
    _ counter: (number: Int, place: Finding.Place, table: String),
    in store: CheckedStore
  ) throws(SQLiteError) -> Finding? {
    let (entity, table) = (SQLValue.integer(Int64(counter.number)), counter.table)
    // A key beyond all bounds is another check's finding, and nothing counts on from it.
    let largestKey: SQLFragment = """
      (SELECT IFNULL(MAX(Z_PK), 0) FROM \(name: table) \
      WHERE Z_PK BETWEEN 0 AND \(.integer(StoredNumber.greatest)))
      """
    let largest = Int64(try store.count("SELECT \(largestKey)"))
    guard
      let last = try store.connection.integer(
        "SELECT IFNULL(Z_MAX, 0) FROM Z_PRIMARYKEY WHERE Z_ENT = \(entity)"
      ), last < largest
    else { return nil }
    let reason =
      largest == 0
      ? "keys are never negative"
      : "there is a row with the key \(largest): new objects would get keys that are taken"
    return Finding(
      .error,
      .lastKey,
      counter.place,
      largest == 0 ? .none : .rows([largest]),
      "the last key is said to be \(last), and \(reason)",
      remedy: Remedy(
        "raises Z_MAX to \(largest)",
        .bookkeeping,
        [
          """
          UPDATE Z_PRIMARYKEY SET Z_MAX = \(largestKey) \
          WHERE Z_ENT = \(entity) AND IFNULL(Z_MAX, 0) < \(largestKey)
          """
        ]
      )
    )
  }

  /// The root entities, and those of history, where the file keeps one.
  private func counters(
    in store: CheckedStore
  ) -> [(number: Int, place: Finding.Place, table: String)] {
    store.checkedTables.map { ($0.root.number, .entity($0.root.name), $0.name) }
      + HistoryCheck.tables.filter { store.file.has("Z_PK", in: $0.name) }
      .map { ($0.number, .table($0.name), $0.name) }
  }
}
