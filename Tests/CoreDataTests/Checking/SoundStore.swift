import CoreDataModel
import CoreDataSQL
import CoreDataSQLite
import Foundation
import TestSupport
import Testing

@testable import CoreData
@testable import CoreDataStoreCare

/// A store of notes in folders that has every kind of relationship, and nothing wrong.
///
/// ```
/// Attachment 1   Bin 2   Folder 3   Note 4   Checklist 5   Tag 6
/// ```
struct SoundStore {
  let file: URL

  /// A copy of the one that was made for all tests, with the files it keeps beside it.
  init() throws {
    file = TestSupport.TemporaryFolder.file("Notes.sqlite")
    let original = try Self.original.get()
    try FileManager.default.copyItem(at: original, to: file)
    let support = ".Notes_SUPPORT"
    try FileManager.default.copyItem(
      at: original.deletingLastPathComponent().appendingPathComponent(support),
      to: file.deletingLastPathComponent().appendingPathComponent(support)
    )
  }

  private static let original = Result { try made() }

  static let schema = ModelSchema.model(
    .entity("Attachment", [.text("name")], [.one("note", "Note", back: "attachments").required]),
    .entity(
      "Bin",
      [.text("name")],
      [.many("kept", "Note"), .many("queue", "Note", ordered: true)]
    ),
    .entity(
      "Folder",
      [
        .text("name").required(.text("New Folder")),
        .derived("noteCount", .integer64, from: "notes.@count"),
      ],
      [
        .many("children", "Folder", back: "parent"), .one("parent", "Folder", back: "children"),
        .one("cover", "Note", back: "covers"), .many("notes", "Note", back: "folder"),
        .many("pinned", "Note", back: "pinnedIn", ordered: true),
      ]
    ),
    .entity(
      "Note",
      [
        .attribute("created", .date), .derived("folderName", .string, from: "folder.name"),
        .image, .attribute("isFavourite", .boolean).required(.boolean(false)),
        .attribute("keywords", .transformable),
        .derived("searchTitle", .string, from: "canonical:(title)"), .text("slug"),
        .attribute("stars", .integer16), .derived("tagCount", .integer64, from: "tags.@count"),
        .text("title"), .attribute("uuid", .uuid),
      ],
      [
        .many("attachments", "Attachment", back: "note").deleting(.cascade),
        .one("covers", "Folder", back: "cover"), .one("folder", "Folder", back: "notes"),
        .one("pinnedIn", "Folder", back: "pinned"), .many("related", "Note", back: "related"),
        .many("tags", "Tag", back: "notes"),
      ]
    )
    .with { note in
      note.uniquenessConstraints = [["slug"]]
      note.indexes = [FetchIndexSchema(name: "byTitle", elements: [.init(.property("title"))])]
    },
    .entity("Checklist", below: "Note", [.attribute("itemCount", .integer32)]),
    .entity(
      "Tag",
      [.text("label").required(nil)],
      [.many("notes", "Note", back: "tags", ordered: true)]
    )
  )
  .withoutOwnClasses

  private static func made() throws -> URL {
    let stack = try ModelStack(schema)
    try stack.work { context in
      let folders = try (1...3).map { try context.saved("Folder", ["name": "Folder \($0)"]) }
      folders[1].setValue(folders[0], forKey: "parent")
      let tags = try (1...3).map { try context.saved("Tag", ["label": "tag \($0)"]) }
      let bins = try (1...2).map { try context.saved("Bin", ["name": "Bin \($0)"]) }
      let notes = try (1...8).map { try context.note($0, in: folders) }
      for number in 1...3 {
        try context.saved("Attachment", ["name": "file \(number)", "note": notes[number]])
      }
      for (tag, range) in zip(tags, [0...2, 1...4, 3...6]) {
        tag.setValue(NSOrderedSet(array: Array(notes[range])), forKey: "notes")
      }
      notes[0].setValue(NSSet(array: [notes[1], notes[2]]), forKey: "related")
      folders[0].setValue(notes[0], forKey: "cover")
      folders[1].setValue(notes[7], forKey: "cover")
      folders[0].setValue(NSOrderedSet(array: Array(notes[0...3])), forKey: "pinned")
      bins[0].setValue(NSSet(array: [notes[4], notes[5]]), forKey: "kept")
      bins[1].setValue(NSOrderedSet(array: Array(notes[5...7])), forKey: "queue")
      try context.save()
    }
    let file = try #require(stack.file)
    for store in stack.coordinator.persistentStores { try stack.coordinator.remove(store) }
    return file
  }
}

