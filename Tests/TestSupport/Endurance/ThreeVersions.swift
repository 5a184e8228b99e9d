public import CoreData

/// Migrations of one store, from each of three models to the next and from the last to the first.
///
/// ```
/// 0   Folder name, notes             Note title, stars, image, folder
/// 1   Folder name, pages (ordered)   Page heading, rank 1, image, search derived, place
///     Attachment, which takes the number that Folder had
/// 2   Folder name, pages             Page heading, subtitle, image, folder
/// ```
///
/// Names change by renaming identifiers, and a folder's notes get an order and lose it.
public struct ThreeVersions: EndlessWork {
  private let file: URL
  private var version: Int
  private var number = 0
  public static let noteCount = 60

  public init(at file: URL) throws {
    self.file = file
    version = try Self.version(of: file)
  }

  public static func begin(at file: URL) throws {
    try work(at: file, version: 0) { context in
      let folders = (0..<5).map { number in
        make("Folder", ["name": "folder \(number)"], context)
      }
      for number in 0..<noteCount {
        var values: [String: Any] = ["title": "note \(number)"]
        values["image"] = plainData(number, count: number < 2 ? 110_000 : 10)
        if number % 7 != 0 { values["folder"] = folders[number % 5] }
        make("Note", values, context)
      }
      try context.save()
    }
  }

  public mutating func step() throws -> Int {
    version = (version + 1) % 3
    try Self.work(at: file, version: version) { _ in }
    number += 1
    return number
  }

  @discardableResult
  private static func make(
    _ entity: String,
    _ values: [String: Any],
    _ context: NSManagedObjectContext
  ) -> NSManagedObject {
    let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
    object.setValuesForKeys(values)
    return object
  }

  /// Opens the store as one of a version, migrating it, works, and closes it.
  @discardableResult
  public static func work<Result>(
    at file: URL,
    version: Int,
    _ body: (NSManagedObjectContext) throws -> Result
  ) throws -> Result {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: models[version])
    let store = try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType,
      configurationName: nil,
      at: file,
      options: [
        NSMigratePersistentStoresAutomaticallyOption: NSNumber(value: true),
        NSInferMappingModelAutomaticallyOption: NSNumber(value: true),
        CoreDataMigrationLossOption: NSNumber(value: true),
        NSPersistentHistoryTrackingKey: NSNumber(value: true),
      ]
    )
    let context = NSManagedObjectContext(.privateQueue)
    context.persistentStoreCoordinator = coordinator
    let result = try context.performAndWait { try body(context) }
    try coordinator.remove(store)
    return result
  }
}

// MARK: - Looking

extension ThreeVersions {
  /// The version whose store it is.
  public static func version(of file: URL) throws -> Int {
    let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
      ofType: NSSQLiteStoreType,
      at: file
    )
    let version = models.firstIndex {
      $0.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata)
    }
    guard let version else { throw CocoaError(.fileReadCorruptFile) }
    return version
  }

  /// The store's content, in words that fit every version.
  public static func picture(_ context: NSManagedObjectContext, version: Int) throws -> [String] {
    let (entity, title, folder) =
      switch version {
      case 0: ("Note", "title", "folder")
      case 1: ("Page", "heading", "place")
      case _: ("Page", "heading", "folder")
      }
    let notes = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: entity))
    return notes.map { note in
      let folders = [note.value(forKey: folder) as? NSManagedObject].compactMap(\.self)
      let names = folders.map { $0.value(forKey: "name") as? String ?? "-" }
      let title = note.value(forKey: title) as? String ?? "-"
      return "\(title) in \(names) \(plainWord(note.value(forKey: "image") as? Data))"
    }.sorted()
  }

  /// The content that it must have, in every version.
  public static let picture: [String] = (0..<noteCount).map { number in
    let folders = number % 7 == 0 ? [] : ["folder \(number % 5)"]
    return "note \(number) in \(folders) \(number)x\(number < 2 ? 110_000 : 10)"
  }.sorted()
}

// MARK: - The models

extension ThreeVersions {
  public static let models: [NSManagedObjectModel] = (0..<3).map(model)

  private static func model(_ version: Int) -> NSManagedObjectModel {
    let (folder, note) = (entity("Folder"), entity(version == 0 ? "Note" : "Page"))
    note.renamingIdentifier = "Note"
    let title = attribute(version == 0 ? "title" : "heading", .stringAttributeType)
    title.renamingIdentifier = "title"
    let image = attribute("image", .binaryDataAttributeType)
    image.allowsExternalBinaryDataStorage = true
    let toFolder = relationship(version == 1 ? "place" : "folder", "folder", to: folder)
    toFolder.maxCount = 1
    let toNotes = relationship(version == 0 ? "notes" : "pages", "notes", to: note)
    toNotes.isOrdered = version == 1
    (toFolder.inverseRelationship, toNotes.inverseRelationship) = (toNotes, toFolder)
    folder.properties = [attribute("name", .stringAttributeType), toNotes]
    note.properties = [title, image, toFolder] + ownProperties(version)
    let model = NSManagedObjectModel()
    model.entities = [folder, note]
    if version == 1 {
      let attachment = entity("Attachment")
      attachment.properties = [attribute("name", .stringAttributeType)]
      model.entities.append(attachment)
      note.uniquenessConstraints = [["heading"]]
    }
    return model
  }

  /// The properties of one version alone.
  private static func ownProperties(_ version: Int) -> [NSPropertyDescription] {
    switch version {
    case 0:
      return [attribute("stars", .integer16AttributeType)]
    case 1:
      let rank = attribute("rank", .integer32AttributeType)
      rank.defaultValue = 1
      let search = NSDerivedAttributeDescription()
      search.name = "search"
      search.attributeType = .stringAttributeType
      search.isOptional = true
      search.derivationExpression = NSExpression(format: "canonical:(heading)")
      return [rank, search]
    case _:
      return [attribute("subtitle", .stringAttributeType)]
    }
  }

  private static func entity(_ name: String) -> NSEntityDescription {
    let entity = NSEntityDescription()
    entity.name = name
    return entity
  }

  private static func attribute(
    _ name: String,
    _ type: NSAttributeType
  ) -> NSAttributeDescription {
    let attribute = NSAttributeDescription()
    attribute.name = name
    attribute.attributeType = type
    attribute.isOptional = true
    return attribute
  }

  private static func relationship(
    _ name: String,
    _ identifier: String,
    to entity: NSEntityDescription
  ) -> NSRelationshipDescription {
    let relationship = NSRelationshipDescription()
    relationship.name = name
    relationship.renamingIdentifier = identifier
    relationship.destinationEntity = entity
    relationship.isOptional = true
    relationship.deleteRule = .nullifyDeleteRule
    return relationship
  }
}
