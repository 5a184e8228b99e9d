import CSQLite
import Foundation

/// A history's tables, read with SQLite's own calls.
extension PlainSQLite {
  struct PlainChange {
    let key: Int64
    let kind: Int
    let entity: Int64
    let number: Int64
    let transaction: Int64
    let columns: [UInt8]
  }

  struct PlainTransaction {
    let number: Int64
    let time: Double
    let texts: [Int64]
  }

  func integer(_ query: String) -> Int64 {
    var found: Int64 = 0
    each(query) { found = sqlite3_column_int64($0, 0) }
    return found
  }

  func transactions(after last: Int64) -> [PlainTransaction] {
    var found: [PlainTransaction] = []
    each(
      """
      SELECT Z_PK, ZTIMESTAMP, ZAUTHORTS, ZBUNDLEIDTS, ZCONTEXTNAMETS, ZPROCESSIDTS \
      FROM ATRANSACTION WHERE Z_PK > \(last) ORDER BY Z_PK
      """
    ) { row in
      found.append(
        PlainTransaction(
          number: sqlite3_column_int64(row, 0),
          time: sqlite3_column_double(row, 1),
          texts: (2..<6).map { sqlite3_column_int64(row, $0) }
        )
      )
    }
    return found
  }

  func changes(after last: Int64) -> [PlainChange] {
    var found: [PlainChange] = []
    each(
      """
      SELECT Z_PK, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID, ZCOLUMNS \
      FROM ACHANGE WHERE ZTRANSACTIONID > \(last) ORDER BY ZTRANSACTIONID, Z_PK
      """
    ) { row in
      let start = sqlite3_column_blob(row, 5)
      let count = Int(sqlite3_column_bytes(row, 5))
      found.append(
        PlainChange(
          key: sqlite3_column_int64(row, 0),
          kind: Int(sqlite3_column_int64(row, 1)),
          entity: sqlite3_column_int64(row, 2),
          number: sqlite3_column_int64(row, 3),
          transaction: sqlite3_column_int64(row, 4),
          columns: [UInt8](UnsafeRawBufferPointer(start: start, count: count))
        )
      )
    }
    return found
  }

  func changedObjects(after last: Int64) -> [(entity: Int64, number: Int64)] {
    var found: [(entity: Int64, number: Int64)] = []
    each(
      """
      SELECT DISTINCT ZENTITY, ZENTITYPK FROM ACHANGE WHERE ZTRANSACTIONID > \(last) \
      ORDER BY ZENTITY, ZENTITYPK
      """
    ) { row in found.append((sqlite3_column_int64(row, 0), sqlite3_column_int64(row, 1))) }
    return found
  }
}
