import CoreDataSQL
import CoreDataSQLite
import Foundation
import Synchronization
import Testing

@Suite struct ConnectionTests {
  private let connection: Connection

  init() throws {
    connection = try Connection(path: ":memory:")
    try connection.run("CREATE TABLE ZNOTE (Z_PK INTEGER PRIMARY KEY, ZTITLE)" as String)
  }

  @Test func `a fragment in a literal was spelled into the text of the statement`() throws {
    let table: SQLFragment = "\(name: "ZNOTE")"
    try connection.run("DELETE FROM \(table)")
    try connection.run("INSERT INTO \(table) (ZTITLE) VALUES (\(.text("first")))")
    #expect(try connection.text("SELECT ZTITLE FROM \(table)") == "first")
  }

  @Test func `what others have committed shows in a number, and nobody hears of the question`()
    throws
  {
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).sqlite")
    defer { try? FileManager.default.removeItem(at: file) }
    let (one, other) = (try Connection(path: file.path), try Connection(path: file.path))
    try one.run("CREATE TABLE ZNOTE (ZTITLE)")
    let before = try one.dataVersion()
    try one.run("INSERT INTO ZNOTE VALUES (1)")
    #expect(try one.dataVersion() == before)
    try other.run("INSERT INTO ZNOTE VALUES (2)")
    one.observer = { sql throws(SQLiteError) in
      throw SQLiteError(code: 9, message: "nothing may be asked", sql: sql)
    }
    #expect(try one.dataVersion() != before)
  }

  @Test(
    arguments: [
      SQLValue.null, .integer(.min), .integer(.max), .real(-0.5), .real(.infinity), .text(""),
      .text("Größe 🗒 'quoted'"), .text("a\0b"), .blob([]), .blob([0, 255]),
    ]
  )
  func `a value comes back as it was bound`(value: SQLValue) throws {
    try connection.run("INSERT INTO ZNOTE (ZTITLE) VALUES (\(value))" as SQLFragment)
    let statement = try connection.statement("SELECT ZTITLE FROM ZNOTE" as String)
    defer { statement.reset() }
    #expect(try statement.step())
    #expect(statement.value(0) == value)
    #expect(statement.isNull(0) == (value == .null))
    #expect(statement.columnName(0) == "ZTITLE")
    #expect(try !statement.step())
  }

  @Test func `bytes that stay in place are bound without a copy`() throws {
    let insert = try connection.statement("INSERT INTO ZNOTE (ZTITLE) VALUES (?1)" as String)
    for text in ["", "a title of more than fifteen bytes"] {
      try Array(text.utf8).withUnsafeBytes {
        insert.bindText(inPlace: $0, at: 1)
        try insert.run()
        insert.bindBlob(inPlace: $0, at: 1)
        try insert.run()
      }
    }
    let types = try connection.text(
      "SELECT group_concat(typeof(ZTITLE) || length(ZTITLE)) FROM ZNOTE"
    )
    #expect(types == "text0,blob0,text34,blob34")
  }

  @Test func `a statement is compiled once, and lent twice only as two`() throws {
    let sql = "SELECT Z_PK FROM ZNOTE"
    let first = try connection.statement(sql)
    #expect(try connection.statement(sql) === first)
    try connection.run("INSERT INTO ZNOTE (ZTITLE) VALUES ('a')" as String)
    #expect(try first.step())
    let second = try connection.statement(sql)
    #expect(second !== first)
    #expect(try second.step())
    first.reset()
    second.reset()
  }

  @Test func `ever new statements do not fill the memory`() throws {
    let kept = try connection.statement("SELECT Z_PK FROM ZNOTE" as String)
    try connection.run("INSERT INTO ZNOTE (ZTITLE) VALUES ('a')" as String)
    #expect(try kept.step())
    for number in 0..<(2 * Connection.statementLimit) {
      #expect(
        try connection.integer(
          "SELECT \(.text("x")), \(name: "\(number)") FROM (SELECT 1 AS \(name: "\(number)"))"
        ) == 0
      )
    }
    // A statement in use is not taken away from under its user.
    #expect(kept.integer(0) == 1)
    kept.reset()
  }

  @Test func `a value of a place that is not there is refused, not forgotten`() throws {
    let statement = try connection.statement("SELECT ?1" as String)
    statement.bind(Int64(1), at: 2)
    let error = #expect(throws: SQLiteError.self) { try statement.step() }
    #expect(error?.primaryCode == 25)
    statement.reset()
    statement.bind(Int64(1), at: 1)
    #expect(try statement.step())
  }

  @Test func `a failed statement can run again`() throws {
    try connection.run("CREATE UNIQUE INDEX one ON ZNOTE (ZTITLE)" as String)
    let insert = try connection.statement("INSERT INTO ZNOTE (ZTITLE) VALUES (?1)" as String)
    insert.bind(.text("a"), at: 1)
    try insert.run()
    let error = #expect(throws: SQLiteError.self) { try insert.run() }
    #expect(error?.code == 2067)
    #expect(error?.primaryCode == 19)
    #expect(error?.sql == insert.sql)
    #expect(error?.message.contains("ZNOTE.ZTITLE") == true)
    insert.bind(.text("b"), at: 1)
    try insert.run()
    #expect(connection.changeCount == 1)
  }

  @Test func `a mistake in SQL is told with the statement`() throws {
    let error = #expect(throws: SQLiteError.self) { try connection.run("SELEKT 1" as String) }
    #expect(error?.description == "SQLite error 1: near \"SELEKT\": syntax error in SELEKT 1")
  }

  @Test func `an observer sees each run, and may refuse it`() throws {
    var seen: [String] = []
    connection.observer = { sql throws(SQLiteError) in
      seen.append(sql)
      if sql.hasPrefix("DELETE") { throw SQLiteError(code: 13, message: "full", sql: sql) }
    }
    try connection.run("INSERT INTO ZNOTE (ZTITLE) VALUES ('a')" as String)
    #expect(throws: SQLiteError(code: 13, message: "full", sql: "DELETE FROM ZNOTE")) {
      try connection.run("DELETE FROM ZNOTE" as String)
    }
    connection.observer = nil
    #expect(try connection.integer("SELECT COUNT(*) FROM ZNOTE") == 1)
    #expect(seen == ["INSERT INTO ZNOTE (ZTITLE) VALUES ('a')", "DELETE FROM ZNOTE"])
  }

  @Test func `a function of ours can be called from SQL`() throws {
    connection.define("reversed", argumentCount: 1, isDeterministic: true) { values in
      switch values[0] {
      case .text(let text): .text(String(text.reversed()))
      case .integer(let integer): .integer(-integer)
      case .real(let real): .real(-real)
      case .blob(let bytes): .blob(bytes.reversed())
      case .null: .null
      }
    }
    let call = { (value: SQLValue) in
      let statement = try connection.statement("SELECT reversed(\(value))" as SQLFragment)
      defer { statement.reset() }
      _ = try statement.step()
      return statement.value(0)
    }
    #expect(try call(.text("Größe")) == .text("eßörG"))
    #expect(try call(.text("")) == .text(""))
    #expect(try call(.integer(3)) == .integer(-3))
    #expect(try call(.real(0.5)) == .real(-0.5))
    #expect(try call(.blob([1, 2])) == .blob([2, 1]))
    #expect(try call(.blob([])) == .blob([]))
    #expect(try call(.null) == .null)
  }

  @Test func `a function keeps what it needs as long as its connection lives`() throws {
    final class Needed: Sendable {}
    weak var needed: Needed?
    do {
      let other = try Connection(path: ":memory:")
      let object = Needed()
      needed = object
      other.define("needs", argumentCount: 0, isDeterministic: false) { _ in
        withExtendedLifetime(object) { .integer(1) }
      }
      #expect(try other.integer("SELECT needs()") == 1)
    }
    #expect(needed == nil)
  }

  @Test func `a file that cannot be opened is named`() {
    let path = "/no such folder/notes.sqlite"
    let error = #expect(throws: SQLiteError.self) { try Connection(path: path) }
    #expect(error?.primaryCode == 14)
    #expect(error?.message.contains(path) == true)
  }

  @Test func `a path may have any character, also where it is read as a URI`() throws {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "notes ?mode=memory#%20 Größe \(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let path = folder.appending(path: "a?b#c%d.sqlite").path
    do {
      let writer = try Connection(path: path)
      try writer.run("CREATE TABLE ZNOTE (Z_PK)" as String)
    }
    #expect(FileManager.default.fileExists(atPath: path))
    let reader = try Connection(path: path, mode: .immutable)
    #expect(try reader.integer("SELECT COUNT(*) FROM ZNOTE") == 0)
  }
}
