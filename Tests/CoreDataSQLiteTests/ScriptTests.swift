import CoreDataSQL
import CoreDataSQLite
import Synchronization
import Testing

/// Several statements in one text, and statements that may not take long.
struct ScriptTests {
  @Test func `statements end at semicolons that stand outside of texts, comments and triggers`() {
    let trigger = "CREATE TRIGGER t AFTER INSERT ON a BEGIN SELECT 1; SELECT 2; END;"
    var script = Script("SELECT ';' /* ; */;-- ;\n\(trigger) SELECT 3")
    #expect(script.next() == "SELECT ';' /* ; */;")
    #expect(script.next() == "-- ;\n\(trigger)")
    #expect(script.next() == nil)
    #expect(script.rest == " SELECT 3")
  }

  @Test(arguments: ["", " \n;;", "-- all", "/* a */ -- b\n;", "/* without an end"])
  func `spaces and comments are nothing to run`(text: String) {
    #expect(Script.isBlank(text))
    #expect(!Script.isBlank("SELECT 1" + text))
  }

  @Test func `the place of a mistake is known`() throws {
    let connection = try Connection(path: ":memory:")
    #expect(throws: SQLiteError.self) { try connection.statement("SELECT nope") }
    #expect(connection.errorOffset == 7)
  }

  @Test func `what takes too long is stopped, and the connection goes on`() throws {
    let connection = try Connection(path: ":memory:")
    let endless: SQLFragment = """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT COUNT(*) FROM n
      """
    let count = try connection.within(.milliseconds(50)) { () throws(SQLiteError) in
      try connection.integer(endless)
    }
    #expect(count == nil)
    let quick = try connection.within(.seconds(60)) { () throws(SQLiteError) in
      try connection.integer("SELECT 41 + 1")
    }
    #expect(quick == 42)
  }

  @Test func `what nobody wants any more is stopped`() throws {
    let connection = try Connection(path: ":memory:")
    let asked = Atomic(0)
    let isWanted = { @Sendable in asked.add(1, ordering: .relaxed).newValue < 3 }
    let result: Void? = try connection.asLongAs(isWanted) { () throws(SQLiteError) in
      try connection.run(
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT COUNT(*) FROM n"
      )
    }
    #expect(result == nil)
    #expect(asked.load(ordering: .relaxed) == 3)
  }

  @Test func `a mistake within the time is still a mistake`() throws {
    let connection = try Connection(path: ":memory:")
    #expect(throws: SQLiteError.self) {
      try connection.within(.seconds(60)) { () throws(SQLiteError) in try connection.run("nope") }
    }
  }

  @Test func `a copy that is given up says so`() throws {
    let source = try Connection(path: ":memory:")
    try source.run("CREATE TABLE a AS SELECT zeroblob(1000000) AS b")
    let target = try Connection(path: ":memory:")
    var steps: [Int] = []
    let first = try target.copyEverything(from: source, pagesInStep: 1) { done, all in
      steps.append(all - done)
      return false
    }
    #expect(!first)
    #expect(steps.count == 1 && steps[0] > 0)
    let second = try target.copyEverything(from: source, pagesInStep: 100) { done, all in
      steps.append(all - done)
      return true
    }
    #expect(second)
    #expect(steps.count > 3 && steps.last == 0)
    #expect(try target.integer("SELECT length(b) FROM a") == 1_000_000)
  }
}
