import CoreDataModel
import Foundation
import TestSupport
import Testing

@testable import CoreData

/// Notes in folders before and after a change, with stores of them.
///
/// ```
/// Folder  name                       Shelf  name
/// Note    title stars scan           Memo   heading stars (required) scan origin
///         folder, tags in order             shelf, tags in order
/// Tag     label                      Tag    label
/// Bin     reason                     Colour name
/// ```
enum TwoVersions {
  static let old = plain(
    .model(
      .entity("Folder", [.text("name")], [.many("notes", "Note", back: "folder")]),
      .entity(
        "Note",
        [.text("title"), .attribute("stars", .integer16), scan],
        [
          .one("folder", "Folder", back: "notes"),
          .many("tags", "Tag", back: "notes", ordered: true),
        ]
      ),
      .entity("Tag", [.text("label")], [.many("notes", "Note", back: "tags")]),
      .entity("Bin", [.text("reason")])
    )
  )

  static let new = plain(
    .model(
      .entity(
        "Shelf",
        [.text("name")],
        [renamed(.many("memos", "Memo", back: "shelf"), "notes")]
      ).with { $0.renamingIdentifier = "Folder" },
      .entity(
        "Memo",
        [renamed(.text("heading"), "title"), requiredStars, scan, .text("origin")],
        [
          renamed(.one("shelf", "Shelf", back: "memos"), "folder"),
          .many("tags", "Tag", back: "memos", ordered: true),
        ]
      ).with { $0.renamingIdentifier = "Note" },
      .entity("Tag", [.text("label")], [renamed(.many("memos", "Memo", back: "tags"), "notes")]),
      .entity("Colour", [.text("name")])
    )
  )

  static func model(_ schema: ModelSchema) -> NSManagedObjectModel {
    NSManagedObjectModel(schema: schema)
  }

  /// No classes of this program.
  static func plain(_ schema: ModelSchema) -> ModelSchema {
    var schema = schema
    for index in schema.entities.indices { schema.entities[index].className = "NSManagedObject" }
    return schema
  }

  static func renamed(_ attribute: AttributeSchema, _ name: String) -> AttributeSchema {
    var attribute = attribute
    attribute.renamingIdentifier = name
    return attribute
  }

  static func renamed(_ relationship: RelationshipSchema, _ name: String) -> RelationshipSchema {
    var relationship = relationship
    relationship.renamingIdentifier = name
    return relationship
  }

  private static var scan: AttributeSchema {
    var scan = AttributeSchema.attribute("scan", .binaryData)
    scan.allowsExternalBinaryDataStorage = true
    return scan
  }

  private static var requiredStars: AttributeSchema {
    var stars = AttributeSchema.attribute("stars", .integer16)
    stars.isOptional = false
    stars.defaultValue = .integer(3)
    return stars
  }

  static func inferred() throws -> NSMappingModel {
    try .inferredMappingModel(forSourceModel: model(old), destinationModel: model(new))
  }

  static func manager() -> NSMigrationManager {
    NSMigrationManager(sourceModel: model(old), destinationModel: model(new))
  }
}

// MARK: - Stores

/// A store of one model.
struct VersionStore {
  let file: URL
  let type: String
  let coordinator: NSPersistentStoreCoordinator

  init(_ schema: ModelSchema, at file: URL, _ type: String = NSSQLiteStoreType) throws {
    try self.init(TwoVersions.model(schema), at: file, type)
  }

  init(
    _ model: NSManagedObjectModel,
    at file: URL,
    _ type: String = NSSQLiteStoreType,
    _ options: [String: Any] = [:]
  ) throws {
    self.file = file
    self.type = type
    coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.addPersistentStore(
      ofType: type,
      configurationName: nil,
      at: file,
      options: options
    )
  }

  func work<Result>(_ body: (NSManagedObjectContext) throws -> Result) throws -> Result {
    let context = NSManagedObjectContext(.privateQueue)
    context.persistentStoreCoordinator = coordinator
    return try context.performAndWait { try body(context) }
  }

