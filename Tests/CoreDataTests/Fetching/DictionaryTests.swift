import Foundation
import TestSupport
import Testing

import class CoreData.NSExpression

@testable import CoreData

/// Dictionaries, which come from the store as they are.
@Suite struct DictionaryTests {
  private func filled(_ kind: StoreKind) throws -> NotesStack {
    let stack = try NotesStack(kind)
    try stack.work { context throws in
      let folders = ["Home", "Work", "Empty"].map { context.folder($0) }
      for number in 0..<6 {
        let note = context.note("note \(number)", in: number == 5 ? nil : folders[number % 2])
        note.stars = Int16(number % 3)
        note.views = number == 2 ? nil : NSNumber(value: number * 10)
        note.rating = Double(number) / 2
        note.price = NSDecimalNumber(decimal: Decimal(number) / 4)
        note.created = Date(timeIntervalSinceReferenceDate: Double(number) * 100)
        note.isFavourite = number > 3
        note.uuid = DifferentialValues.code(number)
        note.link = number == 1 ? DifferentialValues.links[0] : nil
        note.image = number == 1 ? Data([1, 2]) : nil
        note.keywords = number == 1 ? ["a", "b"] : nil
      }
      try context.save()
    }
    return stack
  }

  private func request(_ entity: String, _ properties: Any...) -> NSFetchRequest<NSDictionary> {
    let request = NSFetchRequest<NSDictionary>(entityName: entity)
    request.resultType = .dictionaryResultType
    request.propertiesToFetch = properties
    return request
  }

