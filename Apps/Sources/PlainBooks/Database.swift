import CSQLite
import CoreDataWebServer
import Foundation
import Synchronization

/// One connection, with its statements; lent to one request at a time, whose transaction it has.
final class Database: Sendable {
  private let connection: Mutex<Connection>

  fileprivate struct Connection {
    let handle: OpaquePointer
    var statements: [String: OpaquePointer] = [:]
  }

  enum Value {
    case integer(Int64)
    case real(Double)
    case text(String)
  }

  struct Row {
    fileprivate let statement: OpaquePointer

    func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(statement, column) }
    func real(_ column: Int32) -> Double { sqlite3_column_double(statement, column) }
    func text(_ column: Int32) -> String? {
      sqlite3_column_text(statement, column).map { String(cString: $0) }
    }
  }

  init(path: String) throws {
    var opened: OpaquePointer?
    guard
      sqlite3_open_v2(path, &opened, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nil) == SQLITE_OK,
      let handle = opened
    else { throw Problem(500, "\(path) cannot be opened") }
    sqlite3_busy_timeout(handle, 10_000)
    sqlite3_exec(handle, "PRAGMA synchronous = NORMAL; PRAGMA cache_size = -32768", nil, nil, nil)
    // The data that bookserver keeps in its own tables.
    sqlite3_exec(
      handle,
      """
      CREATE TABLE IF NOT EXISTS plain_orders (book, placed, quantity, price);
      CREATE VIRTUAL TABLE IF NOT EXISTS plain_words USING fts5(title, content='');
      INSERT INTO plain_words (rowid, title) SELECT Z_PK, ZTITLE FROM ZBOOK
        WHERE NOT EXISTS (SELECT 1 FROM plain_words_docsize);
      """,
      nil,
      nil,
      nil
    )
    connection = Mutex(Connection(handle: handle))
  }

  deinit {
    connection.withLock { connection in
      for statement in connection.statements.values { sqlite3_finalize(statement) }
      sqlite3_close(connection.handle)
    }
  }

  func transaction<Result>(_ body: () throws -> Result) throws -> Result {
    _ = try rows("BEGIN IMMEDIATE", []) { _ in }
    do {
      let result = try body()
      _ = try rows("COMMIT", []) { _ in }
      return result
    } catch {
      // The first error is the one that matters.
      _ = try? rows("ROLLBACK", []) { _ in }
      throw error
    }
  }

  func rows<Result: Sendable>(
    _ sql: String,
    _ values: [Value],
    _ read: @Sendable (Row) throws -> Result
  ) throws -> [Result] {
    try connection.withLock { try $0.rows(sql, values, read) }
  }
}

extension Database.Connection {
  mutating func rows<Result>(
    _ sql: String,
    _ values: [Database.Value],
    _ read: @Sendable (Database.Row) throws -> Result
  ) throws -> [Result] {
    let statement = try statement(sql)
    defer { sqlite3_reset(statement) }
    for (place, value) in values.enumerated() {
      let index = Int32(place + 1)
      switch value {
      case .integer(let value): sqlite3_bind_int64(statement, index, value)
      case .real(let value): sqlite3_bind_double(statement, index, value)
      case .text(let text):
        // SQLite copies the text: SQLITE_TRANSIENT.
        sqlite3_bind_text(
          statement,
          index,
          text,
          -1,
          unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        )
      }
    }
    var results: [Result] = []
    while true {
      switch sqlite3_step(statement) {
      case SQLITE_ROW: results.append(try read(Database.Row(statement: statement)))
      case SQLITE_DONE: return results
      case _: throw Problem(500, String(cString: sqlite3_errmsg(handle)))
      }
    }
  }

  private mutating func statement(_ sql: String) throws -> OpaquePointer {
    if let known = statements[sql] { return known }
    var made: OpaquePointer?
    guard sqlite3_prepare_v2(handle, sql, -1, &made, nil) == SQLITE_OK, let made else {
      throw Problem(500, String(cString: sqlite3_errmsg(handle)))
    }
    statements[sql] = made
    return made
  }
}
