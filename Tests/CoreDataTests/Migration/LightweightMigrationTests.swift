import CoreDataModel
import CoreDataSQL
import CoreDataSQLite
import Foundation
import TestSupport
import Testing

@testable import CoreData

/// Tests of lightweight migration of attributes and entities.
struct LightweightMigrationTests {
  /// Notes in folders.
  static let first = ModelSchema.model(
    .entity("Folder", [.text("name")], [.many("notes", "Note", back: "folder")]),
    .entity(
      "Note",
      [.text("title"), .attribute("stars", .integer16), .attribute("image", .binaryData)],
      [.one("folder", "Folder", back: "notes")]
    )
  )

  static func fill(_ context: NSManagedObjectContext) throws {
    let folder = context.make("Folder", ["name": "Home"])
    for (title, stars) in [("one", 1), ("two", 2)] {
      context.make("Note", ["title": title, "stars": stars, "folder": folder])
      // Keys are given in the order of saves.
      try context.save()
    }
    context.make("Note", ["image": Data([7, 8])])
  }

  private func upgrade() throws -> Upgrade { try Upgrade(Self.first, Self.fill) }

  @Test func `an optional attribute is added in constant time (108)`() throws {
    let upgrade = try upgrade()
    let second = Self.first.changing("Note") { $0.attributes.append(.text("subtitle")) }
    let preview = try upgrade.preview(second)
    #expect(preview.steps.filter { $0.cost == .rows }.isEmpty)
    #expect(preview.steps.first?.sentence == "ZNOTE: new column ZSUBTITLE")
    let lines = try upgrade.lines(second)
    #expect(lines.filter { $0.contains("subtitle") }.count == 3)
    #expect(lines.filter { $0.contains("subtitle = nil") }.count == 3)
    #expect(lines.contains("Note/1 title = 'one'") && lines.contains("Note/2 folder = Folder/1"))
    try upgrade.expectShape(of: second)
    #expect(try upgrade.companions() == [])
  }

  @Test func `a new attribute has its default in rows that were there (108)`() throws {
    let upgrade = try upgrade()
    let second = Self.first.changing("Note") {
      $0.attributes.append(.attribute("pages", .integer32).with { $0.defaultValue = .integer(4) })
      $0.attributes.append(
        .attribute("price", .decimal).with {
          $0.defaultValue = .decimal(1.5)
          $0.isOptional = false
        }
      )
      $0.attributes.append(
        .attribute("cover", .binaryData).with {
          $0.defaultValue = .data(Data([1, 2]))
          $0.allowsExternalBinaryDataStorage = true
        }
      )
      $0.attributes.append(.attribute("seen", .date).with { $0.defaultValue = .date(60) })
    }
    let lines = try upgrade.lines(second)
    for number in 1...3 {
      #expect(lines.contains("Note/\(number) pages = 4"))
      #expect(lines.contains("Note/\(number) price = 1.5"))
      #expect(lines.contains("Note/\(number) cover = x'0102'"))
      #expect(lines.contains("Note/\(number) seen = 60.0"))
    }
    try upgrade.expectShape(of: second)
  }

  @Test func `an attribute goes, and what it held is counted (108)`() throws {
    let upgrade = try upgrade()
    let second = Self.first.changing("Note") { $0.attributes.removeAll { $0.name == "title" } }
    #expect(try upgrade.preview(second).losses.map(\.description) == ["Note.title: 2 values"])
    let lines = try upgrade.lines(second)
    #expect(lines.filter { $0.contains("title") }.isEmpty)
    #expect(lines.contains("Note/2 stars = 2"))
    try upgrade.expectShape(of: second)
    // Lost values can be had back.
    #expect(try upgrade.companions() == ["Notes.sqlite.before-migration"])
    let backup = Upgrade(of: upgrade.file.appendingPathExtension("before-migration"))
    #expect(try backup.lines(Self.first).contains("Note/1 title = 'one'"))
  }

  @Test func `a program of yesterday does not drop what today's has written (106)`() throws {
    let upgrade = try upgrade()
    let older = Self.first.changing("Note") { $0.attributes.removeAll { $0.name == "title" } }
    let code = errorCode {
      try upgrade.lines(older, [CoreDataMigrationLossOption: false])
    }
    #expect(code == NSMigrationMissingSourceModelError)
    #expect(try upgrade.companions() == [])
    #expect(try upgrade.lines(Self.first).contains("Note/1 title = 'one'"))
    // Nothing to lose, and nothing to refuse.
    let other = Self.first.changing("Note") { $0.attributes.append(.text("subtitle")) }
    let lines = try upgrade.lines(other, [CoreDataMigrationLossOption: false])
    #expect(lines.contains("Note/1 title = 'one'"))
  }