  private func computed(
    _ name: String,
    _ format: String,
    _ type: NSAttributeType = .undefinedAttributeType
  ) -> NSExpressionDescription {
    let description = NSExpressionDescription()
    description.name = name
    description.expression = NSExpression(format: format)
    description.expressionResultType = type
    return description
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `grouping with an aggregate of a to-many relationship stopped the program`(
    kind: StoreKind
  )
    throws
  {
    try filled(kind).work { context throws in
      let other = context.folder("Home")
      context.note("note 9", in: other).stars = 5
      try context.save()
      let request = request(
        "Folder",
        "name",
        computed("count", "count:(notes)", .integer64AttributeType),
        computed("titles", "count:(notes.title)", .integer64AttributeType),
        computed("same", "notes.@count", .integer64AttributeType),
        computed("stars", "sum:(notes.stars)", .integer64AttributeType),
        computed("first", "min:(notes.title)", .stringAttributeType),
        computed("last", "max:(notes.title)", .stringAttributeType),
        computed("most", "max:(notes.@count)", .integer64AttributeType)
      )
      request.propertiesToGroupBy = ["name"]
      request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
      let lines = try context.fetch(request).map { record in
        ["name", "count", "titles", "same", "stars", "first", "last", "most"]
          .map { record[$0].map { "\($0)" } ?? "-" }.joined(separator: " ")
      }
      #expect(
        lines == [
          "Empty 0 0 0 0 - - 0", "Home 4 4 4 8 note 0 note 9 3",
          "Work 2 2 2 1 note 1 note 3 2",
        ]
      )
      let count = NSExpression(forVariable: "count")
      request.havingPredicate = NSComparisonPredicate(
        leftExpression: count,
        rightExpression: NSExpression(forConstantValue: 3),
        modifier: .direct,
        type: .greaterThan
      )
      #expect(try context.fetch(request).map { $0["name"] as? String } == ["Home"])
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `values come in the types of their attributes, and nil not at all (61)`(
    kind: StoreKind
  )
    throws
  {
    try filled(kind).work { context throws in
      let request = NSFetchRequest<NSDictionary>(entityName: "Note")
      request.resultType = .dictionaryResultType
      request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
      let found = try context.fetch(request)
      let one = try #require(found[1] as? [String: Any])
      #expect(one["title"] as? String == "note 1")
      #expect(one["stars"] as? Int16 == 1)
      #expect(one["views"] as? NSNumber == 10)
      #expect(one["rating"] as? Double == 0.5)
      #expect(one["price"] as? NSDecimalNumber == NSDecimalNumber(string: "0.25"))
      #expect(one["created"] as? Date == Date(timeIntervalSinceReferenceDate: 100))
      #expect(one["isFavourite"] as? Bool == false)
      #expect(one["uuid"] as? UUID == DifferentialValues.code(1))
      #expect(one["link"] as? URL == DifferentialValues.links[0])
      #expect(one["image"] as? Data == Data([1, 2]))
      #expect(one["keywords"] as? [String] == ["a", "b"])
      #expect(one["folder"] == nil)
      #expect(one["scratch"] == nil)
      #expect(found[2]["views"] == nil)
      #expect(found[2]["link"] == nil)
      #expect(context.registeredObjects.isEmpty)
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `key paths lead through to-one relationships, which come as identities`(
    kind: StoreKind
  )
    throws
  {
    try filled(kind).work { context throws in
      let request = request("Note", "title", "folder.name", "folder", computed("id", "SELF"))
      request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: false)]
      let found = try context.fetch(request)
      #expect(
        found.map { $0["folder.name"] as? String } == [nil, "Home", "Work", "Home", "Work", "Home"]
      )
      let folder = try #require(found[1]["folder"] as? NSManagedObjectID)
      #expect(context.find(folder, as: Folder.self).name == "Home")
      let note = try #require(found[1]["id"] as? NSManagedObjectID)
      #expect(context.find(note).title == "note 4")
      #expect(found[0]["folder"] == nil)
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `expressions compute with each row`(kind: StoreKind) throws {
    try filled(kind).work { context throws in
      let request = request(
        "Folder",
        "name",
        computed("count", "notes.@count", .integer32AttributeType),
        computed("stars", "notes.@sum.stars * 2", .integer64AttributeType),
        computed("loud", "uppercase:(name)", .stringAttributeType),
        computed("last", "max:(notes.created)", .dateAttributeType),
        computed("one", "1")
      )
      request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
      let found = try context.fetch(request)
      #expect(found.map { $0["count"] as? Int32 } == [0, 3, 2])
      #expect(found.map { $0["stars"] as? Int64 } == [0, 6, 2])
      #expect(found.map { $0["loud"] as? String } == ["EMPTY", "HOME", "WORK"])
      #expect(found.map { $0["one"] as? Int } == [1, 1, 1])
      #expect(
        found.map { ($0["last"] as? Date)?.timeIntervalSinceReferenceDate } == [nil, 400, 300]
      )
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `aggregates are one dictionary for all rows`(kind: StoreKind) throws {
    try filled(kind).work { context throws in
      let request = request(
        "Note",
        computed("sum", "sum:(views)", .integer64AttributeType),
        computed("average", "average:(views)", .doubleAttributeType),
        computed("least", "@min.created"),
        computed("most", "max:(title)"),
        computed("all", "@count"),
        computed("known", "count:(views)"),
        computed("price", "sum:(price)", .decimalAttributeType),
        computed("spread", "max:(stars) - min:(stars)", .integer16AttributeType)
      )
      let found = try #require(try context.fetch(request).first)
      #expect(found["sum"] as? Int64 == 130)
      #expect(found["average"] as? Double == 26)
      #expect(found["least"] as? Date == Date(timeIntervalSinceReferenceDate: 0))
      #expect(found["most"] as? String == "note 5")
      #expect(found["all"] as? Int == 6)
      #expect(found["known"] as? Int == 5)
      #expect(found["price"] as? NSDecimalNumber == NSDecimalNumber(string: "3.75"))
      #expect(found["spread"] as? Int == 2)
      request.predicate = NSPredicate(format: "stars > 100")
      let none = try #require(try context.fetch(request).first)
      #expect(none["sum"] as? Int == 0)
      #expect(none["all"] as? Int == 0)
      #expect(none["average"] == nil)
      #expect(none["most"] == nil)
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `a sum of texts, dates or UUIDs was refused`(kind: StoreKind) throws {
    try NotesStack(kind).work { context throws in
      let folder = context.folder("F")
      for title in ["12", " 3.5 apples", "-1e1x", "none", "+.25", "0x10", "4.", "5e", "٣", nil] {
        let note = context.note("", in: folder)
        note.title = title
        note.created = Date(timeIntervalSinceReferenceDate: 2)
        note.link = URL(string: "note:1")
        note.uuid = UUID()
      }
      try context.save()
      let request = request(
        "Note",
        computed("sum", "sum:(title)", .doubleAttributeType),
        computed("average", "average:(title)", .doubleAttributeType),
        computed("dates", "sum:(created)", .doubleAttributeType),
        computed("links", "average:(link)", .doubleAttributeType),
        computed("codes", "sum:(uuid)", .doubleAttributeType)
      )
      let found = try #require(try context.fetch(request).first)
      #expect(found["sum"] as? Double == 14.75)
      #expect(found["average"] as? Double == 14.75 / 9)
      #expect(found["dates"] as? Double == 20)
      #expect(found["links"] as? Double == 0)
      #expect(found["codes"] as? Double == 0)
      let folders = NSFetchRequest<Folder>(entityName: "Folder")
      for format in [
        "notes.@sum.title == 14.75", "sum:(notes.title) == 14.75", "notes.@avg.title > 1.6",
      ] {
        folders.predicate = NSPredicate(format: format)
        #expect(try context.fetch(folders) == [folder], "\(format)")
        #expect(folders.predicate?.evaluate(with: folder) == true, "\(format)")
      }
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `rows are grouped, and groups are chosen (64)`(kind: StoreKind) throws {
    try filled(kind).work { context throws in
      let request = request(
        "Note",
        "folder.name",
        computed("total", "sum:(views)", .integer64AttributeType),
        computed("size", "count:(SELF)", .integer64AttributeType)
      )
      request.propertiesToGroupBy = ["folder.name"]
      func lines() throws -> [String] {
        try context.fetch(request).map { found in
          "\(found["folder.name"] ?? "-") \(found["total"] ?? "-") \(found["size"] ?? "-")"
        }
      }
      #expect(try lines() == ["- 50 1", "Home 40 3", "Work 40 2"])
      #expect(try context.count(for: request) == 3)
      request.sortDescriptors = [NSSortDescriptor(key: "folder.name", ascending: false)]
      #expect(try lines() == ["Work 40 2", "Home 40 3", "- 50 1"])
      request.havingPredicate = NSPredicate(format: "count:(SELF) > 1 AND $total > 10")
      #expect(try lines() == ["Work 40 2", "Home 40 3"])
      request.fetchLimit = 1
      request.fetchOffset = 1
      #expect(try lines() == ["Home 40 3"])
      request.havingPredicate = NSPredicate(format: "$size == 7")
      #expect(try lines().isEmpty)
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `equal dictionaries come once (65)`(kind: StoreKind) throws {
    try filled(kind).work { context throws in
      let request = request("Note", "stars")
      #expect(try context.fetch(request).count == 6)
      request.returnsDistinctResults = true
      #expect(try context.fetch(request).map { $0["stars"] as? Int } == [0, 1, 2])
      #expect(try context.count(for: request) == 3)
      request.sortDescriptors = [NSSortDescriptor(key: "stars", ascending: false)]
      request.fetchLimit = 2
      #expect(try context.fetch(request).map { $0["stars"] as? Int } == [2, 1])
      let whole = NSFetchRequest<Note>(entityName: "Note")
      whole.returnsDistinctResults = true
      #expect(try context.fetch(whole).count == 6)
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `an empty list of properties was no list in SQL`(kind: StoreKind) throws {
    try filled(kind).work { context throws in
      let request = request("Note", "title")
      request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
      request.propertiesToFetch = []
      request.propertiesToGroupBy = []
      request.returnsDistinctResults = true
      let found = try context.fetch(request)
      #expect(found.map { $0["stars"] as? Int } == [0, 1, 2, 0, 1, 2])
      #expect(found[1]["keywords"] as? [String] == ["a", "b"])
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `dictionaries with different transformed values were one in memory (65)`(
    kind: StoreKind
  ) throws {
    try filled(kind).work { context throws in
      let note = try #require(try context.fetch(Note.fetchRequest()).first { $0.title == "note 2" })
      note.keywords = ["c"]
      try context.save()
      let request = request("Note", "keywords")
      request.returnsDistinctResults = true
      let found = try context.fetch(request).map { $0["keywords"] as? [String] ?? [] }
      #expect(Set(found) == [[], ["a", "b"], ["c"]])
      #expect(found.count == 3)
    }
  }

  @Test(arguments: StoreKind.onServersToo(.everyRequest, .numberedKeys), ["self", "objectID"])
  func `distinct dictionaries in the order of their objects were refused in memory (65)`(
    kind: StoreKind,
    key: String
  ) throws {
    try filled(kind).work { context throws in
      let request = request("Note", "stars")
      request.returnsDistinctResults = true
      request.sortDescriptors = [NSSortDescriptor(key: key, ascending: false)]
      #expect(try context.fetch(request).map { $0["stars"] as? Int } == [2, 1, 0])
    }
  }

  @Test(arguments: StoreKind.onServersToo(.everyRequest))
  func `distinct dictionaries in the order of something else failed on a server (65)`(
    kind: StoreKind
  ) throws {
    try filled(kind).work { context throws in
      let request = request("Note", "stars")
      request.returnsDistinctResults = true
      request.sortDescriptors = [NSSortDescriptor(key: "created", ascending: false)]
      #expect(try context.fetch(request).map { $0["stars"] as? Int } == [2, 1, 0])
      request.propertiesToFetch = ["title"]
      request.sortDescriptors = [
        NSSortDescriptor(
          key: "title",
          ascending: false,
          selector: Selector("localizedStandardCompare:")
        )
      ]
      request.fetchLimit = 2
      #expect(try context.fetch(request).map { $0["title"] as? String } == ["note 5", "note 4"])
    }
  }

  @Test(arguments: StoreKind.onServersToo(.everyRequest))
  func `computed dictionaries could not be distinct, or groups, on a server (64, 65)`(
    kind: StoreKind
  ) throws {
    try filled(kind).work { context throws in
      let twice = computed("twice", "stars * 2", .integer64AttributeType)
      let request = request("Note", twice)
      request.returnsDistinctResults = true
      #expect(try context.fetch(request).map { $0["twice"] as? Int } == [0, 2, 4])
      let count = computed("count", "count:(SELF)", .integer64AttributeType)
      request.propertiesToFetch = [twice, count]
      request.propertiesToGroupBy = [twice]
      request.returnsDistinctResults = false
      #expect(try context.fetch(request).map { $0["twice"] as? Int } == [0, 2, 4])
      #expect(try context.fetch(request).map { $0["count"] as? Int } == [2, 2, 2])
    }
  }

  @Test(arguments: StoreKind.onServersToo(.everyRequest))
  func `groups by an object that may be of a subentity failed on a server (64)`(
    kind: StoreKind
  ) throws {
    try filled(kind).work { context throws in
      let list = Checklist(context: context)
      list.title = "list"
      context.folder("Covered").cover = list
      try context.save()
      let count = computed("count", "count:(SELF)", .integer64AttributeType)
      let request = request("Folder", "cover", count)
      request.propertiesToGroupBy = ["cover"]
      let groups = try context.fetch(request)
      #expect(groups.map { $0["count"] as? Int } == [3, 1])
      #expect(groups.map { $0["cover"] as? NSManagedObjectID } == [nil, list.objectID])
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `dictionaries do not see unsaved changes (61)`(kind: StoreKind) throws {
    try filled(kind).work { context throws in
      context.note("unsaved")
      for note in try context.fetch(Note.fetchRequest()) { note.stars = 5 }
      let request = request("Note", "stars")
      #expect(try context.fetch(request).compactMap { $0["stars"] as? Int } == [0, 1, 2, 0, 1, 2])
      #expect(try context.count(for: request) == 6)
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `dictionaries come as any fetch request result, too`(kind: StoreKind) throws {
    try filled(kind).work { context throws in
      let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Note")
      request.resultType = .dictionaryResultType
      request.propertiesToFetch = ["title"]
      let found = try context.fetch(request) as? [[String: Any]]
      #expect(found?.first?["title"] as? String == "note 0")
    }
  }

  @Test func `a statement for groups is one statement`() throws {
    let stack = try filled(.sqlite)
    let log = StatementLog(stack.coordinator)
    try stack.work { context throws in
      let request = request("Note", "folder.name", computed("total", "sum:(views)"))
      request.propertiesToGroupBy = ["folder.name"]
      request.havingPredicate = NSPredicate(format: "count:(SELF) > 1")
      let statements = try log.during { _ = try context.fetch(request) }
      #expect(
        statements == [
          """
          SELECT "t1"."ZNAME", COALESCE(SUM("t0"."ZVIEWS"), 0) FROM "ZNOTE" "t0" \
          LEFT OUTER JOIN "ZFOLDER" "t1" ON "t1"."Z_PK" = "t0"."ZFOLDER" \
          GROUP BY "t1"."ZNAME" HAVING COUNT(*) > ?1 ORDER BY "t1"."ZNAME"
          """
        ]
      )
    }
  }

  @Test func `what a database cannot compute is refused with a sentence`() throws {
    try filled(.sqlite).work { context throws in
      let request = request("Note", computed("middle", "median:(views)"))
      #expect(errorCode { try context.fetch(request) } == 134091)
      request.propertiesToFetch = [computed("names", "tags.name")]
      #expect(errorCode { try context.fetch(request) } == 134091)
    }
  }

  // MARK: Mistakes

  private static func fetch(_ change: (NSFetchRequest<NSDictionary>) -> Void) throws {
    let context = try NotesStack().context()
    try context.performAndWait {
      let request = NSFetchRequest<NSDictionary>(entityName: "Note")
      request.resultType = .dictionaryResultType
      change(request)
      _ = try context.fetch(request)
    }
  }

  @Test func `properties before the entity stop the program (63)`() async {
    await #expect(processExitsWith: .failure) {
      NSFetchRequest<NSDictionary>().propertiesToFetch = ["title"]
    }
  }

  @Test func `an expression for objects stops the program (63)`() async {
    await #expect(processExitsWith: .failure) {
      try Self.fetch { request in
        request.resultType = .managedObjectResultType
        request.propertiesToFetch = [NSExpressionDescription()]
      }
    }
  }

  @Test func `an unknown property stops the program (63)`() async {
    await #expect(processExitsWith: .failure) {
      try Self.fetch { $0.propertiesToFetch = ["titel"] }
    }
  }

  @Test func `a transient property stops the program (44)`() async {
    await #expect(processExitsWith: .failure) {
      try Self.fetch { $0.propertiesToFetch = ["scratch"] }
    }
  }

  @Test func `a to-many relationship stops the program (64)`() async {
    await #expect(processExitsWith: .failure) {
      try Self.fetch { $0.propertiesToFetch = ["tags"] }
    }
  }

  @Test func `groups of objects stop the program (64)`() async {
    await #expect(processExitsWith: .failure) {
      try Self.fetch { request in
        request.resultType = .managedObjectResultType
        request.propertiesToGroupBy = ["stars"]
      }
    }
  }

  @Test func `a property beside the groups stops the program (64)`() async {
    await #expect(processExitsWith: .failure) {
      try Self.fetch { request in
        request.propertiesToFetch = ["stars", "title"]
        request.propertiesToGroupBy = ["stars"]
      }
    }
  }

  @Test func `a condition for groups without groups stops the program (64)`() async {
    await #expect(processExitsWith: .failure) {
      try Self.fetch { $0.havingPredicate = NSPredicate(format: "stars > 1") }
    }
  }
}
