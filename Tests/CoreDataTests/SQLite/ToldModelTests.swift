import CoreDataModel
import CoreDataSQL
import CoreDataSQLite
import Foundation
import TestSupport
import Testing

@testable import CoreData

/// Stores that are read without their model: a guess that does not fit is taken back, and all else is
/// read.
@Suite struct ToldModelTests {
  private static var readOnly: [String: Any] {
    [NSReadOnlyPersistentStoreOption: true, NSIgnorePersistentStoreVersioningOption: true]
  }

  private func store(
    _ schema: ModelSchema,
    _ fill: (NSManagedObjectContext) throws -> Void
  ) throws -> URL {
    try Upgrade(schema.withoutOwnClasses, fill).file
  }

  /// Reads every row without the model, and holds it against plain SQL.
  @discardableResult
  private func read(_ file: URL) throws -> [String] {
    let told = try StoredModel(inStoreAt: file, from: .tables).schema
    let connection = try Connection(path: file.path)
    let plain = PlainRows(
      connection: connection,
      tables: TableMap(told, in: try FileTables(on: connection))
    )
    return try Upgrade.work(with: told, at: file, Self.readOnly) { context in
      let lines = try context.lines(told)
      let layouts = context.persistentStoreCoordinator?.layout.entities ?? []
      #expect(try Set(lines) == Set(layouts.flatMap { try plain.lines(of: $0) }))
      return lines
    }
  }

  @Test func `pairs that are called as a relationship back would be are read`() throws {
    let file = try store(
      .model(
        .entity(
          "Folder",
          [.text("name")],
          [.many("notes", "Note", back: "folders"), .many("firstNotes", "Note", back: "folder")]
        ),
        .entity(
          "Note",
          [.text("title")],
          [.many("folders", "Folder", back: "notes"), .one("folder", "Folder", back: "firstNotes")]
        )
      )
    ) { context in
      let folders = ["a", "b"].map { context.make("Folder", ["name": $0]) }
      let note = context.make("Note", ["title": "x", "folder": folders[1]])
      note.setValue(NSSet(array: folders), forKey: "folders")
    }
    let lines = try read(file)
    #expect(lines.contains("Note/1 folders = 1, 2"))
    #expect(lines.contains { $0.hasPrefix("Note/1 folder = Folder/") })
  }

  @Test func `a key to an entity of another number stays without a relationship back`() throws {
    let file = try store(
      .model(
        .entity("Folder", [.text("name")], [.many("notes", "Note", back: "folder")]),
        .entity("Note", [.text("title")], [.one("folder", "Folder", back: "notes")])
      )
    ) { context in
      context.make("Note", ["title": "x", "folder": context.make("Folder", ["name": "a"])])
    }
    let connection = try Connection(path: file.path)
    // Columns that would mean an order and an entity, which no relationship of this file can have.
    for change in [
      "ALTER TABLE ZNOTE ADD COLUMN Z1_TITLE INTEGER",
      "ALTER TABLE ZNOTE ADD COLUMN Z9OTHERS INTEGER",
      "ALTER TABLE ZNOTE ADD COLUMN Z_FOK_TITLE INTEGER",
      "ALTER TABLE ZFOLDER ADD COLUMN Z2BOXES INTEGER",
      "CREATE TABLE Z_1NOTE (Z_1FOLDER INTEGER, Z_2NOTE INTEGER, PRIMARY KEY (Z_1FOLDER, Z_2NOTE))",
      "CREATE TABLE Z_2FOLDER (Z_1FOLDER INTEGER, Z_2NOTE INTEGER, PRIMARY KEY (Z_1FOLDER, Z_2NOTE))",
    ] { try connection.run(SQLFragment(stringLiteral: change)) }
    let lines = try read(file)
    #expect(lines.contains("Note/1 title = 'x'"))
    #expect(lines.contains("Note/1 folder = Folder/1"))
  }

  @Test func `a renamed entity is found by its rows where the metadata say nothing`() throws {
    let file = try store(
      .model(.entity("Folder", [.text("name")]), .entity("Note", [.text("title")]))
    ) { context in
      context.make("Note", ["title": "x"])
    }
    let connection = try Connection(path: file.path)
    try connection.run("ALTER TABLE ZNOTE RENAME TO ZPAGE")
    try connection.run("UPDATE Z_METADATA SET Z_PLIST = NULL")
    #expect(try read(file) == ["Page/1 title = 'x'"])
  }