  @Test func `attributes that exchange their names keep their values (108)`() throws {
    let old = Self.first.changing("Note") { $0.attributes.append(.text("text")) }
    let upgrade = try Upgrade(old) { context in
      context.make("Note", ["title": "title", "text": "text"])
    }
    let second = old.changing("Note") {
      $0.change("title") { $0.renamingIdentifier = "text" }
      $0.change("text") { $0.renamingIdentifier = "title" }
    }
    .changing("Note") { $0.versionHashModifier = "2" }
    #expect(try upgrade.preview(second).steps.filter { $0.cost == .rows }.isEmpty)
    let lines = try upgrade.lines(second)
    #expect(lines.contains("Note/1 title = 'text'") && lines.contains("Note/1 text = 'title'"))
    try upgrade.expectShape(of: second)
  }

  @Test func `an attribute and its entity are renamed in constant time (108)`() throws {
    let indexed = Self.first.changing("Note") {
      $0.indexes = [FetchIndexSchema(name: "byTitle", elements: [.init(.property("title"))])]
      $0.uniquenessConstraints = [["stars"]]
    }
    let upgrade = try Upgrade(indexed, Self.fill)
    var second = indexed.changing("Note") {
      $0.name = "Page"
      $0.renamingIdentifier = "Note"
      $0.change("title") {
        $0.name = "heading"
        $0.renamingIdentifier = "title"
      }
      $0.indexes = [FetchIndexSchema(name: "byHeading", elements: [.init(.property("heading"))])]
    }
    second = second.changing("Folder") {
      $0.change(relationship: "notes") { $0.destinationName = "Page" }
    }
    #expect(try upgrade.preview(second).steps.filter { $0.cost == .rows }.isEmpty)
    let lines = try upgrade.lines(second)
    #expect(lines.contains("Page/1 heading = 'one'") && lines.contains("Folder/1 notes = 1, 2"))
    try upgrade.expectShape(of: second)
  }

  @Test func `what becomes required gets its default where there is nothing (108)`() throws {
    let upgrade = try upgrade()
    let second = Self.first.changing("Note") {
      $0.change("title") {
        $0.isOptional = false
        $0.defaultValue = .text("untitled")
      }
    }
    let lines = try upgrade.lines(second)
    #expect(lines.contains("Note/1 title = 'one'") && lines.contains("Note/3 title = 'untitled'"))
    try upgrade.expectShape(of: second)
  }

  @Test func `a transient attribute becomes stored, a stored one transient (108)`() throws {
    let upgrade = try upgrade()
    let second = Self.first.changing("Note") { $0.change("stars") { $0.isTransient = true } }
    #expect(try upgrade.preview(second).losses.map(\.description) == ["Note.stars: 2 values"])
    #expect(try upgrade.lines(second).filter { $0.contains("stars") }.isEmpty)
    try upgrade.expectShape(of: second)
    #expect(try upgrade.lines(Self.first).contains("Note/1 stars = nil"))
    try upgrade.expectShape(of: Self.first)
  }

  @Test func `the elements of a composite come, go and are renamed (108)`() throws {
    let composite = AttributeSchema.attribute("place", .composite).with {
      $0.elements = [.text("city"), .text("street")]
    }
    let old = Self.first.changing("Note") { $0.attributes.append(composite) }
    let upgrade = try Upgrade(old) {
      $0.make("Note", ["place": ["city": "Rome", "street": "Via"]])
    }
    let second = old.changing("Note") {
      $0.change("place") { attribute in
        attribute.elements = [
          .text("town").with { $0.renamingIdentifier = "city" },
          .text("country").with { $0.defaultValue = .text("Italy") },
        ]
      }
      $0.versionHashModifier = "2"
    }
    try upgrade.work(with: second) { context in
      let place = try context.every("Note")[0].value(forKey: "place") as? [String: Any]
      #expect(place?["town"] as? String == "Rome")
      #expect(place?["country"] as? String == "Italy")
    }
    try upgrade.expectShape(of: second)
  }

