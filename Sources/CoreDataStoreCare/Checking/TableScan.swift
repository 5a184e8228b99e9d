import CoreData
import CoreDataSQL
import CoreDataSQLite

/// Counts the rows of a table for each of many faults, in one pass.
///
/// ```
/// SELECT COUNT(*) FILTER (WHERE …), COUNT(*) FILTER (WHERE …), … FROM "ZNOTE" AS "t0"
/// ```
///
/// Which rows they are is asked only for faults that occur, and only for the first few.
struct TableScan {
  private let store: CheckedStore
  private let table: String
  private let faults: [RowFault]

  /// As many as SQLite gives columns to a query with room to spare.
  private static let width = 400

  init(_ faults: [RowFault], of table: String, in store: CheckedStore) {
    self.faults = faults
    self.table = table
    self.store = store
  }

  /// The faults that occur; `examples` makes them of the rows for which a condition holds.
  func findings(
    examples: (SQLFragment) throws(SQLiteError) -> Finding.Examples
  ) throws(SQLiteError) -> [Finding] {
    var findings: [Finding] = []
    for start in stride(from: 0, to: faults.count, by: Self.width) {
      let part = faults[start..<min(start + Self.width, faults.count)]
      for (fault, count) in zip(part, try counts(of: part)) where count > 0 {
        findings.append(fault.finding(count, try examples(fault.condition)))
      }
    }
    return findings
  }

  private func counts(of faults: ArraySlice<RowFault>) throws(SQLiteError) -> [Int] {
    let columns = faults.map { "COUNT(*) FILTER (WHERE \($0.condition))" as SQLFragment }
    let statement = try store.connection.statement(
      "SELECT \(columns.joined(separator: ", ")) FROM \(name: table) AS \(name: "t0")"
    )
    defer { statement.reset() }
    guard try statement.step() else { return [] }
    return (0..<Int32(faults.count)).map { Int(statement.integer($0)) }
  }
}

extension CheckedStore {
  /// The keys of the first rows of a table for which a condition on `t0` holds.
  func rows(of table: String, where condition: SQLFragment) throws(SQLiteError) -> Finding.Examples
  {
    let limit = Int64(Finding.Examples.limit)
    return .rows(
      try examples(
        """
        SELECT \(own("Z_PK")) FROM \(name: table) AS \(name: "t0") \
        WHERE \(condition) ORDER BY \(own("Z_PK")) LIMIT \(.integer(limit))
        """
      )
    )
  }

  /// The first pairs of a join table for which a condition on `t0` holds.
  func pairs(
    of join: CheckedJoin,
    where condition: SQLFragment
  ) throws(SQLiteError) -> Finding.Examples {
    let limit = Int64(Finding.Examples.limit)
    let statement = try connection.statement(
      """
      SELECT \(join.pair) FROM \(name: join.table.name) AS \(name: "t0") \
      WHERE \(condition) LIMIT \(.integer(limit))
      """
    )
    defer { statement.reset() }
    var pairs: [Finding.Examples.Pair] = []
    while try statement.step() {
      pairs.append(.init(master: statement.integer(0), other: statement.integer(1)))
    }
    return .pairs(pairs)
  }
}
