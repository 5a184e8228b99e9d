import CoreData
import TestSupport
import Testing

/// Queries in SQL, over two folders with three notes each.
@Suite struct SQLQueryTests {
  private let stack: NotesStack

  init() throws {
    stack = try NotesStack(.sqlite)
    try Self.fill(stack)
  }

  private static func fill(_ stack: NotesStack) throws {
    try stack.work { context in
      for name in ["Ideas", "Work"] {
        let folder = context.folder(name)
        for number in 1...3 {
          let note = context.note("\(name) \(number)", in: folder)
          note.stars = Int16(number)
          note.price = NSDecimalNumber(string: "\(number).5")
          note.created = Date(timeIntervalSinceReferenceDate: Double(number) * 1000)
          note.uuid = UUID(uuidString: "00000000-0000-0000-0000-00000000000\(number)")
        }
      }
      let checklist = Checklist(context: context)
      checklist.title = "Shopping"
      checklist.stars = 5
      let tag = context.tag("red")
      tag.notes = NSOrderedSet(
        array: try context.fetch(Note.fetchRequest()).filter { $0.stars == 3 }
          .sorted { ($0.title ?? "") > ($1.title ?? "") }
      )
      try context.save()
    }
  }

  private func values<Value: Decodable & Sendable>(
    _ query: SQLQuery,
    as type: Value.Type
  ) throws -> [Value] {
    try stack.work { try $0.values(of: query, as: type) }
  }

  /// The error of a query that must not run.
  private func refusal(_ query: SQLQuery) throws -> NSError {
    let log = StatementLog(stack.coordinator)
    let error = #expect(throws: NSError.self) { try values(query, as: Int.self) }
    #expect(log.statements.isEmpty)
    let refusal = try #require(error)
    #expect(refusal.code == NSPersistentStoreUnsupportedRequestTypeError)
    return refusal
  }

  // MARK: - Values

  private struct Place: Decodable, Equatable {
    let title: String
    let folder: String?
    let place: Int
  }