  @Test func `values of elements that go were no losses`() throws {
    let composite = AttributeSchema.attribute("place", .composite).with {
      $0.elements = [.text("city"), .text("street")]
    }
    let old = Self.first.changing("Note") { $0.attributes.append(composite) }
    let upgrade = try Upgrade(old) { context in
      context.make("Note", ["place": ["city": "Rome", "street": "Via"]])
      context.make("Note", ["place": ["city": "Oslo"]])
    }
    let second = old.changing("Note") {
      $0.change("place") { attribute in
        attribute.elements = [.text("town").with { $0.renamingIdentifier = "city" }]
      }
      $0.versionHashModifier = "2"
    }
    #expect(try upgrade.preview(second).losses.map(\.description) == ["Note.place.street: 1 value"])
    let error = #expect(throws: CocoaError.self) {
      try upgrade.lines(second, [CoreDataMigrationLossOption: false])
    }
    #expect(error?.code == .migrationMissingSourceModel)
  }

  @Test func `a new element with the former name of another one took its values`() throws {
    let composite = AttributeSchema.attribute("place", .composite).with {
      $0.elements = [.text("city")]
    }
    let old = Self.first.changing("Note") { $0.attributes.append(composite) }
    let upgrade = try Upgrade(old) { $0.make("Note", ["place": ["city": "Rome"]]) }
    let second = old.changing("Note") {
      $0.change("place") { attribute in
        attribute.elements = [
          .text("town").with { $0.renamingIdentifier = "city" }, .text("city"),
        ]
      }
      $0.versionHashModifier = "2"
    }
    try upgrade.work(with: second) { context in
      let place = try context.every("Note")[0].value(forKey: "place") as? [String: Any]
      #expect(place?["town"] as? String == "Rome")
      #expect(place?["city"] == nil)
    }
    try upgrade.expectShape(of: second)
  }

  @Test func `derived attributes are computed for rows that were there (108)`() throws {
    let upgrade = try upgrade()
    let second = Self.first.changing("Note") {
      $0.attributes += [
        .derived("search", .string, from: "canonical:(title)"),
        .derived("folderName", .string, from: "folder.name"),
        .derived("changed", .date, from: "now()"),
      ]
    }
    .changing("Folder") {
      $0.attributes += [
        .derived("count", .integer64, from: "notes.@count"),
        .derived("sum", .integer64, from: "sum:(notes.stars)"),
      ]
    }
    let lines = try upgrade.lines(second)
    #expect(lines.contains("Note/1 search = 'one'") && lines.contains("Note/3 search = nil"))
    #expect(lines.contains("Note/2 folderName = 'Home'"))
    #expect(!lines.contains("Note/1 changed = nil"))
    #expect(lines.contains("Folder/1 count = 2") && lines.contains("Folder/1 sum = 3"))
    try upgrade.expectShape(of: second)
    // Another expression, and one that is derived no longer.
    let third = second.changing("Folder") {
      $0.change("sum") { $0.derivationExpression = "max:(notes.stars)" }
      $0.change("count") { $0.derivationExpression = nil }
    }
    let after = try upgrade.lines(third)
    #expect(after.contains("Folder/1 count = 2") && after.contains("Folder/1 sum = 2"))
    try upgrade.expectShape(of: third)
  }
}

/// Tests of lightweight migration of entities and their inheritance.
struct EntityMigrationTests {
  private typealias Notes = LightweightMigrationTests

