import CoreData
import Foundation
import TestSupport
import Testing

@testable import CoreDataPostgreSQL

/// Queries in SQL, in the server's words.
@Suite(.enabled(if: PostgreSQLServer.isInstalled))
struct PostgreSQLQueryTests {
  private let stack: NotesStack
  private let url = PostgreSQLServer.shared.place()

  init() throws {
    stack = try NotesStack(type: NSPostgreSQLStoreType, at: url)
    let context = stack.context()
    try context.performAndWait {
      for name in ["Ideas", "Work"] {
        let folder = context.folder(name)
        for number in 1...3 {
          let note = context.note("\(name) \(number)", in: folder)
          note.stars = Int16(number)
          note.price = NSDecimalNumber(string: "\(number).5")
          note.uuid = UUID(uuidString: "00000000-0000-0000-0000-00000000000\(number)")
        }
      }
      let checklist = Checklist(context: context)
      checklist.title = "Shopping"
      try context.save()
    }
  }

  private struct Shelf: Decodable, Equatable {
    let folderName: String
    let notes: Int
    let worth: Double
  }

  /// The error of a query that is not answered.
  private func refusal(_ query: SQLQuery) throws -> NSError {
    let context = stack.context()
    let error = try #require(throws: NSError.self) {
      try context.performAndWait { _ = try context.values(of: query, as: Int.self) }
    }
    #expect(error.code == NSPersistentStoreUnsupportedRequestTypeError)
    return error
  }

  @Test func `a query gives values, by names in capital letters too`() throws {
    let query: SQLQuery = """
      SELECT \(\Folder.name) AS folderName, COUNT(*) AS notes, SUM(\(\Note.price)) AS worth
      FROM \(Note.self) JOIN \(Folder.self) ON \(\Note.folder) = \(\Folder.objectID)
      WHERE \(\Note.stars) IN \([2, 3]) GROUP BY 1 ORDER BY 1
      """
    let context = stack.context()
    let shelves = try context.performAndWait { try context.values(of: query, as: Shelf.self) }
    #expect(
      shelves == [
        Shelf(folderName: "Ideas", notes: 2, worth: 6),
        Shelf(folderName: "Work", notes: 2, worth: 6),
      ]
    )
  }

  @Test func `a query gives objects with their values, of an entity and of those below it`() throws
  {
    let query: SQLQuery = """
      SELECT \(objects: Note.self) FROM \(Note.self) WHERE \(\Note.stars) = 3 ORDER BY \(\Note.title)
      """
    let lists: SQLQuery = "SELECT \(\Checklist.objectID) FROM \(Checklist.self)"
    let context = stack.context()
    try context.performAndWait {
      let notes = try context.objects(of: query, as: Note.self)
      #expect(notes.map(\.title) == ["Ideas 3", "Work 3"])
      #expect(notes.first?.price == NSDecimalNumber(string: "3.5"))
      #expect(notes.first?.folder?.name == "Ideas")
      #expect(try context.objects(of: lists, as: Checklist.self).map(\.title) == ["Shopping"])
    }
  }

  @Test func `a query sees the rows of its zone, and names no table of all of them`() throws {
    let query: SQLQuery = "SELECT COUNT(*) FROM \(Note.self)"
    let other = try NotesStack(
      type: NSPostgreSQLStoreType,
      at: url,
      options: [NSPostgreSQLZoneOption: "other"]
    )
    let context = other.context()
    #expect(try context.performAndWait { try context.values(of: query, as: Int.self) } == [0])
    let refused = try refusal("SELECT COUNT(*) FROM \"ZNOTE\"")
    #expect(refused.localizedFailureReason?.contains("rows of all zones") == true)
  }

  @Test func `a query reached the rows of all zones by names that it did not spell out`() throws {
    let queries: [(SQLQuery, String)] = [
      ("SELECT COUNT(*) FROM U&\"\\005ANOTE\"", "U&"),
      ("SELECT COUNT(*) FROM u&\"Z\\004EOTE\"", "U&"),
      ("SELECT query_to_xml('SELECT * FROM \"ZNO' || 'TE\"', true, true, '')", "query_to_xml"),
      ("SELECT \"schema_to_xml\"('public', true, true, '')", "schema_to_xml"),
      (
        "SELECT COUNT(*) FROM ts_stat('SELECT to_tsvector(\"ZTITLE\") FROM \"ZNO' || 'TE\"')",
        "ts_stat"
      ),
    ]
    for (query, name) in queries {
      let refused = try refusal(query)
      #expect(refused.localizedFailureReason?.contains("uses \(name), which may read") == true)
    }
  }

  @Test func `a query that would write is refused, and so is one with a mistake`() throws {
    let written = try refusal(
      "WITH gone AS (DELETE FROM pg_description RETURNING 1) SELECT COUNT(*) FROM \(Note.self), gone"
    )
    #expect(written.localizedFailureReason?.contains("queries only read") == true)
    let several = try refusal("SELECT COUNT(*) FROM \(Note.self); SELECT 1")
    #expect(several.localizedFailureReason?.contains("The server says") == true)
    let unknown = try refusal("SELECT nope FROM \(Note.self)")
    #expect(unknown.localizedFailureReason?.contains("nope") == true)
  }

  @Test func `a query with U+0000 was run without what stands behind it`() throws {
    let query: SQLQuery = "SELECT COUNT(*) FROM \(Note.self) \0 WHERE \(\Note.stars) = 3"
    let context = stack.context()
    let error = try #require(throws: NSError.self) {
      try context.performAndWait { _ = try context.values(of: query, as: Int.self) }
    }
    #expect(error.localizedFailureReason?.contains("U+0000") == true)
  }

  @Test func `a pinned context asks the moment that it is pinned to`() throws {
    let query: SQLQuery = "SELECT COUNT(*) FROM \(Note.self)"
    let context = stack.context()
    try context.performAndWait {
      try context.setQueryGenerationFrom(.current)
      let before = try context.values(of: query, as: Int.self)
      let writer = stack.context()
      try writer.performAndWait {
        writer.note("new")
        try writer.save()
      }
      #expect(try context.values(of: query, as: Int.self) == before)
    }
  }

  @Test func `a query is explained by the server's plan`() throws {
    let query: SQLQuery = "SELECT COUNT(*) FROM \(Note.self) WHERE \(\Note.title) = \("Ideas 1")"
    let context = stack.context()
    let plan = try context.performAndWait { try context.explain(query) }
    #expect("\(plan)".contains("ZNOTE"))
  }
}