  @Test func `a window over a common table expression gives values by their names`() throws {
    let least = 2
    let query: SQLQuery = """
      WITH shelved AS (
        SELECT \(\Note.title) AS title, \(\Folder.name) AS folder, \(\Note.stars) AS stars
        FROM \(Note.self) LEFT JOIN \(Folder.self) ON \(\Note.folder) = \(\Folder.objectID)
        WHERE \(\Note.stars) >= \(least)
      )
      SELECT title, folder, RANK() OVER (PARTITION BY folder ORDER BY stars DESC) AS place
      FROM shelved ORDER BY folder, place
      """
    #expect(
      try values(query, as: Place.self) == [
        Place(title: "Shopping", folder: nil, place: 1),
        Place(title: "Ideas 3", folder: "Ideas", place: 1),
        Place(title: "Ideas 2", folder: "Ideas", place: 2),
        Place(title: "Work 3", folder: "Work", place: 1),
        Place(title: "Work 2", folder: "Work", place: 2),
      ]
    )
  }

  private struct Whole: Decodable, Equatable {
    let title: String
    let created: Date?
    let price: Decimal?
    let uuid: UUID?
    let isFavourite: Bool
    let rating: Double
  }

  @Test func `a column without AS has the name of its property, and each type its values`() throws {
    let query: SQLQuery = """
      SELECT \(\Note.title), \(\Note.created), \(\Note.price), \(\Note.uuid), \(\Note.isFavourite),
        \(\Note.rating)
      FROM \(Note.self) WHERE \(\Note.created) = \(Date(timeIntervalSinceReferenceDate: 2000))
        AND \(\Note.price) = \(Decimal(string: "2.5"))
        AND \(\Note.uuid) = \(UUID(uuidString: "00000000-0000-0000-0000-000000000002"))
        AND \(\Note.isFavourite) = \(false)
      ORDER BY 1 LIMIT 1
      """
    #expect(
      try values(query, as: Whole.self) == [
        Whole(
          title: "Ideas 2",
          created: Date(timeIntervalSinceReferenceDate: 2000),
          price: Decimal(string: "2.5"),
          uuid: UUID(uuidString: "00000000-0000-0000-0000-000000000002"),
          isFavourite: false,
          rating: 0
        )
      ]
    )
  }

  @Test func `a text is a value, whatever stands in it`() throws {
    let title = "x' OR 1 = 1 --"
    let query: SQLQuery = "SELECT COUNT(*) FROM \(Note.self) WHERE \(\Note.title) = \(title)"
    #expect(try values(query, as: Int.self) == [0])
    try stack.work { context in
      context.note(title)
      try context.save()
    }
    #expect(try values(query, as: Int.self) == [1])
  }

  @Test func `lists, queries in queries and identities are values too`() throws {
    let folder = try stack.work { context in
      try context.fetch(Folder.fetchRequest()).first { $0.name == "Work" }?.objectID
    }
    let few: SQLQuery = "\(\Note.stars) IN \([1, 3]) AND \(\Note.stars) NOT IN \([Int]())"
    let query: SQLQuery = """
      SELECT \(\Note.title) FROM \(Note.self) WHERE \(few) AND \(\Note.folder) = \(folder) ORDER BY 1
      """
    #expect(try values(query, as: String.self) == ["Work 1", "Work 3"])
  }

  @Test func `pairs of a relationship have owners, members and places`() throws {
    let query: SQLQuery = """
      SELECT \(\Note.title) FROM \(pairs: \TestSupport.Tag.notes, as: "p") JOIN \(Note.self)
      ON p.member = \(\Note.objectID) ORDER BY p.place
      """
    #expect(try values(query, as: String.self) == ["Work 3", "Ideas 3"])
    let sizes: SQLQuery = """
      SELECT COUNT(*) FROM \(pairs: "notes", of: "Folder", as: "p") GROUP BY p.owner ORDER BY p.owner
      """
    #expect(try values(sizes, as: Int.self) == [3, 3])
    let parents: SQLQuery = "SELECT COUNT(*) FROM \(pairs: \Folder.parent, as: "p")"
    #expect(try values(parents, as: Int.self) == [0])
  }

  @Test func `a table has the rows of its entity and those below it alone`() throws {
    let all: SQLQuery = "SELECT COUNT(*) FROM \(entity: "Note", as: "n")"
    let lists: SQLQuery = """
      SELECT \(property: "title", of: "Checklist", in: "c") FROM \(Checklist.self, as: "c")
      """
    #expect(try values(all, as: Int.self) == [7])
    #expect(try values(lists, as: String.self) == ["Shopping"])
  }

  @Test func `a row that is no value of the type is an error that names the column`() throws {
    struct Titled: Decodable { let name: String }
    let query: SQLQuery = "SELECT \(\Note.title) FROM \(Note.self)"
    let missing = #expect(throws: DecodingError.self) { try values(query, as: Titled.self) }
    #expect("\(missing as Any)".contains("its columns are title"))
    let wrong = #expect(throws: DecodingError.self) { try values(query, as: Int.self) }
    #expect("\(wrong as Any)".contains("'Ideas 1'"))
    let two: SQLQuery = "SELECT 1, 2"
    #expect(throws: DecodingError.self) { try values(two, as: Int.self) }
  }

  // MARK: - Objects

  @Test func `objects have their values after one statement, in the order of the query`() throws {
    let query: SQLQuery = """
      SELECT \(objects: Note.self), COUNT(*) OVER () FROM \(Note.self)
      WHERE \(\Note.stars) > 2 ORDER BY \(\Note.title) DESC
      """
    let log = StatementLog(stack.coordinator)
    let again = try stack.reopened()
    let found = try again.work { context in
      let log = StatementLog(again.coordinator)
      let notes = try context.objects(of: query, as: Note.self)
      return (notes.map { $0.title ?? "" }, notes.map { $0 is Checklist }, log.statements.count)
    }
    #expect(found.0 == ["Work 3", "Shopping", "Ideas 3"])
    #expect(found.1 == [false, true, false])
    #expect(found.2 == 1)
    #expect(log.statements.isEmpty)
  }

  @Test func `keys alone lead to the same objects, with one statement more`() throws {
    let query: SQLQuery = """
      SELECT \(\Note.objectID) FROM \(Note.self) WHERE \(\Note.stars) = 3 ORDER BY \(\Note.title)
      """
    let again = try stack.reopened()
    let statements = try again.work { context in
      let log = StatementLog(again.coordinator)
      let notes = try context.objects(of: query, as: Note.self)
      #expect(notes.map(\.title) == ["Ideas 3", "Work 3"])
      return log.statements.count
    }
    #expect(statements == 2)
  }

  /// Notes from something that has the name of their table and shows a made-up title.
  static let disguised: [SQLQuery] = [
    """
    SELECT \(objects: Note.self)
    FROM (SELECT 'made up' AS ZTITLE, n.* FROM \(Note.self, as: "n")) AS "Note"
    """,
    """
    WITH "Note" AS (SELECT 'made up' AS ZTITLE, n.* FROM \(Note.self, as: "n"))
    SELECT \(objects: Note.self) FROM "Note", (SELECT \(\Tag.objectID) FROM \(Tag.self))
    """,
    """
    WITH ZNOTE AS (SELECT 'made up' AS ZTITLE, n.* FROM main.ZNOTE AS n)
    SELECT \(objects: Note.self) FROM \(Note.self)
    """,
    """
    SELECT \(objects: Note.self) FROM \(Note.self) WHERE 0 UNION ALL SELECT \(objects: Note.self)
    FROM (SELECT 'made up' AS ZTITLE, n.* FROM \(Note.self, as: "n")) AS "Note"
    """,
    """
    WITH some AS (
      SELECT \(objects: Note.self)
      FROM (SELECT 'made up' AS ZTITLE, n.* FROM \(Note.self, as: "n")) AS "Note"
    )
    SELECT * FROM some -- FROM \(Note.self)
    """,
  ]

  @Test(arguments: disguised)
  func `what a subquery made up was in the cache of rows`(_ query: SQLQuery) throws {
    let again = try stack.reopened()
    let titles = try again.work { context in
      try context.objects(of: query, as: Note.self).map { $0.title ?? "" }
    }
    #expect(titles.count == 7)
    #expect(!titles.contains("made up"))
    let others = try again.work { context in
      let request = NSFetchRequest<NSManagedObjectID>(entityName: "Note")
      request.resultType = .managedObjectIDResultType
      return try context.fetch(request).map {
        (try context.existingObject(with: $0) as? Note)?.title ?? ""
      }
    }
    #expect(others.sorted() == titles.sorted())
  }

  @Test func `an object that the context knows is the same, with its unsaved changes`() throws {
    try stack.work { context in
      let note = try #require(try context.fetch(Note.fetchRequest()).first { $0.title == "Work 3" })
      note.title = "Changed"
      let query: SQLQuery = """
        SELECT \(objects: Note.self) FROM \(Note.self) WHERE \(\Note.title) = \("Work 3")
        """
      let found = try context.objects(of: query, as: Note.self)
      #expect(found.count == 1 && found[0] === note)
      #expect(found[0].title == "Changed")
      context.delete(note)
      #expect(try context.objects(of: query, as: Note.self).isEmpty)
    }
  }

  @Test func `a child gets objects with its parent's unsaved values`() throws {
    try stack.work { parent in
      let note = try #require(try parent.fetch(Note.fetchRequest()).first { $0.title == "Work 3" })
      note.title = "Changed"
      let child = NSManagedObjectContext(.privateQueue)
      child.parent = parent
      let query: SQLQuery = """
        SELECT \(objects: Note.self) FROM \(Note.self) WHERE \(\Note.title) = \("Work 3")
        """
      try child.performAndWait {
        let found = try child.objects(of: query, as: Note.self)
        #expect(found.map(\.title) == ["Changed"])
      }
    }
  }

  @Test func `a pinned context asks its moment`() throws {
    let query: SQLQuery = "SELECT COUNT(*) FROM \(Note.self)"
    try stack.work { context in
      try context.setQueryGenerationFrom(.current)
      #expect(try context.values(of: query, as: Int.self) == [7])
      try stack.work { other in
        other.note("Later")
        try other.save()
      }
      #expect(try context.values(of: query, as: Int.self) == [7])
    }
    #expect(try values(query, as: Int.self) == [8])
  }

  @Test func `columns that are no objects are refused`() throws {
    let titles: SQLQuery = "SELECT \(\Note.title), 1 FROM \(Note.self)"
    let notes: SQLQuery = "SELECT \(objects: Note.self) FROM \(Note.self)"
    let keys: SQLQuery = "SELECT \(\Note.folder) FROM \(Note.self)"
    try stack.work { context in
      for query in [titles, keys] {
        #expect(throws: NSError.self) { try context.objects(of: query, as: Note.self) }
      }
      #expect(throws: NSError.self) { try context.objects(of: notes, as: Folder.self) }
    }
  }
}