  @Test func `an entity that comes before others renumbers rows in one pass (108)`() throws {
    let upgrade = try Upgrade(Notes.first, Notes.fill)
    let second = Notes.first.adding(.entity("Attachment", [.text("name")]))
    let steps = try upgrade.preview(second).steps
    #expect(steps.filter { $0.cost == .rows }.count == 2)
    #expect(
      try upgrade.lines(second)
        == Upgrade(Notes.first, Notes.fill).lines(Notes.first)
    )
    try upgrade.expectShape(of: second)
    #expect(try upgrade.companions() == [])
  }

  @Test func `objects of an entity that goes are counted, and nothing leads to them (108)`() throws
  {
    let old = Notes.first.changing("Note") {
      $0.relationships.append(.many("tags", "Tag", back: "notes"))
      $0.relationships.append(.one("icon", "Item"))
    }
    .adding(
      .entity("Tag", [.text("label")], [.many("notes", "Note", back: "tags")]),
      .entity("Item", [.text("name")]),
      .entity("Picture", below: "Item", [.text("path")])
    )
    let upgrade = try Upgrade(old) { context in
      let tag = context.make("Tag", ["label": "swift"])
      let picture = context.make("Picture", ["name": "a", "path": "b"])
      let item = context.make("Item", ["name": "c"])
      context.make("Note", ["title": "one", "tags": NSSet(object: tag), "icon": picture])
      context.make("Note", ["title": "two", "icon": item])
    }
    let second = old.removing("Tag").removing("Picture").changing("Note") {
      $0.relationships.removeAll { $0.name == "tags" }
    }
    #expect(
      try upgrade.preview(second).losses.map(\.description)
        == ["Picture: 1 object", "Tag: 1 object", "Note.tags: 1 link"]
    )
    let lines = try upgrade.lines(second)
    #expect(lines.filter { $0.contains("icon = nil") }.count == 1)
    #expect(lines.filter { $0.contains("icon = Item/") }.count == 1)
    try upgrade.expectShape(of: second)
  }

  /// Articles and letters that have nothing in common yet.
  private static let apart = ModelSchema.model(
    .entity("Item", [.text("key")]),
    .entity("Article", below: "Item", [.text("text"), .attribute("length", .integer32)]),
    .entity("Letter", below: "Item", [.text("text"), .text("sender")])
  )

  private static func fillApart(_ context: NSManagedObjectContext) throws {
    context.make("Article", ["key": "a", "text": "article", "length": 7])
    context.make("Letter", ["key": "l", "text": "letter", "sender": "me"])
    context.make("Item", ["key": "i"])
  }

  private func texts(_ upgrade: Upgrade, _ model: ModelSchema) throws -> [String] {
    try upgrade.lines(model).filter { $0.contains(" text = ") }
      .map { $0.replacing(/\/\d+/, with: "") }.sorted()
  }

  @Test func `an attribute moves up to the superentity and down again (108)`() throws {
    let upgrade = try Upgrade(Self.apart, Self.fillApart)
    let up = Self.apart.changing("Article") { $0.attributes.removeAll { $0.name == "text" } }
      .changing("Letter") { $0.attributes.removeAll { $0.name == "text" } }
      .changing("Item") { $0.attributes.append(.text("text")) }
    #expect(
      try texts(upgrade, up)
        == ["Article text = 'article'", "Item text = nil", "Letter text = 'letter'"]
    )
    try upgrade.expectShape(of: up)
    #expect(
      try texts(upgrade, Self.apart) == ["Article text = 'article'", "Letter text = 'letter'"]
    )
    try upgrade.expectShape(of: Self.apart)
  }

  @Test func `a new superentity takes in a hierarchy and its table (108)`() throws {
    let upgrade = try Upgrade(Self.apart, Self.fillApart)
    let second = Self.apart.changing("Item") {
      $0.superentityName = "Base"
      $0.attributes = []
    }
    .adding(.entity("Base", [.text("key"), .attribute("made", .date)]))
    let lines = try upgrade.lines(second)
    #expect(lines.filter { $0.contains(" key = '") }.count == 3)
    try upgrade.expectShape(of: second)
  }

  @Test func `entities leave their hierarchy for tables of their own (108)`() throws {
    let old = Self.apart.adding(
      .entity("Reader", [.text("name")], [.many("reads", "Item", back: "readers")])
    )
    .changing("Item") {
      $0.relationships = [
        .many("readers", "Reader", back: "reads"), .one("next", "Item"),
      ]
    }
    let upgrade = try Upgrade(old) { context in
      try Self.fillApart(context)
      let items = ["Article", "Letter", "Item"].flatMap { name in
        context.insertedObjects.filter { $0.entity.name == name }
      }
      context.make("Reader", ["name": "r", "reads": NSSet(array: items)])
      items[2].setValue(items[0], forKey: "next")
      items[1].setValue(items[2], forKey: "next")
    }
    let second = old.changing("Letter") {
      $0.superentityName = nil
      $0.attributes.append(.text("key"))
    }
    let lines = try upgrade.lines(second)
    #expect(lines.filter { $0.hasPrefix("Letter/") && $0.hasSuffix(" key = 'l'") }.count == 1)
    #expect(lines.filter { $0.hasPrefix("Letter/") && $0.hasSuffix(" sender = 'me'") }.count == 1)
    #expect(lines.filter { $0.hasPrefix("Item/") && $0.contains(" next = Article/") }.count == 1)
    // The letter is no longer an item, so the reader has two.
    let reads = try #require(lines.first { $0.contains(" reads = ") })
    #expect(reads.split(separator: ",").count == 2)
    try upgrade.expectShape(of: second)
    try upgrade.work(with: second) { context in
      // Keys go on where the hierarchy was.
      let letter = context.make("Letter", ["key": "new"])
      try context.save()
      #expect(letter.objectID.key.number == 4)
    }
  }

  @Test func `all entities of a hierarchy get tables of their own (108)`() throws {
    let upgrade = try Upgrade(Self.apart) { context in
      context.make("Article", ["key": "a", "text": "article", "length": 7])
      context.make("Letter", ["key": "l", "text": "letter", "sender": "me"])
    }
    let second = Self.apart.removing("Item")
      .changing("Article") {
        $0.superentityName = nil
        $0.attributes.append(.text("key"))
      }
      .changing("Letter") {
        $0.superentityName = nil
        $0.attributes.append(.text("key"))
      }
    let lines = try upgrade.lines(second)
    #expect(lines.filter { $0.contains(" key = '") }.count == 2)
    #expect(lines.filter { $0.contains(" text = '") }.count == 2)
    try upgrade.expectShape(of: second)
  }

  @Test func `entities that exchange their names keep their objects (108)`() throws {
    let old = ModelSchema.model(
      .entity("Folder", [.text("name")], [.many("tags", "Tag", back: "folders")]),
      .entity("Tag", [.text("name")], [.many("folders", "Folder", back: "tags")])
    )
    let upgrade = try Upgrade(old) { context in
      let tag = context.make("Tag", ["name": "was a tag"])
      context.make("Folder", ["name": "was a folder", "tags": NSSet(object: tag)])
    }
    let second = old.changing("Folder") { $0.renamingIdentifier = "Tag" }
      .changing("Tag") { $0.renamingIdentifier = "Folder" }
      .changing("Folder") { entity in
        entity.relationships = [
          .many("tags", "Tag", back: "folders").with { $0.renamingIdentifier = "folders" }
        ]
        entity.versionHashModifier = "2"
      }
      .changing("Tag") { entity in
        entity.relationships = [
          .many("folders", "Folder", back: "tags").with { $0.renamingIdentifier = "tags" }
        ]
      }
    let lines = try upgrade.lines(second)
    #expect(lines.contains("Folder/1 name = 'was a tag'"))
    #expect(lines.contains("Tag/1 name = 'was a folder'"))
    #expect(lines.contains("Folder/1 tags = 1") && lines.contains("Tag/1 folders = 1"))
    try upgrade.expectShape(of: second)
  }

  @Test func `new uniqueness is refused where values are there twice, and made where not (108)`()
    throws
  {
    let upgrade = try Upgrade(Notes.first) { context in
      for title in ["a", "b", "b"] { context.make("Note", ["title": title]) }
    }
    let second = Notes.first.changing("Note") { $0.uniquenessConstraints = [["title"]] }
    let error = #expect(throws: CocoaError.self) { try upgrade.lines(second) }
    #expect(error?.code.rawValue == NSMigrationConstraintViolationError)
    let reason = "\(error?.userInfo[NSLocalizedFailureReasonErrorKey] ?? "")"
    #expect(reason.contains("ZTITLE 'b' in 2"))
    #expect(try upgrade.companions() == [])
    try upgrade.work(with: Notes.first) { context in
      try context.every("Note")[2].setValue("c", forKey: "title")
      try context.save()
    }
    #expect(try upgrade.lines(second).contains("Note/2 title = 'b'"))
    try upgrade.expectShape(of: second)
    _ = try upgrade.lines(Notes.first)
    try upgrade.expectShape(of: Notes.first)
  }
}

extension AttributeSchema {
  func with(_ change: (inout AttributeSchema) -> Void) -> AttributeSchema {
    var copy = self
    change(&copy)
    return copy
  }
}

extension RelationshipSchema {
  func with(_ change: (inout RelationshipSchema) -> Void) -> RelationshipSchema {
    var copy = self
    change(&copy)
    return copy
  }
}
