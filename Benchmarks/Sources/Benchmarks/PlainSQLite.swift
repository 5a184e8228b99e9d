import CSQLite
import Foundation

/// The same work in SQLite's own calls: cached statements, plain objects.
final class PlainSQLite {
  private var handle: OpaquePointer?

  final class PlainItem {
    var number: Int64 = 0
    var date = 0.0
    var d1 = 0.0
    var d2 = 0.0
    var flag = false
    var i1: Int64 = 0
    var i2: Int32 = 0
    var i3: Int16 = 0
    var name: String?
    var note: String?
    var title: String?
  }

  init(path: String) {
    check(sqlite3_open(path, &handle))
    run("PRAGMA cache_size = -32768")
    run("PRAGMA journal_mode = WAL")
    run("PRAGMA synchronous = NORMAL")
  }

  deinit {
    sqlite3_close(handle)
  }

  func run(_ sql: String) {
    check(sqlite3_exec(handle, sql, nil, nil, nil))
  }

  private func check(_ code: Int32) {
    if code != SQLITE_OK, code != SQLITE_DONE, code != SQLITE_ROW {
      fatalError("SQLite: \(String(cString: sqlite3_errmsg(handle)))")
    }
  }

  private func prepared(_ sql: String) -> OpaquePointer? {
    var statement: OpaquePointer?
    check(sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil))
    return statement
  }

  /// Hands over each row that a query finds.
  func each(_ query: String, _ row: (OpaquePointer?) -> Void) {
    let statement = prepared(query)
    defer { sqlite3_finalize(statement) }
    while sqlite3_step(statement) == SQLITE_ROW { row(statement) }
  }

  /// The tables that the framework makes for the same model.
  func makeTables() {
    run(
      """
      CREATE TABLE ZITEM ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, \
      ZFLAG INTEGER, ZI1 INTEGER, ZI2 INTEGER, ZI3 INTEGER, ZDATE TIMESTAMP, ZD1 FLOAT, ZD2 FLOAT, \
      ZNAME VARCHAR, ZNOTE VARCHAR, ZTITLE VARCHAR )
      """
    )
    run("CREATE INDEX Z_Item_byDate ON ZITEM (ZDATE COLLATE BINARY ASC)")
    run("CREATE INDEX Z_Item_byI1 ON ZITEM (ZI1 COLLATE BINARY ASC)")
    run("CREATE INDEX Z_Item_date ON ZITEM (ZDATE COLLATE BINARY ASC)")
    run("CREATE INDEX Z_Item_i1 ON ZITEM (ZI1 COLLATE BINARY ASC)")
  }

  /// Inserts rows until there is none.
  func insert(_ next: () -> PlainItem?) {
    let statement = prepared("INSERT INTO ZITEM VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?)")
    run("BEGIN IMMEDIATE")
    while let item = next() {
      sqlite3_bind_int64(statement, 1, item.number)
      sqlite3_bind_int64(statement, 2, 1)
      sqlite3_bind_int64(statement, 3, 1)
      sqlite3_bind_int64(statement, 4, item.flag ? 1 : 0)
      sqlite3_bind_int64(statement, 5, item.i1)
      sqlite3_bind_int64(statement, 6, Int64(item.i2))
      sqlite3_bind_int64(statement, 7, Int64(item.i3))
      sqlite3_bind_double(statement, 8, item.date)
      sqlite3_bind_double(statement, 9, item.d1)
      sqlite3_bind_double(statement, 10, item.d2)
      bind(item.name, statement, 11) {
        bind(item.note, statement, 12) {
          bind(item.title, statement, 13) { check(sqlite3_step(statement)) }
        }
      }
      sqlite3_reset(statement)
    }
    run("COMMIT")
    sqlite3_finalize(statement)
  }

  func fetchAll(where condition: String = "") -> [PlainItem] {
    let statement = prepared(
      """
      SELECT Z_PK, Z_ENT, Z_OPT, ZFLAG, ZI1, ZI2, ZI3, ZDATE, ZD1, ZD2, ZNAME, ZNOTE, ZTITLE \
      FROM ZITEM \(condition)
      """
    )
    defer { sqlite3_finalize(statement) }
    var items: [PlainItem] = []
    while sqlite3_step(statement) == SQLITE_ROW {
      let item = PlainItem()
      item.number = sqlite3_column_int64(statement, 0)
      item.flag = sqlite3_column_int64(statement, 3) != 0
      item.i1 = sqlite3_column_int64(statement, 4)
      item.i2 = sqlite3_column_int(statement, 5)
      item.i3 = Int16(truncatingIfNeeded: sqlite3_column_int(statement, 6))
      item.date = sqlite3_column_double(statement, 7)
      item.d1 = sqlite3_column_double(statement, 8)
      item.d2 = sqlite3_column_double(statement, 9)
      item.name = text(statement, 10)
      item.note = text(statement, 11)
      item.title = text(statement, 12)
      items.append(item)
    }
    return items
  }

  private func text(_ statement: OpaquePointer?, _ column: Int32) -> String? {
    guard let start = sqlite3_column_text(statement, column) else { return nil }
    let count = Int(sqlite3_column_bytes(statement, column))
    return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  }
}