extension NSManagedObjectContext {
  @discardableResult
  fileprivate func saved(_ entity: String, _ values: [String: Any]) throws -> NSManagedObject {
    let object = new(entity, values)
    // One by one, so that keys are handed out in this order.
    try save()
    return object
  }

  /// The last two of eight are checklists.
  fileprivate func note(_ number: Int, in folders: [NSManagedObject]) throws -> NSManagedObject {
    var values: [String: Any] = [
      "title": "Note \(number)", "slug": "note-\(number)", "stars": number % 5,
      "created": Date(timeIntervalSinceReferenceDate: Double(number) * 86_400.5), "uuid": UUID(),
      "keywords": ["a", "b"] as NSArray, "folder": folders[number % 3], "isFavourite": number == 1,
    ]
    if number < 3 { values["image"] = ExternalDataTests.large(UInt8(number)) }
    if number == 3 { values["image"] = ExternalDataTests.small }
    if number > 6 { values["itemCount"] = number }
    return try saved(number > 6 ? "Checklist" : "Note", values)
  }
}

// MARK: - Looking and damaging

extension SoundStore {
  func checker(deep: Bool = true) -> StoreChecker {
    StoreChecker(storeAt: file, model: nil, isDeep: deep)
  }

  func report(deep: Bool = true) throws -> CheckReport { try checker(deep: deep).report() }

  /// Plain SQL, with the functions that the file's triggers call.
  func run(_ statements: [String]) throws {
    let connection = try Connection(path: file.path)
    StoreChecker.prepare(connection)
    for statement in statements { try connection.run(statement) }
  }

  func repair(deletesBroken: Bool = false) -> StoreRepair {
    var repair = StoreRepair(storeAt: file, model: nil, now: Date(timeIntervalSince1970: 0))
    repair.deletesBroken = deletesBroken
    return repair
  }

  /// Every value of every row, by its table and row, and the statements of tables and indexes.
  func picture() throws -> [String: String] {
    let connection = try Connection(path: file.path, mode: .readOnly)
    let names = try StoreTables.names(on: connection).filter { !$0.hasPrefix("sqlite_") }
    var picture: [String: String] = [:]
    for table in names + ["sqlite_master"] {
      let columns = table == "sqlite_master" ? "type, name, sql" : "*"
      let statement = try connection.statement(
        "SELECT rowid, \(SQLFragment(stringLiteral: columns)) FROM \(name: table)"
      )
      defer { statement.reset() }
      while try statement.step() {
        let values = (1..<statement.columnCount).map { column in
          "\(statement.columnName(column)) \(statement.value(column))"
        }
        // The order in the list of tables does not matter.
        let key = table == "sqlite_master" ? statement.text(2) : "\(statement.integer(0))"
        picture["\(table) \(key)"] = values.joined(separator: ", ")
      }
    }
    return picture
  }

  var externalFolder: URL { ExternalFiles.folder(besides: file) }
}

// MARK: - Words for the model

extension ModelSchema {
  var withoutOwnClasses: ModelSchema {
    var schema = self
    for index in schema.entities.indices { schema.entities[index].className = "NSManagedObject" }
    return schema
  }
}

extension AttributeSchema {
  static var image: AttributeSchema {
    var image = attribute("image", .binaryData)
    image.allowsExternalBinaryDataStorage = true
    return image
  }

  func required(_ value: SchemaValue?) -> AttributeSchema {
    var copy = self
    copy.isOptional = false
    copy.defaultValue = value
    return copy
  }
}

extension RelationshipSchema {
  var required: RelationshipSchema {
    var copy = self
    copy.isOptional = false
    return copy
  }

  func deleting(_ rule: DeleteRule) -> RelationshipSchema {
    var copy = self
    copy.deleteRule = rule
    return copy
  }
}
