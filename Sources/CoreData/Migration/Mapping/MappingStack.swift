import Foundation

/// The coordinator, store and context of one end of a migration.
///
/// Objects are plain: the classes of a program know the newest model, and would do in a migration what
/// they do in the program.
struct MappingStack {
  let coordinator: NSPersistentStoreCoordinator
  let store: NSPersistentStore
  let context: NSManagedObjectContext

  init(
    _ model: NSManagedObjectModel,
    type: String,
    at url: URL,
    options: [AnyHashable: Any]?,
    named name: String
  ) throws {
    coordinator = NSPersistentStoreCoordinator(managedObjectModel: model.withPlainClasses)
    store = try coordinator.addPersistentStore(
      ofType: type,
      configurationName: nil,
      at: url,
      options: options?.withoutMigrating
    )
    context = NSManagedObjectContext(.privateQueue)
    context.persistentStoreCoordinator = coordinator
    context.name = name
  }

  /// Lets go of the store, so that its file is at rest.
  func close() throws {
    guard coordinator.persistentStores.contains(store) else { return }
    try context.performAndWait {
      context.reset()
      try coordinator.remove(store)
    }
  }

  func layout(_ name: String?) -> EntityLayout? { name.flatMap { coordinator.layout[$0] } }
}

extension [AnyHashable: Any] {
  /// The options without those that would have the store migrated while it is opened for a migration.
  var withoutMigrating: [AnyHashable: Any] {
    let own = [
      NSMigratePersistentStoresAutomaticallyOption, NSInferMappingModelAutomaticallyOption,
      NSPersistentStoreStagedMigrationManagerOptionKey,
    ]
    return filter { !own.contains($0.key.base as? String ?? "") }
  }
}

extension NSManagedObjectModel {
  /// A copy whose objects are plain `NSManagedObject`s.
  fileprivate var withPlainClasses: NSManagedObjectModel {
    let copy = duplicate
    for entity in copy.entities { entity.managedObjectClassName = "NSManagedObject" }
    return copy
  }
}
