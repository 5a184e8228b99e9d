import CoreDataModel
import CoreDataSQLite
import Foundation
import TestSupport
import Testing

@testable import CoreData

/// `tags CONTAINS %@`, of a tag that few notes have and of one that most have.
struct MemberSearchTests {
  private static let model = ModelSchema.model(
    .entity(
      "Note",
      [.attribute("number", .integer64), .attribute("isDone", .boolean)],
      [.many("tags", "Tag", back: "notes")]
    ).with {
      $0.indexes = [FetchIndexSchema(name: "byNumber", elements: [.init(.property("number"))])]
    },
    .entity("Tag", [.text("label")], [.many("notes", "Note", back: "tags")])
  )

  /// 2,500 notes, every one with the tag "often" and every hundredth with the tag "rare".
  private func desk() throws -> WordStore {
    let store = try WordStore(.sqlite, .unasked, model: Self.model)
    try store.work { context throws in
      let tags = ["often", "rare"].map { label in
        let tag = NSEntityDescription.insertNewObject(forEntityName: "Tag", into: context)
        tag.setValue(label, forKey: "label")
        return tag
      }
      for number in 0..<2500 {
        let note = NSEntityDescription.insertNewObject(forEntityName: "Note", into: context)
        note.setValue(number, forKey: "number")
        note.setValue(number % 2 == 0, forKey: "isDone")
        note.setValue(Set(number % 100 == 0 ? tags : [tags[0]]), forKey: "tags")
      }
      try context.save()
    }
    return store
  }

  private func tag(_ label: String, in context: NSManagedObjectContext) throws -> NSManagedObject {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Tag")
    request.predicate = NSPredicate(format: "label == %@", label)
    return try #require(try context.fetch(request).first)
  }

  /// The first statement of a search for notes, and the numbers that it finds.
  private func search(
    _ format: String,
    _ label: String,
    in store: WordStore,
    limit: Int = 0
  ) throws -> (sql: String, numbers: [Int]) {
    try store.work { context throws in
      let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
      request.predicate = NSPredicate(format: format, try tag(label, in: context))
      request.sortDescriptors = [NSSortDescriptor(key: "number", ascending: true)]
      request.fetchLimit = limit
      var numbers: [Int] = []
      let log = StatementLog(store.coordinator)
      let statements = try log.during {
        numbers = try context.fetch(request).compactMap { $0.value(forKey: "number") as? Int }
      }
      return (statements.last { $0.contains("ZNUMBER") } ?? "", numbers)
    }
  }

  @Test func `each of many questions for tags was a subselect, and thousands took a second a row`()
    throws
  {
    let store = try desk()
    let labels = ["rare"] + (0..<300).map { "tag \($0)" }
    let questions =
      labels.map { NSPredicate(format: "ANY tags.label == %@", $0) }
      + [NSPredicate(format: "number == 7")]
    try store.work { context throws in
      let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
      request.predicate = NSCompoundPredicate(orPredicateWithSubpredicates: questions)
      var numbers: Set<Int> = []
      let log = StatementLog(store.coordinator)
      let statements = try log.during {
        numbers = Set(try context.fetch(request).compactMap { $0.value(forKey: "number") as? Int })
      }
      #expect(numbers == Set(stride(from: 0, to: 2500, by: 100)).union([7]))
      let sql = statements.last { $0.contains("ZNUMBER") } ?? ""
      #expect(sql.components(separatedBy: "SELECT").count < 10, "\(sql.prefix(2_000))")
    }
  }

  @Test func `thousands of values in an OR took a minute, because SQLite compares each with each`()
    throws
  {
    let store = try desk()
    let questions =
      (0..<5_000).map { NSPredicate(format: "number == %d", 7 * $0) }
      + [NSPredicate(format: "number == nil"), NSPredicate(format: "number > 2498")]
    try store.work { context throws in
      let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
      request.predicate = NSCompoundPredicate(orPredicateWithSubpredicates: questions)
      var numbers: Set<Int> = []
      let log = StatementLog(store.coordinator)
      let statements = try log.during {
        numbers = Set(try context.fetch(request).compactMap { $0.value(forKey: "number") as? Int })
      }
      #expect(numbers == Set(stride(from: 0, to: 2500, by: 7)).union([2499]))
      let sql = statements.last { $0.contains("ZNUMBER") } ?? ""
      #expect(sql.components(separatedBy: " OR ").count < 5, "\(sql.prefix(2_000))")
    }
  }

  @Test(arguments: ["tags CONTAINS %@", "%@ IN tags"])
  func `a tag that few notes have was asked of each note`(format: String) throws {
    let store = try desk()
    let rare = try search(format, "rare", in: store)
    #expect(rare.numbers == Array(stride(from: 0, to: 2500, by: 100)))
    #expect(
      rare.sql.contains(#"FROM "ZNOTE" "t0" NOT INDEXED WHERE "t0"."Z_PK" IN (SELECT "t1"."#),
      "\(rare.sql)"
    )
    // Along the order, the first that have it are soon found.
    let often = try search(format, "often", in: store, limit: 10)
    #expect(often.numbers == Array(0..<10))
    #expect(often.sql.contains("EXISTS (SELECT 1 FROM"), "\(often.sql)")
  }

  @Test(arguments: [
    ("tags CONTAINS %@ AND isDone == YES AND number > 500", 600),
    ("NOT tags CONTAINS %@ AND number < 102", 1),
    ("tags CONTAINS %@ OR number == 1", 0),
    ("tags CONTAINS %@ AND tags.@count == 2", 0),
  ])
  func `what few notes have is found as in memory`(format: String, first: Int) throws {
    let store = try desk()
    let expected = try store.work { context throws in
      let predicate = NSPredicate(format: format, try tag("rare", in: context))
      return try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Note"))
        .filter { predicate.evaluate(with: $0) }.compactMap { $0.value(forKey: "number") as? Int }
        .sorted()
    }
    #expect(expected.first == first)
    #expect(try search(format, "rare", in: store).numbers == expected)
    try store.work { context throws in
      let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
      request.predicate = NSPredicate(format: format, try tag("rare", in: context))
      #expect(try context.count(for: request) == expected.count)
    }
  }
}