// MARK: - Refusals

extension SQLQueryTests {
  @Test func `what the model does not have is an error before anything runs`() throws {
    let entity = try refusal("SELECT 1 FROM \(entity: "Nothing")")
    #expect(entity.localizedFailureReason == "The model has no entity Nothing.")
    let property = try refusal("SELECT \(property: "titel", of: "Note") FROM \(Note.self)")
    #expect(property.localizedFailureReason == "Note has no property titel.")
    #expect(property.localizedRecoverySuggestion?.contains("title") == true)
    let many = try refusal("SELECT \(\Note.tags) FROM \(Note.self)")
    #expect(many.localizedRecoverySuggestion?.contains("pairs") == true)
    let beyond = try refusal("SELECT \(property: "folder.name", of: "Note") FROM \(Note.self)")
    #expect(beyond.localizedFailureReason?.contains("Note.folder") == true)
    _ = try refusal("SELECT \(\Note.scratch) FROM \(Note.self)")
    _ = try refusal("SELECT \(\Note.image) FROM \(Note.self)")
    _ = try refusal("SELECT 1 FROM \(pairs: \Note.title, as: "p")")
  }

  @Test func `what SQLite does not know is an error in its words`() throws {
    let error = try refusal("SELECT COUNT(*) FROM \(Note.self) WHERE titel = 1")
    #expect(error.localizedFailureReason?.contains("no such column: titel") == true)
    #expect(error.localizedFailureReason?.contains("ZNOTE") == true)
    _ = try refusal("SELECT COUNT(*) FROM \(Note.self) WHERE")
    _ = try refusal("SELECT COUNT(*) FROM \(Note.self, as: "n") WHERE \(\Note.stars) = 1")
  }

