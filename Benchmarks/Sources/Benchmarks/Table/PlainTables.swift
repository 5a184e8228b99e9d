import CSQLite
import Foundation

/// The tables of the framework in SQLite's own calls, with the settings that the framework uses: a cache of
/// 64 MB, a write-ahead log, `synchronous = NORMAL`, no locks of its own.
final class PlainTables {
  let handle: OpaquePointer?
  private var statements: [String: OpaquePointer] = [:]

  init(path: String) {
    var handle: OpaquePointer?
    // One thread at a time uses it, as is so with the framework's connections: no locks inside SQLite.
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX
    guard sqlite3_open_v2(path, &handle, flags, nil) == SQLITE_OK else {
      fatalError("cannot open \(path)")
    }
    self.handle = handle
    run("PRAGMA cache_size = -32768")
    run("PRAGMA journal_mode = WAL")
    run("PRAGMA synchronous = NORMAL")
  }

  deinit {
    close()
  }

  private var isClosed = false

  func close() {
    if isClosed { return }
    isClosed = true
    for statement in statements.values { sqlite3_finalize(statement) }
    sqlite3_close(handle)
  }

  func run(_ sql: String) {
    check(sqlite3_exec(handle, sql, nil, nil, nil))
  }

  func check(_ code: Int32) {
    if code != SQLITE_OK, code != SQLITE_DONE, code != SQLITE_ROW {
      fatalError("SQLite: \(String(cString: sqlite3_errmsg(handle)))")
    }
  }

  /// The statement, compiled once.
  func statement(_ sql: String) -> OpaquePointer? {
    if let known = statements[sql] { return known }
    var statement: OpaquePointer?
    check(sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil))
    statements[sql] = statement
    return statement
  }

  /// Binds integers, runs through the rows and makes the statement ready again.
  func each(_ sql: String, _ values: Int64..., row: (OpaquePointer?) -> Void = { _ in }) {
    let statement = statement(sql)
    for (place, value) in values.enumerated() {
      sqlite3_bind_int64(statement, Int32(place + 1), value)
    }
    while true {
      let code = sqlite3_step(statement)
      if code != SQLITE_ROW {
        check(code)
        break
      }
      row(statement)
    }
    sqlite3_reset(statement)
  }

  func text(_ sql: String) -> String {
    var found = ""
    each(sql) { found = String(cString: sqlite3_column_text($0, 0)) }
    return found
  }

  func integer(_ sql: String) -> Int64 {
    var found: Int64 = 0
    each(sql) { found = sqlite3_column_int64($0, 0) }
    return found
  }

  func number(ofEntity name: String) -> Int64 {
    integer("SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = '\(name)'")
  }

  /// The table of pairs of entries and labels, and its columns.
  lazy var pairs: (table: String, entry: String, label: String) = {
    let table = text(
      "SELECT name FROM sqlite_master WHERE name LIKE 'Z\\_%LABELS' ESCAPE '\\' AND type = 'table'"
    )
    let entry = text("SELECT name FROM pragma_table_info('\(table)') WHERE name LIKE '%ENTRIES%'")
    let label = text("SELECT name FROM pragma_table_info('\(table)') WHERE name LIKE '%LABELS%'")
    return (table, entry, label)
  }()
}

// MARK: - Entries

/// An entry as a program without the framework would have it.
final class PlainEntry {
  var number: Int64 = 0
  var shelf: Int64 = 0
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

  init() {}

  init(_ values: EntryValues, shelf: Int64) {
    self.shelf = shelf
    number = Int64(values.number)
    date = values.date
    d1 = values.d1
    d2 = values.d2
    flag = values.flag
    i1 = values.i1
    i2 = values.i2
    i3 = values.i3
    name = values.name
    note = values.note
    title = values.title
  }
}

extension PlainTables {
  static let entryColumns =
    "Z_PK, Z_ENT, Z_OPT, ZFLAG, ZI1, ZI2, ZI3, ZSHELF, ZDATE, ZD1, ZD2, ZNAME, ZNOTE, ZTITLE"

  /// Entries, decoded into objects.
  func entries(_ rest: String = "", _ values: Int64...) -> [PlainEntry] {
    var found: [PlainEntry] = []
    let statement = statement("SELECT \(Self.entryColumns) FROM ZENTRY \(rest)")
    for (place, value) in values.enumerated() {
      sqlite3_bind_int64(statement, Int32(place + 1), value)
    }
    while sqlite3_step(statement) == SQLITE_ROW { found.append(entry(statement)) }
    sqlite3_reset(statement)
    return found
  }

