import CoreData
import CoreDataSQL

/// Turns what becomes of rows into statements that add one transaction to the history of a zone.
///
/// ```
/// requests(for: deletions)   before the rows go, if some of their values are kept
/// requests(for: the others)  with the COMMIT: others wait from the first request on
/// ```
///
/// The first request numbers the transaction, and gives the number.
struct PostgreSQLHistoryWriter {
  private let history: StoreHistory
  private let origin: HistoryOrigin
  private let zone: String
  /// Whether the transaction has its number.
  private(set) var hasBegun = false

  private static let mostChanges = 5_000

  init(_ history: StoreHistory, from origin: HistoryOrigin, zone: String) {
    self.history = history
    self.origin = origin
    self.zone = zone
  }

  /// Gives the transaction its number before its changes are written; nothing if it has one.
  mutating func numbering() -> [PostgreSQLRequest] {
    defer { hasBegun = true }
    return hasBegun ? [] : [beginning]
  }

  mutating func requests(for changes: [HistoryChange]) -> [PostgreSQLRequest] {
    if changes.isEmpty { return [] }
    var requests = numbering()
    let runs = runs(changes)
    if runs.contains(where: { $0.first.flatMap(keeper) != nil }) {
      requests.append(PostgreSQLRequest(Self.usualTexts, zone: zone))
    }
    return requests + runs.map(request)
  }

  /// Whether the rows of changes must be there when these are written, because they leave values behind.
  func needsRows(of changes: [HistoryChange]) -> Bool {
    changes.contains { keeper($0) != nil }
  }

  /// Changes that one statement writes: those that leave values behind come by entity.
  private func runs(_ changes: [HistoryChange]) -> [ArraySlice<HistoryChange>] {
    var runs: [ArraySlice<HistoryChange>] = []
    var start = 0
    for index in changes.indices.dropFirst() {
      let isFull = index - start == Self.mostChanges
      guard isFull || keeper(changes[index]) != keeper(changes[start]) else { continue }
      runs.append(changes[start..<index])
      start = index
    }
    runs.append(changes[start...])
    return runs
  }

  /// The number of the entity whose deleted rows leave values behind.
  private func keeper(_ change: HistoryChange) -> Int32? {
    guard change.kind == .delete, !history.tombstone(of: change.layout).isEmpty else { return nil }
    return change.layout.number
  }
}

// MARK: - Statements

extension PostgreSQLHistoryWriter {
  /// Values are kept as texts, which somebody may have told the server to write in other ways.
  private static let usualTexts = """
    SELECT set_config('bytea_output', 'hex', true), set_config('extra_float_digits', '1', true)
    """

  private static let beginningText: String = {
    let fields = HistoryOrigin.Field.allCases
    let names = fields.map { SQLFragment.column($0.column) }.joined(separator: ", ")
    let places = fields.map { _ in SQLFragment.parameter }.joined(separator: ", ")
    let sql: SQLFragment = """
      WITH h AS (UPDATE z_history SET z_last = z_last + 1 WHERE z_zone = $1 RETURNING z_last) \
      INSERT INTO \(name: "ATRANSACTION") \
      (z_zone, \(column: "Z_PK"), \(column: "ZTIMESTAMP"), \(names)) \
      SELECT $1, (SELECT z_last FROM h), \(.parameter), \(places) RETURNING \(column: "Z_PK")
      """
    return sql.rendered(for: .postgreSQL).sql
  }()

  /// Gives the transaction the next number.
  ///
  /// If the zone lacks its row, the server refuses the missing number, and with it the COMMIT that follows.
  private var beginning: PostgreSQLRequest {
    var values = PostgreSQLValues()
    values.append(text: zone)
    values.append(.real(origin.time))
    let fields = HistoryOrigin.Field.allCases
    for field in fields { values.append(origin[field].map(SQLValue.text) ?? .null) }
    return PostgreSQLRequest(
      sql: Self.beginningText,
      types: [PostgreSQLType.double] + fields.map { _ in PostgreSQLType.text },
      values: values
    )
  }

  private func request(for run: ArraySlice<HistoryChange>) -> PostgreSQLRequest {
    var bits = PostgreSQLArray(of: PostgreSQLType.bytes)
    for change in run {
      if change.kind == .update {
        history.bits(of: change.layout).bytes(for: change.slots).withUnsafeBytes { bits.append($0) }
      } else {
        bits.appendNull()
      }
    }
    let arrays = [
      PostgreSQLArray(1...Int64(run.count)), PostgreSQLArray(run.map(\.kind.rawValue)),
      PostgreSQLArray(run.map { Int64($0.layout.number) }), PostgreSQLArray(run.map(\.primaryKey)),
      bits,
    ]
    let kept = run.first.flatMap { keeper($0) == nil ? nil : $0.layout }
    let text = kept.map {
      Self.insertion(leaving: history.tombstone(of: $0), of: history.tableName(of: $0))
    }
    return ArrayRows.request(text ?? Self.plainInsertion, arrays, zone: zone)
  }

  /// That of changes that leave no values.
  private static let plainInsertion = insertion()

  /// Numbers the changes behind those that are there.
  ///
  /// Deleted rows of the table may leave values, which are read from the rows.
  private static func insertion(
    leaving preserved: [StoreHistory.Preserved] = [],
    of table: String? = nil
  ) -> String {
    var columns = [
      "Z_PK", "ZCHANGETYPE", "ZENTITY", "ZENTITYPK", "ZTRANSACTIONID", "ZCOLUMNS",
    ]
    columns += preserved.indices.map(HistoryTables.tombstone)
    let names = columns.map { SQLFragment.column($0) }.joined(separator: ", ")
    let values = preserved.map { ", CAST(\(column: $0.column, of: "t") AS TEXT)" as SQLFragment }
    var sql: SQLFragment = """
      WITH h AS (UPDATE z_history SET z_last_change = z_last_change + cardinality(\(.parameter)) \
      WHERE z_zone = $1 RETURNING z_last, z_last_change) \
      INSERT INTO \(name: "ACHANGE") (z_zone, \(names)) \
      SELECT $1, h.z_last_change - cardinality($2) + \(ArrayRows.value(0)), \(ArrayRows.value(1)), \
      \(ArrayRows.value(2)), \(ArrayRows.value(3)), h.z_last, \(ArrayRows.value(4)) \
      \(values.joined(separator: "")) FROM h, unnest($2, \(.parameter), \(.parameter), \
      \(.parameter), \(.parameter)) \(row)
      """
    if let table {
      sql += """
         LEFT JOIN \(name: table) \(name: "t") ON \(name: "t").z_zone = $1 \
        AND \(column: "Z_PK", of: "t") = \(ArrayRows.value(3))
        """
    }
    return sql.rendered(for: .postgreSQL).sql
  }

  private static let row: SQLFragment = "\"w\" (\"c0\", \"c1\", \"c2\", \"c3\", \"c4\")"
}
