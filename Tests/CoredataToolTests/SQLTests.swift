import CoreData
import Foundation
import TestSupport
import Testing

/// `coredata sql`, run as a process.
struct SQLTests {
  @Test func `a statement prints a table, JSON or CSV`() throws {
    let store = try ToolStore()
    let query = "SELECT Z_PK, ZNAME FROM ZFOLDER"
    #expect(
      try Program.run("sql", store.path, query).output == """
        Z_PK  ZNAME
           1  Home
           2  Ideas
        2 rows

        """
    )
    #expect(
      try Program.run("sql", store.path, query, "--json").output == """
        [
          {"Z_PK":1,"ZNAME":"Home"},
          {"Z_PK":2,"ZNAME":"Ideas"}
        ]

        """
    )
    let values = "Z_PK,ZNAME\r\n1,Home\r\n2,Ideas\r\n"
    #expect(try Program.run("sql", "--csv", store.path, query).output == values)
    #expect(try Program.run("sql", store.path, "\(query) WHERE 0", "--json").output == "[]\n")
  }

  @Test func `a transaction without its end seemed to be kept`() throws {
    let store = try ToolStore()
    let outcome = try Program.run("sql", "--write", store.path, "BEGIN; DELETE FROM ZTAG")
    #expect(outcome.status == 1)
    #expect(outcome.errors.contains("it has no COMMIT"))
    let whole = try Program.run("sql", "--write", store.path, "BEGIN; DELETE FROM ZTAG; COMMIT")
    #expect(whole.status == 0, "\(whole.errors)")
  }

  @Test func `the store cannot be changed unless it shall be`() throws {
    let store = try ToolStore()
    let before = try Data(contentsOf: store.file)
    for statement in ["DELETE FROM ZTAG", "PRAGMA query_only = 0; DROP TABLE ZTAG", "VACUUM"] {
      let outcome = try Program.run("sql", store.path, statement)
      #expect(outcome.status == 1)
      #expect(outcome.errors.contains("use --write to change it"), "\(outcome.errors)")
    }
    #expect(try Data(contentsOf: store.file) == before)
    let written = try Program.run("sql", "--write", store.path, "DELETE FROM ZTAG")
    #expect(written.output == "2 rows changed\n")
    #expect(try Program.run("inspect", store.path).output.contains("  Tag             0\n"))
  }

  @Test func `triggers that call Core Data's functions run`() throws {
    let store = try ToolStore()
    let function = "NSCoreDataDATriggerUpdatedAffectedObjectValue('ZNOTE', 4, 1, 'x', 1)"
    let outcome = try Program.run("sql", store.path, "SELECT \(function), NSCoreDataNow() > 0 AS n")
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.output.contains("1 row"))
  }

  @Test func `a mistake has SQLite's words, a mark at the place and a guess`() throws {
    let store = try ToolStore()
    let column = try Program.run("sql", store.path, "SELECT Z_PK,\n  nope\nFROM ZNOTE")
    #expect(column.status == 1)
    #expect(column.errors == "no such column: nope\n    nope\n    ^\n")
    let table = try Program.run("sql", store.path, "SELECT * FROM ZNOTES")
    #expect(table.errors == "no such table: ZNOTES; did you mean 'ZNOTE'?\n")
  }

  @Test func `what came before a mistake is printed`() throws {
    let store = try ToolStore()
    let outcome = try Program.run("sql", store.path, "SELECT 1 AS one; SELECT nope; SELECT 2")
    #expect(outcome.output == "one\n  1\n1 row\n")
    #expect(outcome.errors.hasPrefix("no such column: nope"))
  }

  @Test func `statements and words with a dot may be piped in`() throws {
    let store = try ToolStore()
    let input = """
      .tables
      -- a comment; with a semicolon
      SELECT ';' AS mark,
        COUNT(*) AS notes FROM ZNOTE; SELECT 'end'
      """
    let outcome = try Program.shell("coredata sql --csv '\(store.path)'", input: input)
    #expect(outcome.errors == "")
    #expect(outcome.output.contains("ZFOLDER\nZNOTE\nZTAG\n"))
    #expect(outcome.output.hasSuffix("mark,notes\r\n;,3\r\n'end'\r\nend\r\n"))
    let schema = try Program.shell("coredata sql '\(store.path)'", input: ".schema ZTAG\n")
    #expect(schema.output.hasPrefix("CREATE TABLE ZTAG ( Z_PK INTEGER PRIMARY KEY,"))
    let entities = try Program.shell("coredata sql '\(store.path)'", input: ".entities")
    #expect(entities.output.contains("Checklist  Note"))
  }

  @Test func `a statement with U+0000 was run without the condition behind it`() throws {
    let store = try ToolStore()
    let outcome = try Program.shell(
      "coredata sql --write '\(store.path)'",
      input: "DELETE FROM ZTAG \0 WHERE Z_PK = 1"
    )
    #expect(outcome.status == 1)
    #expect(outcome.errors.contains("U+0000"))
    let count = "SELECT COUNT(*) AS tags FROM ZTAG"
    #expect(try Program.run("sql", "--csv", store.path, count).output == "tags\r\n2\r\n")
  }

  @Test func `what a column holds does not control the terminal`() throws {
    let store = try ToolStore()
    let outcome = try Program.run("sql", store.path, "SELECT ZTITLE FROM ZNOTE WHERE Z_PK = 2")
    #expect(outcome.output == "ZTITLE\none↵two ␛[2J␇\u{FFFD}end\n1 row\n")
  }
}
