import CoreData
import TestSupport

/// Models that tests describe in code, in stores of every kind.
enum CodedModel {
  static func model(_ entities: NSEntityDescription...) -> NSManagedObjectModel {
    let model = NSManagedObjectModel()
    model.entities = entities
    return model
  }

  static func entity(
    _ name: String,
    _ type: NSManagedObject.Type = NSManagedObject.self,
    _ properties: NSPropertyDescription...
  ) -> NSEntityDescription {
    let entity = NSEntityDescription()
    entity.name = name
    if type != NSManagedObject.self { entity.managedObjectClassName = NSStringFromClass(type) }
    entity.properties = properties
    return entity
  }

  static func attribute(
    _ name: String,
    _ type: NSAttributeType = .stringAttributeType,
    default value: Any? = nil
  ) -> NSAttributeDescription {
    let attribute = NSAttributeDescription()
    attribute.name = name
    attribute.attributeType = type
    attribute.defaultValue = value
    return attribute
  }

  static func coordinator(
    _ model: NSManagedObjectModel,
    _ kind: StoreKind = .memory
  ) throws -> NSPersistentStoreCoordinator {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try addStore(kind, to: coordinator)
    return coordinator
  }

  @discardableResult
  static func addStore(
    _ kind: StoreKind,
    to coordinator: NSPersistentStoreCoordinator,
    configuration: String? = nil
  ) throws -> NSPersistentStore {
    try kind.add(to: coordinator, configuration: configuration)
  }
}
