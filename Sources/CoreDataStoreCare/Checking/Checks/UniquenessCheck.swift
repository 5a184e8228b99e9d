import CoreData
import CoreDataSQL
import CoreDataSQLite

/// Values that no two objects should share.
///
/// Where the unique index is in the file there can be none; only the thorough check looks nevertheless.
struct UniquenessCheck: StoreCheck {
  let name = CheckName.uniqueness

  func findings(in store: CheckedStore) throws(SQLiteError) -> [Finding] {
    var findings: [Finding] = []
    for index in store.tables.tables.flatMap(\.indexes) where index.isUnique {
      let columns = index.elements.map(\.column)
      guard columns.allSatisfy({ store.file.has($0, in: index.table) }),
        store.isDeep || store.file.index(like: index) == nil
      else { continue }
      if let finding = try finding(columns, in: index.table, store) { findings.append(finding) }
    }
    return findings
  }

  private func finding(
    _ columns: [String],
    in table: String,
    _ store: CheckedStore
  ) throws(SQLiteError) -> Finding? {
    let values = columns.map { SQLFragment.column($0) }.joined(separator: ", ")
    let areSet = columns.map { "\(column: $0) IS NOT NULL" as SQLFragment }
      .joined(separator: " AND ")
    // Not through the index, which may be what is wrong.
    let groups: SQLFragment = """
      SELECT MIN(Z_PK) AS \(column: "k"), COUNT(*) AS \(column: "n") \
      FROM \(name: table) NOT INDEXED WHERE \(areSet) GROUP BY \(values) HAVING COUNT(*) > 1
      """
    let count = try store.count("SELECT TOTAL(\(column: "n")) FROM (\(groups))")
    if count == 0 { return nil }
    let names = columns.joined(separator: ", ")
    return Finding(
      .error,
      .uniqueness,
      .table(table),
      count: count,
      .rows(try store.examples("SELECT \(column: "k") FROM (\(groups)) ORDER BY 1")),
      "\(count.rows("shares", "share")) values of \(names) that should be unique"
    )
  }
}
