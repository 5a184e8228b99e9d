import CoreData

/// A colour with a name: a value, which knows the entity that keeps it.
///
///     var color = NamedColor(name: "Sea", color: blue)      kept by nobody
///     NamedColorEntity.createInManagedObjectContext(context, &color)
///     color.name = "Deep Sea"                               saved
///
/// Values are equal if they have the same content and the same entity, so that a list can be
/// compared with its former state.
struct NamedColor: Equatable {
  let uuid: UUID
  let savedAt: Date
  let color: Color
  var entityRef: NamedColorEntity?

  var name: String {
    didSet {
      if let entityRef, name != oldValue {
        entityRef.colorName = name
        saving = Result { try entityRef.saveContext() }
      }
    }
  }

  /// How saving the last change went; a property observer cannot throw.
  private(set) var saving: Result<Void, any Error> = .success(())

  init(name: String, color: Color, uuid: UUID = UUID(), savedAt: Date = Date()) {
    self.name = name
    self.color = color
    self.uuid = uuid
    self.savedAt = savedAt
  }

  static func == (one: NamedColor, other: NamedColor) -> Bool {
    one.uuid == other.uuid && one.name == other.name && one.color == other.color
      && one.entityRef === other.entityRef
  }
}

extension NamedColorEntity {
  /// The value of an entity, with a reference to it.
  static func createInstanceFromEntity(_ entity: NamedColorEntity) -> NamedColor {
    var namedColor = NamedColor(
      name: entity.colorName ?? "",
      color: .fromNumbers(
        red: entity.redComponent,
        green: entity.greenComponent,
        blue: entity.blueComponent
      ),
      uuid: entity.uuid ?? UUID(),
      savedAt: entity.savedAt ?? Date()
    )
    namedColor.entityRef = entity
    return namedColor
  }

  /// An entity that keeps a value, which refers to it from now on.
  @discardableResult
  static func createInManagedObjectContext(
    _ context: NSManagedObjectContext,
    _ namedColor: inout NamedColor
  ) -> NamedColorEntity {
    let newEntity = NamedColorEntity(context: context)
    let components = namedColor.color.components
    newEntity.redComponent = components.red
    newEntity.greenComponent = components.green
    newEntity.blueComponent = components.blue
    newEntity.colorName = namedColor.name
    newEntity.uuid = namedColor.uuid
    newEntity.savedAt = namedColor.savedAt
    namedColor.entityRef = newEntity
    return newEntity
  }

  /// Saves the context of this entity; a save that fails is taken back.
  func saveContext() throws {
    guard let context = managedObjectContext, context.hasChanges else { return }
    try context.saveOrTakeBack()
  }
}

extension NSManagedObjectContext {
  /// Saves; if that fails, everything is as the store has it.
  func saveOrTakeBack() throws {
    do {
      try save()
    } catch {
      rollback()
      // After a conflict the objects would keep what they were before, and conflict again.
      refreshAllObjects()
      throw error
    }
  }
}