  @Test(arguments: 1...60)
  func `whatever a model is like, its tables can be read without it`(seed: Int) throws {
    var dice = Dice(seed: UInt64(seed))
    let plain = NamesakeModel(&dice)
    let file = try store(plain.schema) { try plain.fill($0, &dice) }
    let lines = try read(file)
    #expect(lines.count > 0)
  }
}

/// A model whose properties are called like its entities, so that names are likely to meet.
private struct NamesakeModel {
  private(set) var entities: [EntitySchema] = []

  init(_ dice: inout Dice) {
    var names = ["Album", "Asset", "Folder", "Item", "Note", "Tag"].shuffled(using: &dice)
    for _ in 0..<Int.random(in: 2...5, using: &dice) {
      var entity = EntitySchema(name: names.removeLast())
      if Bool.random(using: &dice) {
        entity.superentityName = entities.randomElement(using: &dice)?.name
      }
      entities.append(entity)
    }
    for _ in 0..<6 { addAttribute(&dice) }
    for _ in 0..<8 { addRelationship(&dice) }
  }

  var schema: ModelSchema { ModelSchema(entities: entities).canonical }

  private static let words = [
    "album", "albums", "asset", "assets", "folder", "folders", "item", "items", "note", "notes",
    "tag",
    "tags", "text", "isSent",
  ]

  /// Whether an entity, or one above or below it, has a property of the name.
  private func has(_ name: String, around entity: String) -> Bool {
    entities.filter {
      schema.isEntity($0.name, kindOf: entity) || schema.isEntity(entity, kindOf: $0.name)
    }
    .contains { $0.propertyNames.contains(name) }
  }

  private mutating func addAttribute(_ dice: inout Dice) {
    let place = Int.random(in: 0..<entities.count, using: &dice)
    let name = Self.words.randomElement(using: &dice) ?? ""
    if has(name, around: entities[place].name) { return }
    let type = [AttributeType.string, .integer32, .boolean, .date].randomElement(using: &dice)
    entities[place].attributes.append(AttributeSchema(name: name, type: type ?? .string))
  }

  private mutating func addRelationship(_ dice: inout Dice) {
    let (place, other) = (
      Int.random(in: 0..<entities.count, using: &dice),
      Int.random(in: 0..<entities.count, using: &dice)
    )
    let words = Self.words.shuffled(using: &dice)
    let (name, inverse) = (words[0], Bool.random(using: &dice) ? words[0] : words[1])
    let (owner, target) = (entities[place].name, entities[other].name)
    if has(name, around: owner) || has(inverse, around: target) { return }
    if name == inverse,
      schema.isEntity(owner, kindOf: target) || schema.isEntity(target, kindOf: owner)
    {
      return
    }
    let hasInverse = Int.random(in: 0..<4, using: &dice) > 0
    var there = RelationshipSchema.many(name, target, back: hasInverse ? inverse : nil)
    var back = RelationshipSchema.many(inverse, owner, back: name)
    for end in 0...1 {
      let isMany = Bool.random(using: &dice)
      let isOrdered = isMany && Bool.random(using: &dice)
      if end == 0 {
        (there.maxCount, there.isOrdered) = (isMany ? 0 : 1, isOrdered)
      } else {
        (back.maxCount, back.isOrdered) = (isMany ? 0 : 1, isOrdered)
      }
    }
    entities[place].relationships.append(there)
    if hasInverse { entities[other].relationships.append(back) }
  }

  func fill(_ context: NSManagedObjectContext, _ dice: inout Dice) throws {
    let objects = entities.flatMap { entity in (0..<3).map { _ in context.make(entity.name) } }
    for object in objects {
      for (name, attribute) in object.entity.attributesByName where Bool.random(using: &dice) {
        switch attribute.attributeType {
        case .stringAttributeType: object.setValue("text", forKey: name)
        case .dateAttributeType:
          object.setValue(Date(timeIntervalSinceReferenceDate: 7.5), forKey: name)
        default: object.setValue(1, forKey: name)
        }
      }
      for (name, relationship) in object.entity.relationshipsByName {
        let others = objects.filter {
          $0.entity.isKindOf(entity: relationship.destinationEntity ?? $0.entity)
        }
        guard let other = others.randomElement(using: &dice), Bool.random(using: &dice) else {
          continue
        }
        object.link(only: other, by: name)
      }
    }
  }
}
