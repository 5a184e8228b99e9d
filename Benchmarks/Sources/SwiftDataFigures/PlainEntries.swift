import CSQLite
import Foundation

/// The same work in SQLite's own calls, with plain objects and without a history.
final class PlainEntries {
  private var handle: OpaquePointer?
  private let count: Int

  private final class PlainEntry {
    var created = 0.0
    var isDone = false
    var number: Int64 = 0
    var rating = 0.0
    var stars: Int64 = 0
    var text: String?
    var title: String?
  }

  private static let columns = "ZCREATED, ZISDONE, ZNUMBER, ZRATING, ZSTARS, ZTEXT, ZTITLE"

  init(path: String, count: Int) {
    self.count = count
    check(sqlite3_open(path, &handle))
    run("PRAGMA journal_mode = WAL")
    run("PRAGMA synchronous = NORMAL")
    run(
      """
      CREATE TABLE ZENTRY ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZISDONE INTEGER, \
      ZNUMBER INTEGER, ZSTARS INTEGER, ZCREATED TIMESTAMP, ZRATING FLOAT, ZTEXT VARCHAR, ZTITLE VARCHAR )
      """
    )
  }

  deinit { sqlite3_close(handle) }

  func create() {
    run("BEGIN IMMEDIATE")
    let statement = prepared(
      "INSERT INTO ZENTRY (Z_PK, Z_ENT, Z_OPT, \(Self.columns)) VALUES (?, 1, 1, 0, 0, ?, 0, ?, ?, ?)"
    )
    for number in 0..<count {
      sqlite3_bind_int64(statement, 1, Int64(number + 1))
      sqlite3_bind_int64(statement, 2, Int64(number))
      sqlite3_bind_int64(statement, 3, Int64(number % 5))
      bind("Text of \(number)", 4, statement)
      bind("Entry \(number)", 5, statement)
      check(sqlite3_step(statement))
      sqlite3_reset(statement)
    }
    sqlite3_finalize(statement)
    run("COMMIT")
  }

  func fetch() {
    precondition(entries("SELECT \(Self.columns) FROM ZENTRY").count == count)
  }

  func read() {
    var sum = 0
    for entry in entries("SELECT \(Self.columns) FROM ZENTRY") {
      sum &+= (entry.title?.utf8.count ?? 0) &+ (entry.text?.utf8.count ?? 0)
      sum &+= Int(entry.number) &+ Int(entry.stars) &+ Int(entry.rating) &+ (entry.isDone ? 1 : 0)
      sum &+= Int(entry.created)
    }
    precondition(sum > 0)
  }

  func identities() {
    let statement = prepared("SELECT \(Self.columns) FROM ZENTRY WHERE Z_PK = ?")
    defer { sqlite3_finalize(statement) }
    var sum = 0
    for key in 1...min(10_000, count) {
      sqlite3_bind_int64(statement, 1, Int64(key))
      if sqlite3_step(statement) == SQLITE_ROW { sum &+= Int(entry(statement).number) }
      sqlite3_reset(statement)
    }
    precondition(sum > 0)
  }

  func change() {
    let entries = entries("SELECT \(Self.columns) FROM ZENTRY")
    run("BEGIN IMMEDIATE")
    let statement = prepared("UPDATE ZENTRY SET ZSTARS = ?, Z_OPT = Z_OPT + 1 WHERE Z_PK = ?")
    for place in stride(from: 0, to: entries.count, by: 10) {
      sqlite3_bind_int64(statement, 1, entries[place].stars + 1)
      sqlite3_bind_int64(statement, 2, Int64(place + 1))
      check(sqlite3_step(statement))
      sqlite3_reset(statement)
    }
    sqlite3_finalize(statement)
    run("COMMIT")
  }
}

extension PlainEntries {
  private func entries(_ query: String) -> [PlainEntry] {
    let statement = prepared(query)
    defer { sqlite3_finalize(statement) }
    var entries: [PlainEntry] = []
    while sqlite3_step(statement) == SQLITE_ROW { entries.append(entry(statement)) }
    return entries
  }

  private func entry(_ statement: OpaquePointer?) -> PlainEntry {
    let entry = PlainEntry()
    entry.created = sqlite3_column_double(statement, 0)
    entry.isDone = sqlite3_column_int64(statement, 1) != 0
    entry.number = sqlite3_column_int64(statement, 2)
    entry.rating = sqlite3_column_double(statement, 3)
    entry.stars = sqlite3_column_int64(statement, 4)
    entry.text = sqlite3_column_text(statement, 5).map { String(cString: $0) }
    entry.title = sqlite3_column_text(statement, 6).map { String(cString: $0) }
    return entry
  }

  private func bind(_ text: String, _ place: Int32, _ statement: OpaquePointer?) {
    var text = text
    text.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) { characters in
        // A copy: the text ends before the step.
        let copies = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        check(
          sqlite3_bind_text(
            statement,
            place,
            characters.baseAddress,
            Int32(characters.count),
            copies
          )
        )
      }
    }
  }

  private func run(_ sql: String) { check(sqlite3_exec(handle, sql, nil, nil, nil)) }

  private func prepared(_ sql: String) -> OpaquePointer? {
    var statement: OpaquePointer?
    check(sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil))
    return statement
  }

  private func check(_ code: Int32) {
    if code != SQLITE_OK, code != SQLITE_DONE, code != SQLITE_ROW {
      fatalError("SQLite: \(String(cString: sqlite3_errmsg(handle)))")
    }
  }
}
