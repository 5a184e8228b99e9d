import CoreData
import CoreDataSQL
import CoreDataSQLite

/// A context through which the store is read in portions; it may see the store as it was at one moment.
///
/// A moment costs a connection of its own. It is for a store that is written to while it is read.
final class StoreReader {
  let context: NSManagedObjectContext
  /// Holds the moment while the other context forgets its objects, which moves it on.
  private let keeper: NSManagedObjectContext?

  /// Sees whatever is in the store when it is asked.
  init(_ door: StoreDoor) {
    context = door.context()
    keeper = nil
  }

  /// Sees the store's present content, whatever is written later; only if it can hold a moment.
  ///
  /// The objects of an entity are looked for, because the first reading decides which moment it is.
  init(ofNow door: StoreDoor, _ entity: SyncEntity) throws {
    let keeper = door.context()
    try keeper.performAndWait {
      try keeper.setQueryGenerationFrom(.current)
      let request = NSFetchRequest<NSManagedObjectID>(entityName: entity.description.name ?? "")
      request.resultType = .managedObjectIDResultType
      request.affectedStores = [door.store]
      request.fetchLimit = 1
      _ = try keeper.fetch(request)
    }
    self.keeper = keeper
    context = door.context()
    try context.performAndWait { try forgetObjects() }
  }

  /// Makes room for other objects; called on the context's queue.
  func forgetObjects() throws {
    context.reset()
    guard let keeper else { return }
    try context.setQueryGenerationFrom(keeper.performAndWait { keeper.queryGenerationToken })
  }
}

extension StoreReader {
  /// Whether a store's file has a write-ahead log; without one a context sees whatever is there, and says nothing.
  static func canHoldMoment(of door: StoreDoor) throws -> Bool {
    guard door.store.type == NSSQLiteStoreType, let file = door.store.url, file.isFileURL else {
      return false
    }
    // By SQLite itself: a program that closes the file elsewhere ends the locks of its connections.
    let connection = try Connection(path: file.path, mode: .readOnly)
    return try connection.text("PRAGMA journal_mode") == "wal"
  }
}
