package import CoreData
import Foundation

/// The store that is kept in step, used by means of API that Apple's framework has too.
package struct StoreDoor {
  let coordinator: NSPersistentStoreCoordinator
  let store: NSPersistentStore
  private let reading: Reading

  /// Changes a part of the history before the engine reads it.
  package typealias Reading = ([any StoreTransaction]) -> [any StoreTransaction]

  /// A store as the framework shows it; a test reads the history in another way.
  package init(
    coordinator: NSPersistentStoreCoordinator,
    store: NSPersistentStore,
    reading: @escaping Reading = { $0 }
  ) {
    self.coordinator = coordinator
    self.store = store
    self.reading = reading
  }

  /// The store's part of the coordinator's model.
  var model: SyncModel {
    get throws {
      try SyncModel(coordinator.managedObjectModel, configuration: store.configurationName)
    }
  }

  /// The author of the engine's saves.
  static let author = "CoreDataSync"

  func context() -> NSManagedObjectContext {
    let context = NSManagedObjectContext(.privateQueue)
    context.persistentStoreCoordinator = coordinator
    context.transactionAuthor = Self.author
    context.undoManager = nil
    context.mergePolicy = NSMergePolicy.error
    return context
  }

  /// The transactions after a token, with their changes if needed.
  ///
  /// Throws 134301 if the history does not go back so far.
  func transactions(
    after token: NSPersistentHistoryToken?,
    withChanges: Bool = false
  ) throws -> [any StoreTransaction] {
    let request = NSPersistentHistoryChangeRequest.fetchHistory(after: token)
    request.resultType = withChanges ? .transactionsAndChanges : .transactionsOnly
    request.affectedStores = [store]
    let context = context()
    return try context.performAndWait {
      let result = try context.execute(request) as? NSPersistentHistoryResult
      return reading(result?.result as? [NSPersistentHistoryTransaction] ?? [])
    }
  }

  /// The place behind all that was ever written, whether it was purged or not.
  var currentToken: NSPersistentHistoryToken {
    get throws {
      guard let token = coordinator.currentPersistentHistoryToken(fromStores: [store]) else {
        throw SyncFailure.noHistory(store.url?.path ?? "The store")
      }
      return token
    }
  }

  func objectID(at address: String) -> NSManagedObjectID? {
    URL(string: address).flatMap { coordinator.managedObjectID(forURIRepresentation: $0) }
  }
}

extension NSManagedObjectID {
  /// The identity as text, which stays as long as the object does.
  package var address: String { uriRepresentation().absoluteString }
}
