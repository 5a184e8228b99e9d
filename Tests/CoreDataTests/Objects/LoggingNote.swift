import CoreData
import TestSupport

/// A note that writes down which of its life-cycle methods were called.
class LoggingNote: NSManagedObject {
  var log: [String] = []
  /// The actions of a test in a method.
  var actions: [String: (LoggingNote) -> Void] = [:]

  private func note(_ event: String) {
    log.append(event)
    actions[event]?(self)
  }

  /// The events since the last question.
  func events() -> [String] {
    defer { log = [] }
    return log
  }

  override func awakeFromInsert() {
    super.awakeFromInsert()
    note("awakeFromInsert \(value(forKey: "title") as? String ?? "nil")")
  }

  override func awakeFromFetch() {
    super.awakeFromFetch()
    note("awakeFromFetch")
    setValue("computed", forKey: "scratch")
    setValue("only here", forKey: "text")
  }

  override func awake(fromSnapshotEvents flags: NSSnapshotEventType) {
    super.awake(fromSnapshotEvents: flags)
    note("awakeFromSnapshot \(flags.rawValue)")
  }

  override func prepareForDeletion() {
    super.prepareForDeletion()
    note("prepareForDeletion")
  }

  override func willSave() {
    super.willSave()
    note(isDeleted ? "willSave deleted" : "willSave")
  }

  override func didSave() {
    super.didSave()
    note("didSave")
  }

  override func willTurnIntoFault() {
    super.willTurnIntoFault()
    note("willTurnIntoFault")
  }

  override func didTurnIntoFault() {
    super.didTurnIntoFault()
    note("didTurnIntoFault")
  }

  override func validateForInsert() throws {
    note("validateForInsert")
    try super.validateForInsert()
  }

  override func validateForUpdate() throws {
    note("validateForUpdate")
    try super.validateForUpdate()
  }

  override func validateForDelete() throws {
    note("validateForDelete")
    try super.validateForDelete()
  }
}

/// A note whose creation date is set when it is inserted, and the date of change when it is saved.
class StampedNote: NSManagedObject {
  override func awakeFromInsert() {
    super.awakeFromInsert()
    setValue("stamped", forKey: "text")
  }

  override func willSave() {
    super.willSave()
    if !isDeleted, value(forKey: "scratch") as? String != "saved" {
      setValue("saved", forKey: "scratch")
      setValue("saved", forKey: "text")
    }
  }
}

/// A note that changes itself in each `willSave()`.
class RestlessNote: NSManagedObject {
  override func willSave() {
    super.willSave()
    setValue("\(UInt64.random(in: 0...UInt64.max))", forKey: "text")
  }
}

/// Entities whose classes are in the tests, described in code.
enum LivingNotes {
  static let model: NSManagedObjectModel = {
    let model = NSManagedObjectModel()
    model.entities = [
      entity("Logging", LoggingNote.self), entity("Stamped", StampedNote.self),
      entity("Restless", RestlessNote.self),
    ]
    return model
  }()

  private static func entity(_ name: String, _ type: NSManagedObject.Type) -> NSEntityDescription {
    let entity = NSEntityDescription()
    entity.name = name
    entity.managedObjectClassName = NSStringFromClass(type)
    let title = attribute("title")
    title.defaultValue = "Untitled"
    let scratch = attribute("scratch")
    scratch.isTransient = true
    let related = NSRelationshipDescription()
    let back = NSRelationshipDescription()
    (related.name, back.name) = ("next", "previous")
    (related.maxCount, back.maxCount) = (1, 1)
    (related.destinationEntity, back.destinationEntity) = (entity, entity)
    (related.inverseRelationship, back.inverseRelationship) = (back, related)
    entity.properties = [title, attribute("text"), scratch, related, back]
    return entity
  }

  private static func attribute(_ name: String) -> NSAttributeDescription {
    let attribute = NSAttributeDescription()
    attribute.name = name
    attribute.attributeType = .stringAttributeType
    return attribute
  }

  /// A coordinator with a new store.
  static func coordinator(_ kind: StoreKind = .memory) throws -> NSPersistentStoreCoordinator {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try kind.add(to: coordinator)
    return coordinator
  }

  static func work<Result>(
    _ coordinator: NSPersistentStoreCoordinator,
    _ body: (NSManagedObjectContext) throws -> Result
  ) throws -> Result {
    let context = NSManagedObjectContext(.privateQueue)
    context.persistentStoreCoordinator = coordinator
    return try context.performAndWait { try body(context) }
  }
}