  func close() throws {
    for store in coordinator.persistentStores { try coordinator.remove(store) }
  }

  var uuid: String? { coordinator.persistentStores.first?.identifier }
}

extension TwoVersions {
  /// A new store with notes in three folders and with some of four tags, in a folder of its own.
  static func store(
    _ count: Int = 12,
    _ type: String = NSSQLiteStoreType,
    largeData: Bool = false
  ) throws -> URL {
    let file = TestSupport.TemporaryFolder.file("Notes.store")
    let store = try VersionStore(old, at: file, type)
    try store.work { context throws in
      let folders = ["Ideas", "Plans", "Rest"].map { make("Folder", "name", $0, in: context) }
      let tags = ["a", "b", "c", "d"].map { make("Tag", "label", $0, in: context) }
      _ = make("Bin", "reason", "old", in: context)
      for number in 0..<count {
        let note = make("Note", "title", "note \(number)", in: context)
        if number % 4 != 0 { note.setValue(number % 5, forKey: "stars") }
        if number % 3 != 2 { note.setValue(folders[number % 3], forKey: "folder") }
        let own = (0..<number % 4).map { tags[(number + 3 * $0) % 4] }
        note.setValue(NSOrderedSet(array: own), forKey: "tags")
        let size = largeData && number % 4 == 1 ? 150_000 : 3
        note.setValue(Data(repeating: UInt8(number % 200), count: size), forKey: "scan")
      }
      try context.save()
    }
    try store.close()
    return file
  }

  static func make(
    _ entity: String,
    _ key: String,
    _ value: Any,
    in context: NSManagedObjectContext
  ) -> NSManagedObject {
    let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
    object.setValue(value, forKey: key)
    return object
  }

  /// A store's notes, each in a line, as the old or the new model has them.
  ///
  ///     note 5: stars 0, in nothing, tags b, a, 3 bytes of 5
  static func lines(_ store: VersionStore) throws -> [String] {
    try store.work(lines)
  }

  static func lines(_ context: NSManagedObjectContext) throws -> [String] {
    let isOld = context.persistentStoreCoordinator?.layout["Note"] != nil
    let request = NSFetchRequest<NSManagedObject>(entityName: isOld ? "Note" : "Memo")
    return try context.fetch(request).map { note in
      let stars = note.value(forKey: "stars") as? NSNumber
      let folder = note.value(forKey: isOld ? "folder" : "shelf") as? NSManagedObject
      let tags = (note.value(forKey: "tags") as? NSOrderedSet)?.array as? [NSManagedObject]
      let labels = (tags ?? []).map { $0.value(forKey: "label") as? String ?? "?" }
      let scan = note.value(forKey: "scan") as? Data ?? Data()
      return """
        \(note.value(forKey: isOld ? "title" : "heading") ?? "?"): stars \(stars?.intValue ?? 3), \
        in \(folder?.value(forKey: "name") ?? "nothing"), tags \(labels.joined(separator: ", ")), \
        \(scan.count) bytes of \(scan.first.map(String.init) ?? "-")
        """
    }.sorted()
  }

  static func count(_ entity: String, _ context: NSManagedObjectContext) throws -> Int {
    try context.count(for: NSFetchRequest<NSManagedObject>(entityName: entity))
  }

  /// Every file below a folder with its bytes, logs that SQLite makes for reading left out.
  static func contents(besides file: URL) throws -> [String: Data] {
    let folder = file.deletingLastPathComponent()
    let names = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String }
    var contents: [String: Data] = [:]
    for name in names ?? [] where !name.hasSuffix("-shm") {
      let url = folder.appendingPathComponent(name)
      contents[name] = (try? Data(contentsOf: url)) ?? Data("folder".utf8)
    }
    return contents.filter { !$0.key.hasSuffix("-wal") || !$0.value.isEmpty }
  }
}
