import CoreData
import Foundation
import TestSupport

/// Notes with a unique slug, tags with a unique name, and pages that are unique in their book.
///
/// ```
/// Note        slug*  title  stars  price   folder ⟷ Folder.notes   tags ⟷ Tag.notes (ordered)
/// Checklist   a Note
/// Tag         name*  colour  code*
/// Page        book + number*
/// ```
struct UniqueNotes {
  let coordinator: NSPersistentStoreCoordinator
  let file: URL?

  init(_ kind: StoreKind) throws {
    let file = kind.has(.reopening) ? kind.place("Unique.sqlite") : nil
    try self.init(kind, file: file)
  }

  /// Opens an existing file once more, as another program would.
  init(reopening file: URL) throws {
    try self.init(.sqlite, file: file)
  }

  private init(_ kind: StoreKind, file: URL?) throws {
    coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.model)
    self.file = file
    try kind.add(to: coordinator, at: file)
  }

  /// Opens a store of any type, made if it is missing.
  init(type: String, at file: URL) throws {
    coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.model)
    self.file = file
    try coordinator.addPersistentStore(ofType: type, configurationName: nil, at: file)
  }

  func context(_ policy: NSMergePolicy = .error) -> NSManagedObjectContext {
    let context = NSManagedObjectContext(.privateQueue)
    context.persistentStoreCoordinator = coordinator
    context.mergePolicy = policy
    return context
  }

  @discardableResult
  func work<Result>(
    _ policy: NSMergePolicy = .error,
    _ body: (NSManagedObjectContext) throws -> Result
  ) throws -> Result {
    let context = context(policy)
    return try context.performAndWait { try body(context) }
  }

  /// The rows of an entity as a new context has them, each with some of its values, in order.
  func rows(_ entity: String, _ names: String...) throws -> [String] {
    try work { context in
      try context.fetch(NSFetchRequest<NSManagedObject>(entityName: entity))
        .map { object in
          names.map { object.picture(of: $0) }.joined(separator: " ")
        }
        .sorted()
    }
  }
}

extension NSManagedObject {
  fileprivate func picture(of name: String) -> String {
    switch value(forKey: name) {
    case let set as NSSet: "\(set.count)"
    case let set as NSOrderedSet: "\(set.count)"
    case let object as NSManagedObject: object.picture(of: "name")
    case let value?: "\(value)"
    case nil: "–"
    }
  }

  func text(_ name: String) -> String? { value(forKey: name) as? String }
}

extension NSManagedObjectContext {
  @discardableResult
  func make(_ entity: String, _ values: [String: Any?]) -> NSManagedObject {
    let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: self)
    for (name, value) in values { object.setValue(value, forKey: name) }
    return object
  }

  func all(_ entity: String) throws -> [NSManagedObject] {
    try fetch(NSFetchRequest<NSManagedObject>(entityName: entity))
  }

  /// The only object with that text.
  func only(_ entity: String, _ name: String, _ text: String) throws -> NSManagedObject? {
    let found = try all(entity).filter { $0.text(name) == text }
    return found.count == 1 ? found[0] : nil
  }
}

// MARK: - The model

extension UniqueNotes {
  static let model: NSManagedObjectModel = {
    let note = entity(
      "Note",
      [("slug", .string), ("title", .string), ("stars", .integer64), ("price", .decimal)]
    )
    let checklist = entity("Checklist", [("items", .integer64)])
    let folder = entity("Folder", [("name", .string)])
    let tag = entity("Tag", [("name", .string), ("colour", .string), ("code", .integer64)])
    let page = entity("Page", [("book", .string), ("number", .integer64), ("text", .string)])
    let key = entity(
      "Key",
      [("date", .date), ("price", .decimal), ("id", .uuid), ("ratio", .double)]
    )
    note.subentities = [checklist]
    relate(note, "folder", toMany: false, folder, "notes", toMany: true)
    relate(note, "tags", toMany: true, tag, "notes", toMany: true, isOrdered: true)
    note.uniquenessConstraints = [["slug"]]
    tag.uniquenessConstraints = [["name"], ["code"]]
    page.uniquenessConstraints = [["book", "number"]]
    key.uniquenessConstraints = [["date"], ["price"], ["id"], ["ratio"]]
    let model = NSManagedObjectModel()
    model.entities = [note, checklist, folder, tag, page, key]
    return model
  }()

  private static func entity(
    _ name: String,
    _ attributes: [(String, NSAttributeDescription.AttributeType)]
  ) -> NSEntityDescription {
    let entity = NSEntityDescription()
    entity.name = name
    entity.properties = attributes.map { name, type in
      let attribute = NSAttributeDescription()
      attribute.name = name
      attribute.type = type
      attribute.isOptional = true
      return attribute
    }
    return entity
  }

  private static func relate(
    _ one: NSEntityDescription,
    _ name: String,
    toMany: Bool,
    _ other: NSEntityDescription,
    _ inverseName: String,
    toMany isInverseToMany: Bool,
    isOrdered: Bool = false
  ) {
    let ends = [(one, name, toMany, other), (other, inverseName, isInverseToMany, one)]
      .map { _, name, toMany, destination in
        let end = NSRelationshipDescription()
        end.name = name
        end.destinationEntity = destination
        end.maxCount = toMany ? 0 : 1
        end.deleteRule = .nullifyDeleteRule
        return end
      }
    ends[1].isOrdered = isOrdered
    ends[0].inverseRelationship = ends[1]
    ends[1].inverseRelationship = ends[0]
    one.properties.append(ends[0])
    other.properties.append(ends[1])
  }
}