  @Test(
    arguments: [
      "DELETE FROM \(Note.self)", "SELECT 1; DELETE FROM ZNOTE", "PRAGMA user_version = 7",
      "ATTACH 'other.sqlite' AS other", "BEGIN", "VACUUM", "CREATE TABLE t (x)", "", "-- nothing",
      "INSERT INTO ZNOTE (Z_ENT) VALUES (1) RETURNING Z_PK", "SELECT 1; SELECT 2", "SELECT ?1",
      "WITH t AS (SELECT 1) UPDATE ZNOTE SET ZSTARS = 1", "SELECT load_extension('x')",
      "SELECT 1; nonsense", "DROP TABLE ZNOTE", "EXPLAIN DELETE FROM ZNOTE",
      "SELECT * FROM pragma_table_info('ZNOTE')", "SAVEPOINT a", "REINDEX", "ANALYZE",
    ] as [SQLQuery]
  )
  func `a query reads, and is one statement`(_ query: SQLQuery) throws {
    _ = try refusal(query)
    #expect(try values("SELECT COUNT(*) FROM \(Note.self)", as: Int.self) == [7])
  }

  @Test func `a comment and a semicolon at the end do no harm`() throws {
    #expect(try values("SELECT 1; -- one\n ; /* and no more */", as: Int.self) == [1])
  }

  @Test func `an object of another store, or an unsaved one, is no value`() throws {
    let other = try NotesStack(.sqlite)
    let stranger = try other.saved { $0.note("Stranger") }
    let unsaved = try stack.work { $0.note("Unsaved").objectID }
    for id in [stranger, unsaved] {
      _ = try refusal("SELECT 1 FROM \(Note.self) WHERE \(\Note.objectID) = \(id)")
    }
  }

  @Test(arguments: StoreKind.without(.statements))
  func `a store that is no database says what to use instead`(_ kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    let error = #expect(throws: NSError.self) {
      try stack.work { try $0.values(of: "SELECT 1 FROM \(Note.self)", as: Int.self) }
    }
    #expect(error?.code == NSPersistentStoreUnsupportedRequestTypeError)
    #expect(error?.localizedRecoverySuggestion?.contains("NSFetchRequest") == true)
  }

  @Test func `a store without a file answers, and is not changed either`() throws {
    let stack = try NotesStack(.sqliteInMemory)
    try Self.fill(stack)
    let count = { () throws -> [Int] in
      try stack.work { try $0.values(of: "SELECT COUNT(*) FROM \(Note.self)", as: Int.self) }
    }
    #expect(try count() == [7])
    for change: SQLQuery in ["DELETE FROM ZNOTE", "DELETE FROM ZNOTE RETURNING 1"] {
      #expect(throws: NSError.self) {
        try stack.work { try $0.values(of: change, as: Int.self) }
      }
    }
    #expect(try count() == [7])
  }

  @Test func `explain tells the plan, and which index is missing`() throws {
    let query: SQLQuery = """
      SELECT \(objects: Note.self) FROM \(Note.self) WHERE \(\Note.text) = \("x")
      ORDER BY \(\Note.created)
      """
    try stack.work { context in
      let log = StatementLog(stack.coordinator)
      let plan = try context.explain(query)
      #expect(plan.steps.map(\.detail) == ["SCAN Note", "USE TEMP B-TREE FOR ORDER BY"])
      #expect(
        plan.advice == [
          "Every row of Note is looked at. A fetch index on text would find the matching rows directly.",
          "The rows are sorted each time. A fetch index on created would have them in order.",
        ]
      )
      #expect(plan.description.contains(plan.sql))
      #expect(!plan.sql.contains("'x'"))
      #expect(log.statements.allSatisfy { $0.hasPrefix("EXPLAIN") })
      let found: SQLQuery = """
        SELECT \(objects: Note.self) FROM \(Note.self) WHERE \(\Note.folder) = 1
        """
      #expect(try context.explain(found).advice == [])
      #expect(throws: NSError.self) { try context.explain("DELETE FROM ZNOTE") }
    }
  }
}
