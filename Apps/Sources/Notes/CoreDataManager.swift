import CoreData

/// The stack: the model `Notes`, one SQLite file, and the context that every list and page shares.
final class CoreDataManager: Sendable {
  let managedObjectContext: NSManagedObjectContext
  /// The store's file.
  let file: URL
  private let container: NSPersistentContainer

  /// Opens the store, and makes it if it does not exist.
  init(store file: URL?) throws {
    let model = Bundle.module.url(forResource: "Notes", withExtension: "momd")
      .flatMap(NSManagedObjectModel.init(contentsOf:))
    guard let model else { throw CocoaError(.fileReadNoSuchFile) }
    container = NSPersistentContainer(name: "Notes", managedObjectModel: model)
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
    managedObjectContext.automaticallyMergesChangesFromParent = true
  }

  /// A context that can take back what it does, for one deletion.
  func newUndoableContext() -> NSManagedObjectContext {
    let context = container.newBackgroundContext()
    context.undoManager = UndoManager()
    // Changes made in between stay, beside those that are taken back.
    context.automaticallyMergesChangesFromParent = true
    context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
    return context
  }
}
