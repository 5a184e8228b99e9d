import CoreDataModel
import CoreDataSQL
import CoreDataSQLite
import Foundation
import TestSupport
import Testing

@testable import CoreData

/// Searches without regard to case and diacritics look at the derived column, and find the same.
@Suite struct CanonicalSearchTests {
  private static let model: ModelSchema = {
    var note = EntitySchema.entity(
      "Note",
      [.text("title"), .derived("searchTitle", .string, from: "canonical:(title)")],
      [.one("next", "Note")]
    )
    note.indexes = [
      FetchIndexSchema(
        name: "bySearchTitle",
        elements: [FetchIndexSchema.Element(.property("searchTitle"))]
      )
    ]
    return .model(note, .entity("Memo", below: "Note"))
  }()

  private static let texts: [String?] =
    DifferentialValues.texts + [
      nil, "Crème brûlée", "CRÈME BRULEE", "Creme", "e\u{301}clair", "éclair", "ÉCLAIR", "ß", "ẞ",
      "Ǆ", "ǆ", "Ω", "ω", "ς", "Σ", "ſ", "ﬀ", "％", "Ａ", "한국어", "नमस्ते", "שָׁלוֹם", "%_",
    ]

  private func stack(_ kind: StoreKind, file: URL? = nil) throws -> ModelStack {
    let stack = try ModelStack(Self.model, kind, file: file)
    try stack.work { context in
      for (number, text) in Self.texts.enumerated() {
        _ = context.new(number % 3 == 0 ? "Memo" : "Note", ["title": text ?? NSNull()])
        try context.save()
      }
    }
    return stack
  }

  private func query(_ format: String, in stack: ModelStack) throws -> QueryExplanation {
    var plan = FetchPlan(try #require(stack.coordinator.layout["Note"]))
    plan.predicate = NSPredicate(format: format).tree
    return try QueryExplanation(plan, in: stack.coordinator)
  }

  @Test(arguments: [
    ("title == [cd] 'Café'", "\"t0\".\"ZSEARCHTITLE\" = ?1", "cafe"),
    ("title CONTAINS[cd] 'Fé'", "COREDATA_CONTAINS(\"t0\".\"ZSEARCHTITLE\", ?1, 0)", "fe"),
    ("title ENDSWITH[cd] 'É'", "COREDATA_ENDSWITH(\"t0\".\"ZSEARCHTITLE\", ?1, 0)", "e"),
    ("title LIKE[cd] 'C*É'", "COREDATA_LIKE(\"t0\".\"ZSEARCHTITLE\", ?1, 0)", "c*e"),
    ("title BEGINSWITH[cd] 'Ca'", "\"t0\".\"ZSEARCHTITLE\" >= ?1", "ca"),
    ("title CONTAINS[c] 'Fé'", "COREDATA_CONTAINS(\"t0\".\"ZTITLE\", ?1, 1)", "fé"),
    ("title MATCHES[cd] 'C.*É'", "COREDATA_MATCHES(\"t0\".\"ZTITLE\", ?1, 3)", "C.*É"),
  ]) func `the derived column stands in the query`(
    format: String,
    condition: String,
    constant: String
  ) throws {
    let stack = try stack(.sqlite)
    let explained = try query(format, in: stack)
    #expect(explained.sql.contains(condition), "\(explained.sql)")
    #expect(explained.bindings.contains(.text(constant)), "\(explained.bindings)")
  }

  @Test(arguments: ["title == [cd] 'Café'", "title BEGINSWITH[cd] 'Ca'"])
  func `an index of the derived column serves`(_ format: String) throws {
    let plan = try query(format, in: try stack(.sqlite)).plan
    #expect(plan.contains { $0.detail.contains("Z_Note_bySearchTitle") }, "\(plan)")
  }

  @Test func `every search finds what memory finds`() throws {
    let (memory, sqlite) = (try stack(.memory), try stack(.sqlite))
    let formats = [
      "title == [cd] %@", "title != [cd] %@", "title CONTAINS[cd] %@", "title BEGINSWITH[cd] %@",
      "title ENDSWITH[cd] %@", "title LIKE[cd] %@", "title IN[cd] %@", "NOT title CONTAINS[cd] %@",
      "next.title == [cd] %@",
    ]
    let constants = Self.texts.compactMap { $0 } + ["E", "é", "re", "c*", "?a*", "S", "ss", "Ω"]
    for format in formats {
      for constant in constants {
        let argument: Any = format.contains("IN[") ? [constant, "TEA"] : constant
        func found(_ stack: ModelStack) throws -> [String] {
          try stack.work { context in
            let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
            request.predicate = NSPredicate(format: format, argumentArray: [argument])
            return try context.fetch(request)
              .map { $0.objectID.uriRepresentation().lastPathComponent }
              .sorted()
          }
        }
        #expect(try found(sqlite) == found(memory), "\(format) with \(constant)")
      }
    }
  }

  @Test func `a column that another program has left behind is not looked at`() throws {
    let file = try #require(try stack(.sqlite).file)
    let connection = try Connection(path: file.path, mode: .readWrite)
    try connection.run("UPDATE ZNOTE SET ZTITLE = 'Zürich' WHERE ZTITLE = 'Café'")
    let stack = try ModelStack(Self.model, file: file)
    try stack.work { context in
      #expect(try context.all("Note", where: "title == [cd] 'zurich'").count == 1)
      let titles = try context.all("Note", where: "title == [cd] 'CAFÉ'").map {
        $0.textValue("title")
      }
      #expect(titles == ["cafe"])
    }
    let explained = try query("title == [cd] 'zurich'", in: stack)
    #expect(explained.sql.contains("COREDATA_FOLDED"))
  }

  @Test func `the first search that named the derived attribute itself read every row`() throws {
    let file = try #require(try stack(.sqlite).file)
    let stack = try ModelStack(Self.model, file: file)
    let log = StatementLog(stack.coordinator)
    try stack.work { context in
      var found: [Int] = []
      let named = try log.during {
        found.append(try context.all("Note", where: "searchTitle BEGINSWITH 'cre'").count)
      }
      #expect(named.count == 1, "\(named)")
      let folded = try log.during {
        found.append(try context.all("Note", where: "title BEGINSWITH[cd] 'Cre'").count)
      }
      #expect(folded.count == 2, "\(folded)")
      #expect(folded.first?.contains("IS NOT COREDATA_FOLDED") == true)
      #expect(found == [3, 3])
    }
  }
}
