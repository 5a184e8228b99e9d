import CoreData

/// The stack: the model `BookStore`, one SQLite file, and the context that the program works in.
struct Persistence {
  let container = NSPersistentContainer(name: "BookStore")

  var managedObjectContext: NSManagedObjectContext { container.viewContext }

  /// The store's file.
  var file: URL {
    container.persistentStoreDescriptions[0].url ?? NSPersistentContainer.defaultDirectoryURL()
  }

  /// Opens the store, and makes it if it does not exist.
  init(store file: URL?) throws {
    if let file {
      container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: file)]
    }
    try container.loadStores()
  }

  func saveContext() throws {
    if managedObjectContext.hasChanges { try managedObjectContext.save() }
  }
}

extension NSPersistentContainer {
  /// Opens the stores, and throws the first error.
  func loadStores() throws {
    var failure: (any Error)?
    loadPersistentStores { _, error in failure = failure ?? error }
    if let failure { throw failure }
  }
}
