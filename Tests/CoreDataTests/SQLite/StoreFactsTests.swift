import CoreDataSQL
import CoreDataSQLite
import Foundation
import TestSupport
import Testing

@testable import CoreData

/// Tests of the facts in a store's file, without its model.
struct StoreFactsTests {
  /// Numbers from 1 to a hundred thousand but for every tenth, of two entities.
  private func table(_ ending: String = "") throws -> Connection {
    let connection = try Connection(path: ":memory:")
    try connection.run("CREATE TABLE ZNOTE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER )")
    try connection.run(
      """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000)
      INSERT INTO ZNOTE SELECT i, 3 + (i % 4 = 1) FROM n WHERE i % 10 <> 0
      """
    )
    return connection
  }

  @Test func `rows are counted where there is time`() throws {
    let connection = try table()
    let clock = CountingTime(.seconds(60))
    let counts = try RowCounter(table: "ZNOTE", hasSubentities: true).counts(on: connection, clock)
    #expect(counts[3] == .exact(65_000))
    #expect(counts[4] == .exact(25_000))
    #expect(counts[5] == nil && counts.nothing == .exact(0))
    let alone = try RowCounter(table: "ZNOTE", hasSubentities: false).counts(on: connection, clock)
    #expect(alone.sum == .exact(90_000))
  }

  @Test func `an estimate is near`() throws {
    let connection = try table()
    let counts = try RowCounter(table: "ZNOTE", hasSubentities: true).estimate(on: connection)
    #expect((62_000...68_000).contains(try #require(counts[3])), "\(counts)")
    #expect((22_000...28_000).contains(try #require(counts[4])), "\(counts)")
    try connection.run("DELETE FROM ZNOTE WHERE Z_PK > 5")
    let few = try RowCounter(table: "ZNOTE", hasSubentities: false).estimate(on: connection)
    #expect(few.values.allSatisfy { (0...100).contains($0) }, "\(few)")
    try connection.run("DELETE FROM ZNOTE")
    #expect(try RowCounter(table: "ZNOTE", hasSubentities: false).estimate(on: connection) == [:])
  }

  @Test func `entities, rows and pages are those of the file`() throws {
    let stack = try NotesStack(.sqlite)
    try stack.work { context in
      for title in ["a", "b"] { context.note(title) }
      Checklist(context: context).title = "c"
      context.folder("Home")
      try context.save()
    }
    let facts = try StoreFacts(at: try #require(stack.file), counting: .seconds(60))
    #expect(facts.entities.map(\.name) == ["Bin", "Folder", "Note", "Checklist", "Tag"])
    #expect(facts.entities.map(\.superNumber) == [0, 0, 0, 3, 0])
    #expect(facts.entities.map(\.count) == [0, 1, 2, 1, 0].map { .exact($0) })
    #expect(facts.database.journalMode == "wal")
    #expect(facts.database.pageSize == 4096 && facts.database.pageCount > 5)
    #expect(facts.history == nil && facts.cloudKitTables.isEmpty && facts.externalFiles == nil)
    #expect(facts.metadata[NSStoreTypeKey] as? String == NSSQLiteStoreType)
  }

  @Test func `history is told in numbers, in the older form and the newer`() throws {
    let stack = try NotesStack(.sqlite)
    let file = try #require(stack.file)
    let connection = try Connection(path: file.path)
    for statement in [
      "CREATE TABLE ACHANGE ( Z_PK INTEGER PRIMARY KEY, ZTRANSACTIONID INTEGER )",
      """
      CREATE TABLE ATRANSACTION ( Z_PK INTEGER PRIMARY KEY, ZAUTHORTS INTEGER, ZTIMESTAMP FLOAT, \
      ZAUTHOR VARCHAR )
      """,
      "INSERT INTO ATRANSACTION VALUES (1, NULL, 10, 'app'), (2, 1, 20.5, NULL), (3, 1, 15, NULL)",
      "INSERT INTO ACHANGE VALUES (1, 1), (2, 1), (3, 2), (4, 3)",
    ] { try connection.run(statement) }
    let older = try #require(try StoreFacts(at: file, counting: .seconds(60)).history)
    #expect(
      older.authors == [.init(name: nil, transactions: 2), .init(name: "app", transactions: 1)]
    )
    try connection.run(
      "CREATE TABLE ATRANSACTIONSTRING ( Z_PK INTEGER PRIMARY KEY, ZNAME VARCHAR )"
    )
    try connection.run("INSERT INTO ATRANSACTIONSTRING VALUES (1, 'widget')")
    try connection.run("CREATE TABLE ANSCKEVENT ( Z_PK INTEGER PRIMARY KEY )")
    let facts = try StoreFacts(at: file, counting: .seconds(60))
    let newer = try #require(facts.history)
    #expect(newer.authors?.map(\.name) == ["widget", "app"])
    #expect([newer.transactions, newer.changes] == [.exact(3), .exact(4)])
    #expect(newer.first == Date(timeIntervalSinceReferenceDate: 10))
    #expect(newer.last == Date(timeIntervalSinceReferenceDate: 20.5))
    #expect(facts.cloudKitTables == ["ANSCKEVENT"])
  }

  @Test func `records come one at a time, and a relationship's members too`() throws {
    let stack = try NotesStack(.sqlite)
    try stack.work { context in
      let home = context.folder("Home")
      for title in ["b", "a"] { context.note(title, in: home) }
      try context.save()
    }
    let layout = try #require(stack.coordinator.layout["Note"])
    let columns = [["title"], ["folder", "name"], ["tags", "@count"]]
      .compactMap { RecordColumn($0, from: layout) }
    #expect(columns.count == 3)
    #expect(RecordColumn(["tags", "name"], from: layout) == nil)
    #expect(RecordColumn(["scratch"], from: layout) == nil)
    let stream = try #require(RecordStream(columns, of: FetchPlan(layout), in: stack.coordinator))
    var found: [String] = []
    try stream.read { record in
      found.append(record.values.map { "\($0)" }.joined(separator: " "))
    }
    #expect(found.count == 2)
    #expect(found.allSatisfy { $0.contains("Home") })
    var members: [StoredKey] = []
    try stack.coordinator.forEachMember(of: StoredKey(entity: "Folder", primaryKey: 1), "notes") {
      members.append($0)
    }
    #expect(members.map(\.entity) == ["Note", "Note"])
    #expect(members.map(\.primaryKey).sorted() == [1, 2])
  }
}
