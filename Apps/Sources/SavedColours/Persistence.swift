import CoreData

/// The stack: the model `SavedColours`, one SQLite file, and one context.
struct Persistence {
  let managedObjectContext: NSManagedObjectContext
  /// The store's file.
  let file: URL

  /// Opens the store, and makes it if it does not exist.
  init(store file: URL?) throws {
    let model = Bundle.module.url(forResource: "SavedColours", withExtension: "momd")
      .flatMap(NSManagedObjectModel.init(contentsOf:))
    guard let model else { throw CocoaError(.fileReadNoSuchFile) }
    let container = NSPersistentContainer(name: "SavedColours", managedObjectModel: model)
    if let file {
      container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: file)]
    }
    for description in container.persistentStoreDescriptions {
      // People wait for the answer; the store's own patience is minutes.
      description.timeout = 10
      // A change that was confirmed is on the disk, even if the power fails a moment later.
      description.setValue("FULL" as NSString, forPragmaNamed: "synchronous")
    }
    var failure: (any Error)?
    container.loadPersistentStores { _, error in failure = failure ?? error }
    if let failure { throw failure }
    guard let url = container.persistentStoreDescriptions.first?.url else {
      throw CocoaError(.fileReadNoSuchFile)
    }
    self.file = url
    managedObjectContext = container.newBackgroundContext()
  }
}
