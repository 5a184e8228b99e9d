import CoreData
import CoreDataPostgreSQL

/// The stack: the model `BookServer` and one SQLite file or PostgreSQL database, which other processes may have open too.
struct BookStack: Sendable {
  let container: NSPersistentContainer

  /// Opens the store, and makes it if it does not exist.
  ///
  /// It keeps a history, so that each process learns of the others' changes; see ``BookFeed``.
  init(store place: URL?, replicas: [URL] = []) throws {
    container = NSPersistentContainer(name: "BookServer", managedObjectModel: try Self.model.get())
    let description =
      place.map(NSPersistentStoreDescription.init(url:)) ?? container.persistentStoreDescriptions[0]
    // This line is all that a server needs to run on several machines.
    if place?.isFileURL == false { description.type = NSPostgreSQLStoreType }
    // And this one lets replicas answer those who look.
    description.setOption(NSArray(array: replicas), forKey: NSPostgreSQLReplicasOption)
    description.setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey)
    description.setOption(
      true as NSNumber,
      forKey: NSPersistentStoreRemoteChangeNotificationPostOptionKey
    )
    description.setOption(true as NSNumber, forKey: CoreDataTextSearchOption)
    // Customers wait for the answer; the store's own patience is minutes.
    description.timeout = 10
    if description.type == NSSQLiteStoreType {
      description.setValue("67108864" as NSString, forPragmaNamed: "journal_size_limit")
    }
    container.persistentStoreDescriptions = [description]
    var failure: (any Error)?
    container.loadPersistentStores { failure = $1 }
    if let failure { throw failure }
  }

  /// One model for all stacks, so that a class belongs to one entity.
  private static let model: Result<NSManagedObjectModel, any Error> = Result {
    // Without /proc, Foundation cannot look for a program's resources.
    let file =
      ProcessInfo.processInfo.environment["BOOKSERVER_MODEL"].map { URL(filePath: $0) }
      ?? Bundle.module.url(forResource: "BookServer", withExtension: "momd")
    guard let model = file.flatMap(NSManagedObjectModel.init(contentsOf:)) else {
      throw CocoaError(.fileReadNoSuchFile)
    }
    return model
  }

  /// Closes the store; the log is written into the file, so that it can be copied.
  func close() throws {
    let coordinator = container.persistentStoreCoordinator
    for store in coordinator.persistentStores {
      if store.type == NSSQLiteStoreType { try coordinator.checkpoint(store) }
      try coordinator.remove(store)
    }
  }
}