  func entry(_ statement: OpaquePointer?) -> PlainEntry {
    let entry = PlainEntry()
    entry.number = sqlite3_column_int64(statement, 0)
    entry.flag = sqlite3_column_int64(statement, 3) != 0
    entry.i1 = sqlite3_column_int64(statement, 4)
    entry.i2 = sqlite3_column_int(statement, 5)
    entry.i3 = Int16(truncatingIfNeeded: sqlite3_column_int(statement, 6))
    entry.shelf = sqlite3_column_int64(statement, 7)
    entry.date = sqlite3_column_double(statement, 8)
    entry.d1 = sqlite3_column_double(statement, 9)
    entry.d2 = sqlite3_column_double(statement, 10)
    entry.name = text(statement, 11)
    entry.note = text(statement, 12)
    entry.title = text(statement, 13)
    return entry
  }

  func text(_ statement: OpaquePointer?, _ column: Int32) -> String? {
    guard let start = sqlite3_column_text(statement, column) else { return nil }
    let count = Int(sqlite3_column_bytes(statement, column))
    return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  }

  /// Inserts rows into `table`, which has a column for the shelf or has not, until there is none.
  func insert(into table: String, entity: Int64, _ next: () -> PlainEntry?) {
    let hasShelf = table == "ZENTRY"
    let columns = "Z_PK, Z_ENT, Z_OPT, ZFLAG, ZI1, ZI2, ZI3, ZDATE, ZD1, ZD2, ZNAME, ZNOTE, ZTITLE"
    let statement = statement(
      """
      INSERT INTO \(table) (\(columns)\(hasShelf ? ", ZSHELF" : "")) \
      VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?\(hasShelf ? ",?" : ""))
      """
    )
    while let entry = next() {
      sqlite3_bind_int64(statement, 1, entry.number)
      sqlite3_bind_int64(statement, 2, entity)
      sqlite3_bind_int64(statement, 3, 1)
      sqlite3_bind_int64(statement, 4, entry.flag ? 1 : 0)
      sqlite3_bind_int64(statement, 5, entry.i1)
      sqlite3_bind_int64(statement, 6, Int64(entry.i2))
      sqlite3_bind_int64(statement, 7, Int64(entry.i3))
      sqlite3_bind_double(statement, 8, entry.date)
      sqlite3_bind_double(statement, 9, entry.d1)
      sqlite3_bind_double(statement, 10, entry.d2)
      if hasShelf {
        if entry.shelf > 0 {
          sqlite3_bind_int64(statement, 14, entry.shelf)
        } else {
          sqlite3_bind_null(statement, 14)
        }
      }
      bind(entry.name, statement, 11) {
        bind(entry.note, statement, 12) {
          bind(entry.title, statement, 13) { check(sqlite3_step(statement)) }
        }
      }
      sqlite3_reset(statement)
    }
  }
}

// MARK: - The rows that are there

extension PlainTables {
  /// Fills the tables as a program would have by saving `count` entries, with shelves and labels.
  func fill(_ count: Int) {
    run("BEGIN")
    let entry = number(ofEntity: "Entry")
    var number = 0
    insert(into: "ZENTRY", entity: entry) {
      number += 1
      if number > count { return nil }
      let shelf = Int64((number - 1) * Stand.shelfCount / count + 1)
      return PlainEntry(EntryValues(number), shelf: shelf)
    }
    for (table, name, entity, rows) in [
      ("ZSHELF", "shelf", self.number(ofEntity: "Shelf"), Stand.shelfCount),
      ("ZLABEL", "label", self.number(ofEntity: "Label"), Stand.labelCount),
    ] {
      for row in 1...rows {
        run(
          "INSERT INTO \(table) (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (\(row), \(entity), 1, '\(name) \(row)')"
        )
      }
      run("UPDATE Z_PRIMARYKEY SET Z_MAX = \(rows) WHERE Z_ENT = \(entity)")
    }
    for number in 1...count {
      for place in 0..<Stand.labelsOfEach {
        let label = (number * 7 + place * 311) % Stand.labelCount + 1
        each(insertPair, Int64(number), Int64(label))
      }
    }
    let ticket = self.number(ofEntity: "Ticket")
    for number in 1...count {
      each(
        "INSERT INTO ZTICKET (Z_PK, Z_ENT, Z_OPT, ZCODE, ZCOUNT, ZNOTE) VALUES (?1, ?2, 1, ?1, 0, 'a note of ' || ?1)",
        Int64(number),
        ticket
      )
    }
    run("UPDATE Z_PRIMARYKEY SET Z_MAX = \(count) WHERE Z_ENT IN (\(entry), \(ticket))")
    run("COMMIT")
    run("PRAGMA wal_checkpoint(TRUNCATE)")
  }

  var insertPair: String {
    "INSERT INTO \(pairs.table) (\(pairs.entry), \(pairs.label)) VALUES (?, ?)"
  }
}
