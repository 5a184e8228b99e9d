import CoreDataSQL
import CoreDataSQLite
import Foundation
import Testing

/// Tests of the harm that a stranger's database can do to the program that opens it.
@Suite struct DefenceTests {
  private let connection: Connection

  init() throws {
    connection = try Connection(path: ":memory:")
    try connection.run("CREATE TABLE ZNOTE (Z_PK INTEGER PRIMARY KEY, ZTITLE)" as String)
  }

  @Test func `a trigger of the file called any function of the program`() throws {
    var calls = 0
    connection.define("SECRET", argumentCount: 0) { _ in
      calls += 1
      return .text("read")
    }
    connection.define("NOW", argumentCount: 0, for: .schema) { _ in .integer(5) }
    #expect(try connection.text("SELECT SECRET()") == "read")
    try connection.run(
      """
      CREATE TRIGGER HARMLESS AFTER INSERT ON ZNOTE BEGIN \
      UPDATE ZNOTE SET ZTITLE = NOW() WHERE Z_PK = NEW.Z_PK; END
      """ as String
    )
    try connection.run("INSERT INTO ZNOTE (Z_PK) VALUES (1)" as String)
    #expect(try connection.integer("SELECT ZTITLE FROM ZNOTE") == 5)
    try connection.run(
      """
      CREATE TRIGGER HOSTILE AFTER DELETE ON ZNOTE BEGIN \
      UPDATE ZNOTE SET ZTITLE = SECRET(); END
      """ as String
    )
    #expect(throws: SQLiteError.self) { try connection.run("DELETE FROM ZNOTE" as String) }
    #expect(calls == 1)
    try connection.run("CREATE VIEW V AS SELECT SECRET() AS X" as String)
    #expect(throws: SQLiteError.self) { try connection.integer("SELECT X FROM V") }
  }

  @Test func `a statement could write into the list of tables`() throws {
    try connection.run("PRAGMA writable_schema = 1" as String)
    #expect(throws: SQLiteError.self) {
      try connection.run("UPDATE sqlite_master SET sql = 'nonsense'" as String)
    }
    #expect(try connection.integer("PRAGMA cell_size_check") == 1)
    #expect(try connection.integer("PRAGMA trusted_schema") == 0)
  }

  @Test func `no journal is a choice that stays possible`() throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).sqlite")
    defer { try? FileManager.default.removeItem(at: file) }
    let connection = try Connection(path: file.path)
    try connection.setJournalMode("OFF")
    #expect(try connection.text("PRAGMA journal_mode") == "off")
    try connection.setJournalMode("WAL")
    #expect(try connection.text("PRAGMA journal_mode") == "wal")
    #expect(throws: SQLiteError.self) {
      try connection.run("PRAGMA writable_schema = 1" as String)
      try connection.run("DELETE FROM sqlite_master" as String)
    }
  }

  @Test func `a search without an end was waited for without an end`() throws {
    connection.limitStatements(to: .milliseconds(50))
    let endless: SQLFragment = """
      WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT x FROM c WHERE x < 0
      """
    let error = #expect(throws: SQLiteError.self) { try connection.integer(endless) }
    #expect(error?.isOutOfTime == true)
    #expect(error?.message.contains("0.05 s") == true, "\(error?.message ?? "")")
    #expect(try connection.integer("SELECT 7") == 7)
    connection.limitStatements(to: nil)
    #expect(try connection.integer("SELECT 8") == 8)
  }

  @Test func `what triggers would do is told, and not done`() throws {
    try connection.run("INSERT INTO ZNOTE VALUES (1, 'a')" as String)
    try connection.run(
      """
      CREATE TRIGGER GREEDY AFTER UPDATE ON ZNOTE BEGIN DELETE FROM ZNOTE; \
      SELECT zeroblob(9); END
      """ as String
    )
    let effects = try connection.effects(of: ["UPDATE ZNOTE SET ZTITLE = ZTITLE"])
    let deletion = Connection.Effect(kind: .delete, subject: "ZNOTE", column: "", cause: "GREEDY")
    let call = Connection.Effect(kind: .call, subject: "zeroblob", column: "", cause: "GREEDY")
    #expect(effects.isSuperset(of: [deletion, call]))
    #expect(effects.contains { $0.kind == .update && $0.cause == nil })
    #expect(try connection.integer("SELECT COUNT(*) FROM ZNOTE") == 1)
    #expect(throws: SQLiteError.self) { try connection.effects(of: ["DELETE FROM ZNOBODY"]) }
  }
}
