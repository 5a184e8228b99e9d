import CoreData
import CoreDataSQL

/// Turns a history of another store into statements that give it to a zone without one.
///
/// ```
/// transactions   5,000 at a time
/// changes        5,000 at a time, with the values that deletions have left
/// numbers        from which the zone's own transactions and changes go on
/// ```
struct PostgreSQLHistoryCopy {
  private let carried: CarriedHistory
  private let history: StoreHistory
  private let zone: String

  private static let mostRows = 5_000

  init(of carried: CarriedHistory, into history: StoreHistory, zone: String) {
    self.carried = carried
    self.history = history
    self.zone = zone
  }

  var requests: [PostgreSQLRequest] {
    let transactions = carried.excerpt.transactions
    return runs(transactions.count).map { transactionsRequest(transactions[$0]) }
      + runs(carried.excerpt.changes.count).map(changesRequest) + [numbers]
  }

  private func runs(_ count: Int) -> [Range<Int>] {
    stride(from: 0, to: count, by: Self.mostRows).map { $0..<min($0 + Self.mostRows, count) }
  }
}

// MARK: - Rows

extension PostgreSQLHistoryCopy {
  private func transactionsRequest(
    _ rows: ArraySlice<HistoryExcerpt.TransactionRow>
  ) -> PostgreSQLRequest {
    var times = PostgreSQLArray(of: PostgreSQLType.double)
    for row in rows { times.append(row.time) }
    let fields = HistoryOrigin.Field.allCases
    let texts = fields.map { field in
      var array = PostgreSQLArray(of: PostgreSQLType.text)
      for row in rows { array.append(row.origin[field]) }
      return array
    }
    let columns = ["Z_PK", "ZTIMESTAMP"] + fields.map(\.column)
    let arrays = [PostgreSQLArray(rows.map(\.number)), times] + texts
    return insertion(into: "ATRANSACTION", columns, arrays)
  }

  private func changesRequest(_ run: Range<Int>) -> PostgreSQLRequest {
    let excerpt = carried.excerpt
    var transactions = PostgreSQLArray(of: PostgreSQLType.int64)
    var bits = PostgreSQLArray(of: PostgreSQLType.bytes)
    var tombstones = (0..<history.tables.tombstoneCount).map { _ in
      PostgreSQLArray(of: PostgreSQLType.text)
    }
    for index in run {
      let row = excerpt.changes[index]
      transactions.append(excerpt.transactions[Int(row.transaction)].number)
      if row.kind == .update, let slots = excerpt.slots(changedBy: index) {
        history.bits(of: row.layout).bytes(for: slots).withUnsafeBytes { bits.append($0) }
      } else {
        bits.appendNull()
      }
      let values = carried.values(leftBy: index, for: history) ?? []
      for place in tombstones.indices {
        guard place < values.count, case .text(let text) = values[place] else {
          tombstones[place].appendNull()
          continue
        }
        tombstones[place].append(text)
      }
    }
    let rows = excerpt.changes[run]
    let columns =
      ["Z_PK", "ZCHANGETYPE", "ZENTITY", "ZENTITYPK", "ZTRANSACTIONID", "ZCOLUMNS"]
      + tombstones.indices.map(HistoryTables.tombstone)
    let arrays =
      [
        PostgreSQLArray(rows.map(\.key)), PostgreSQLArray(rows.map(\.kind.rawValue)),
        PostgreSQLArray(rows.map { Int64($0.layout.number) }),
        PostgreSQLArray(run.map(carried.number)), transactions, bits,
      ] + tombstones
    return insertion(into: "ACHANGE", columns, arrays)
  }

  private func insertion(
    into table: String,
    _ columns: [String],
    _ arrays: [PostgreSQLArray]
  ) -> PostgreSQLRequest {
    let names = columns.map { SQLFragment.column($0) }.joined(separator: ", ")
    let values = columns.indices.map { ArrayRows.value($0) }.joined(separator: ", ")
    return ArrayRows.request(
      """
      INSERT INTO \(name: table) (z_zone, \(names)) \
      SELECT $1, \(values) FROM \(ArrayRows.source(columns.count))
      """,
      arrays,
      zone: zone
    )
  }

  private var numbers: PostgreSQLRequest {
    var values = PostgreSQLValues()
    values.append(text: zone)
    values.append(.integer(carried.lastTransaction))
    values.append(.integer(carried.lastChange))
    return PostgreSQLRequest(
      sql: "UPDATE z_history SET z_last = $2, z_last_change = $3 WHERE z_zone = $1",
      types: [PostgreSQLType.int64, PostgreSQLType.int64],
      values: values
    )
  }
}

extension PostgreSQLArray {
  fileprivate mutating func append(_ text: String?) {
    guard let text else { return appendNull() }
    append(text)
  }
}
