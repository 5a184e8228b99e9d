import CoreDataSQL
import CoreDataSQLite
import Synchronization
import TestSupport
import Testing

@testable import CoreData

@Suite struct SQLLogTests {
  @Test func `level 1 tells statements, times and counts (82)`() throws {
    let lines = try lines(level: 1)
    #expect(
      lines == [
        "CoreData: sql: INSERT INTO \"ZNOTE\" (\"Z_PK\", \"ZTITLE\") VALUES (?1, ?2)",
        "CoreData: annotation: sql execution time: 0.0000s",
        "CoreData: sql: SELECT \"Z_PK\", \"ZTITLE\" FROM \"ZNOTE\" WHERE \"ZTITLE\" <> ?1",
        "CoreData: annotation: sql connection fetch time: 0.0000s",
        "CoreData: annotation: total fetch execution time: 0.0000s for 1 rows.",
      ]
    )
  }

  @Test func `level 2 tells bound values, and level 3 rows (82)`() throws {
    let bound = [
      "CoreData: details: SQLite bind[0] = (int64)1",
      "CoreData: details: SQLite bind[1] = \"O'Brien?\"",
      "CoreData: details: SQLite bind[0] = \"none\"",
    ]
    let row = "CoreData: details: SQLite row[0] = (1, \"O'Brien?\")"
    #expect(try lines(level: 2).filter { $0.contains("details") } == bound)
    #expect(try lines(level: 3).filter { $0.contains("details") } == bound + [row])
  }

  @Test func `level 4 tells how SQLite finds the rows (82)`() throws {
    let lines = try lines(level: 4)
    let place = try #require(lines.firstIndex { $0.contains("EXPLAIN QUERY PLAN SELECT") })
    #expect(lines[place + 1].hasPrefix("\t"))
    #expect(lines[place + 1].hasSuffix("SCAN ZNOTE"))
  }

  @Test func `a program tells its statements on standard error (82)`() async throws {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      setenv("COREDATA_SQL_DEBUG", "2", 1)
      try NotesStack(.sqlite).work { context in
        context.note("Quote")
        try context.save()
        let request = Note.fetchRequest()
        request.predicate = NSPredicate(format: "title == %@", "Quote")
        let found = try context.fetch(request)
        precondition(found.count == 1)
      }
      exit(0)
    }
    let words = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(words.contains("CoreData: sql: BEGIN IMMEDIATE\n"))
    #expect(words.contains("CoreData: sql: INSERT INTO \"ZNOTE\""))
    #expect(words.contains("CoreData: sql: COMMIT\n"))
    #expect(words.contains("CoreData: details: SQLite bind[0] = \"Quote\"\n"))
    #expect(words.contains(" for 1 rows.\n"))
  }

  /// The log of one insertion and one query, with times of zero.
  private func lines(level: Int) throws -> [String] {
    let connection = try Connection(path: ":memory:")
    try connection.run("CREATE TABLE \"ZNOTE\" (\"Z_PK\" INTEGER PRIMARY KEY, \"ZTITLE\" VARCHAR)")
    let told = Mutex("")
    SQLLog(level: level) { text in told.withLock { $0 += text } }.follow(connection)
    try connection.run(
      "INSERT INTO \"ZNOTE\" (\"Z_PK\", \"ZTITLE\") VALUES (\(.integer(1)), \(.text("O'Brien?")))"
    )
    let statement = try connection.statement(
      "SELECT \"Z_PK\", \"ZTITLE\" FROM \"ZNOTE\" WHERE \"ZTITLE\" <> \(.text("none"))"
    )
    #expect(try statement.step())
    #expect(statement.text(1) == "O'Brien?")
    #expect(try !statement.step())
    statement.reset()
    return told.withLock { $0 }.replacing(/\d+\.\d{4}s/, with: "0.0000s")
      .split(separator: "\n").map(String.init)
  }
}
