import CoreDataModel
import CoreDataSQL
import Foundation
import TestSupport
import Testing

@testable import CoreData

/// How the planner asks the index.
@Suite struct WordQueryTests {
  private static let keys =
    "SELECT rowid FROM \"COREDATA_ZNOTE_TEXT\" WHERE \"COREDATA_ZNOTE_TEXT\" MATCH"

  private func condition(_ sql: String) -> String {
    sql.components(separatedBy: " WHERE ").dropFirst().joined(separator: " WHERE ")
      .components(separatedBy: " ORDER BY ")[0]
  }

  /// A predicate, the condition in SQL, and the values in it.
  private struct Example {
    let format: String
    let condition: String
    let bindings: [String]

    init(_ format: String, _ condition: String, _ bindings: String...) {
      self.format = format
      self.condition = condition
      self.bindings = bindings
    }
  }

  private static let found = #""t0"."Z_PK" IN (KEYS ?1)"#

  private static let examples: [Example] = [
    Example("title CONTAINS[cdw] 'Crème'", found, #"{"ZTITLE"} : "creme"*"#),
    Example(
      "title CONTAINS[cdw] 'Crème brû' AND author == 'me'",
      found + #" AND "t0"."ZAUTHOR" = ?2"#,
      #"{"ZTITLE"} : ("creme"* AND "bru"*)"#,
      "me"
    ),
    Example(
      "title CONTAINS[cdw] 'tea' OR body CONTAINS[cdw] 'tea'",
      found,
      #"{"ZBODY" "ZTITLE"} : "tea"*"#
    ),
    Example(
      "(title CONTAINS[cdw] 'a' OR body CONTAINS[cdw] 'a') AND (title CONTAINS[cdw] 'b' OR "
        + "body CONTAINS[cdw] 'b')",
      found,
      #"({"ZBODY" "ZTITLE"} : "a"*) AND ({"ZBODY" "ZTITLE"} : "b"*)"#
    ),
    Example(
      "title CONTAINS[cdw] 'a b' OR body CONTAINS[cdw] 'c'",
      found,
      #"({"ZBODY"} : "c"*) OR ({"ZTITLE"} : ("a"* AND "b"*))"#
    ),
    Example(
      "NOT title CONTAINS[cdw] 'a'",
      #""t0"."Z_PK" NOT IN (KEYS ?1)"#,
      #"{"ZTITLE"} : "a"*"#
    ),
    Example(
      "title CONTAINS[cdw] 'a' AND NOT title CONTAINS[cdw] 'b'",
      found,
      #"({"ZTITLE"} : "a"*) NOT ({"ZTITLE"} : "b"*)"#
    ),
    Example(
      "(title CONTAINS[cdw] 'a' AND author == 'me') AND NOT body CONTAINS[cdw] 'b' "
        + "AND NOT body CONTAINS[cdw] 'c'",
      found + #" AND "t0"."ZAUTHOR" = ?2"#,
      #"({"ZTITLE"} : "a"*) NOT (({"ZBODY"} : "b"*) OR ({"ZBODY"} : "c"*))"#,
      "me"
    ),
    Example(
      "(title CONTAINS[cdw] 'a' AND NOT body CONTAINS[cdw] 'b') OR title CONTAINS[cdw] 'c'",
      found,
      #"({"ZTITLE"} : "c"*) OR (({"ZTITLE"} : "a"*) NOT ({"ZBODY"} : "b"*))"#
    ),
    Example(
      "title CONTAINS[cdw] '\" OR * NEAR(x) ZBODY:'",
      found,
      #"{"ZTITLE"} : ("or"* AND "near"* AND "x"* AND "zbody"*)"#
    ),
    Example("title CONTAINS[cdw] '\"Crème brû\"'", found, #"{"ZTITLE"} : "creme bru"*"#),
    Example(
      "title CONTAINS[cdw] 'tea \"of the\"' OR body CONTAINS[cdw] '\"of the\"'",
      found,
      #"({"ZBODY"} : "of the"*) OR ({"ZTITLE"} : ("tea"* AND "of the"*))"#
    ),
    Example(
      "title CONTAINS[cdw] '\"a b\"' OR body CONTAINS[cdw] '\"a b\"'",
      found,
      #"{"ZBODY" "ZTITLE"} : "a b"*"#
    ),
    Example("title CONTAINS[cdw] ' - '", #""t0"."ZTITLE" IS NOT NULL"#),
    Example("NOT title CONTAINS[cdw] ''", #""t0"."ZTITLE" IS NULL"#),
    Example("title CONTAINS[cw] 'a'", #"COREDATA_WORDS("t0"."ZTITLE", ?1, 65537)"#, "a"),
    Example("author CONTAINS[cdw] 'A'", #"COREDATA_WORDS("t0"."ZAUTHOR", ?1, 65539)"#, "A"),
    Example("plain CONTAINS[cdw] 'a'", #"COREDATA_WORDS("t0"."ZPLAIN", ?1, 65539)"#, "a"),
    Example(
      "folder.name CONTAINS[cdw] 'a'",
      #""t0"."ZFOLDER" IN (SELECT rowid FROM "COREDATA_ZFOLDER_TEXT" "#
        + #"WHERE "COREDATA_ZFOLDER_TEXT" MATCH ?1)"#,
      #""a"*"#
    ),
  ]

  @Test(arguments: examples.indices)
  func `a search is a question to the index`(number: Int) throws {
    let example = Self.examples[number]
    let explained = try WordStore().query(example.format)
    let condition = condition(explained.sql).replacing(Self.keys, with: "KEYS")
    #expect(condition == example.condition, "\(example.format)")
    #expect(explained.bindings == example.bindings.map(SQLValue.text), "\(example.format)")
  }

  @Test func `a count of a search looks at the index only`() throws {
    let store = try WordStore()
    let log = StatementLog(store.coordinator)
    let statements = try log.during {
      try store.work { context throws in
        let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
        request.predicate = NSPredicate(format: "title CONTAINS[cdw] 'a'")
        #expect(try context.count(for: request) == 0)
      }
    }
    #expect(statements.count == 1)
    #expect(statements.first?.contains("ZNOTE\" \"t0\"") == false, "\(statements)")
  }

  @Test func `a count of a search in what is not in the trash looked at every note`() throws {
    let store = try WordStore()
    let log = StatementLog(store.coordinator)
    try store.work { context throws in
      let objects = (0..<30).map { number -> [String: Any] in
        let note: [String: Any] = ["title": number % 2 == 0 ? "even" : "odd", "number": number]
        return number % 3 == 0 ? note.merging(["created": Date()]) { $1 } : note
      }
      try context.execute(NSBatchInsertRequest(entityName: "Note", objects: objects))
      let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
      request.predicate = NSPredicate(format: "created == nil AND title CONTAINS[cdw] 'even'")
      var count = 0
      let statements = try log.during { count = try context.count(for: request) }
      #expect(count == 10)
      #expect(statements.count == 1)
      #expect(statements.first?.contains("ZNOTE\" \"t0\"") == false, "\(statements)")
      // No index begins with the author.
      request.predicate = NSPredicate(format: "author == nil AND title CONTAINS[cdw] 'even'")
      #expect(try context.count(for: request) == 15)
    }
  }

  /// The first notes by date, of a word that most of them have.
  private func walking(_ word: String, by key: String, in store: WordStore) throws -> [String] {
    let explained = try store.query("title CONTAINS[cdw] '\(word)'") { plan in
      plan.sort = [SortTerm(keyPath: [key], ascending: false)]
      plan.limit = 60
    }
    return [explained.sql] + explained.plan.map(\.detail)
  }

  @Test func `a frequent word is asked of each row, along the order, and a rare one is not`()
    throws
  {
    let store = try WordStore()
    try store.work { context throws in
      let objects = (0..<3000).map { number -> [String: Any] in
        let title = number % 100 == 0 ? "rare and frequent" : "frequent"
        let created = Date(timeIntervalSinceReferenceDate: Double(number * 7919 % 3001))
        return ["title": title, "number": number, "created": created]
      }
      try context.execute(NSBatchInsertRequest(entityName: "Note", objects: objects))
    }
    let frequent = try walking("freq", by: "created", in: store)
    #expect(frequent[0].contains("COREDATA_FOUND(?1, ?2, \"t0\".\"Z_PK\")"))
    #expect(
      frequent.contains { $0.contains("SCAN t0 USING INDEX Z_Note_byCreated") },
      "\(frequent)"
    )
    let rare = try walking("rare", by: "created", in: store)
    #expect(rare[0].contains(#""t0" NOT INDEXED WHERE "t0"."Z_PK" IN ("#), "\(rare)")
    #expect(rare.contains { $0.contains("SEARCH t0 USING INTEGER PRIMARY KEY") }, "\(rare)")
    // Nothing to walk along, but every row is found.
    #expect(try walking("freq", by: "number", in: store)[0].contains("COREDATA_FOUND("))
    try store.work { context throws in
      let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
      request.predicate = NSPredicate(format: "title CONTAINS[cdw] 'freq'")
      request.sortDescriptors = [NSSortDescriptor(key: "created", ascending: false)]
      request.fetchLimit = 60
      let dates = try context.fetch(request).compactMap { $0.value(forKey: "created") as? Date }
      #expect(dates.count == 60)
      #expect(dates == dates.sorted(by: >))
      #expect(dates.first == Date(timeIntervalSinceReferenceDate: 3000))
    }
  }

  @Test func `an order behind what is the same in all rows is walked along, too`() throws {
    let model = ModelSchema.model(
      .entity(
        "Note",
        [
          .text("title").inSpotlight, .text("author"), .attribute("created", .date),
          .attribute("number", .integer64),
        ]
      ).with {
        let elements = ["author", "created"].map { FetchIndexSchema.Element(.property($0)) }
        $0.indexes = [FetchIndexSchema(name: "byAuthor", elements: elements)]
      }
    )
    let store = try WordStore(model: model)
    try store.work { context throws in
      let objects = (0..<11_000).map { number -> [String: Any] in
        ["title": number % 5 == 0 ? "often" : "ever", "number": number, "created": Date()]
      }
      try context.execute(NSBatchInsertRequest(entityName: "Note", objects: objects))
    }
    func explained(_ format: String) throws -> QueryExplanation {
      try store.query(format) { plan in
        plan.sort = [SortTerm(keyPath: ["created"], ascending: false)]
        plan.limit = 60
      }
    }
    let walked = try explained("author == nil AND title CONTAINS[cdw] 'often'")
    #expect(walked.sql.contains("COREDATA_FOUND("), "\(walked.sql)")
    #expect(walked.plan.contains { $0.detail.contains("USING INDEX Z_Note_byAuthor") })
    // Without the author there is no order in the index.
    #expect(try !explained("title CONTAINS[cdw] 'often'").sql.contains("COREDATA_FOUND("))
  }

  @Test(arguments: [
    "{'a', 'b'} CONTAINS[cdw] title", "folder.notes.title CONTAINS[cdw] 'a'",
    "number CONTAINS[cdw] 'a'",
  ]) func `what has no words is refused`(format: String) throws {
    let store = try WordStore()
    #expect(throws: (any Error).self) { try store.numbers(NSPredicate(format: format)) }
  }

  // MARK: - Words that many rows have

  /// 3,000 notes; "all" is in every one, "most" in nine of ten, "half" in every other.
  private func crowd() throws -> WordStore {
    let store = try WordStore()
    try store.work { context throws in
      let objects = (0..<3000).map { number -> [String: Any] in
        let words = ["all"] + (number % 10 > 0 ? ["most"] : []) + (number % 2 > 0 ? ["half"] : [])
        return [
          "title": words.joined(separator: " "), "number": number, "author": "\(number % 3)",
          "created": Date(timeIntervalSinceReferenceDate: Double(number * 7919 % 3001)),
        ]
      }
      try context.execute(NSBatchInsertRequest(entityName: "Note", objects: objects))
    }
    return store
  }

  @Test(arguments: [
    "title CONTAINS[cdw] 'most'", "NOT title CONTAINS[cdw] 'most'",
    "title CONTAINS[cdw] 'mo ha' AND author == '1'", "title CONTAINS[cdw] 'ha' OR number < 100",
    "title CONTAINS[cdw] 'all' AND NOT title CONTAINS[cdw] 'half'", "title CONTAINS[cdw] 'a'",
    "(title CONTAINS[cdw] 'ha' AND number >= 9) AND NOT (body CONTAINS[cdw] 'x' OR author == '2')",
  ])
  func `words that many rows have find what memory finds`(_ format: String) throws {
    try crowd().work { context throws in
      let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
      request.sortDescriptors = [NSSortDescriptor(key: "created", ascending: false)]
      let all = try context.fetch(request)
      let predicate = NSPredicate(format: format)
      let expected = all.filter { predicate.evaluate(with: $0) }.map(\.objectID)
      request.predicate = predicate
      #expect(try context.count(for: request) == expected.count)
      #expect(try context.fetch(request).map(\.objectID) == expected)
      (request.fetchOffset, request.fetchLimit) = (50, 60)
      #expect(try context.fetch(request).map(\.objectID) == Array(expected[50..<110]))
    }
  }

  @Test func `what was found is looked for again after every write`() throws {
    let store = try crowd()
    try store.work { context throws in
      let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
      request.predicate = NSPredicate(format: "title CONTAINS[cdw] 'most' AND number >= 0")
      #expect(try context.count(for: request) == 2700)
      #expect(try context.count(for: request) == 2700)
      let one = NSBatchUpdateRequest(entityName: "Note")
      one.predicate = NSPredicate(format: "number == 0")
      one.propertiesToUpdate = ["title": "most of all"]
      try context.execute(one)
      #expect(try context.count(for: request) == 2701)
      let many = NSFetchRequest<any NSFetchRequestResult>(entityName: "Note")
      many.predicate = NSPredicate(format: "number < 1000")
      try context.execute(NSBatchDeleteRequest(fetchRequest: many))
      #expect(try context.count(for: request) == 1800)
    }
  }
}
