package import CoreData
import Foundation

/// The store that is kept in step, used by means of API that Apple's framework has too.
package struct StoreDoor {
  let coordinator: NSPersistentStoreCoordinator
  let store: NSPersistentStore
  private let reading: Reading
  private let leaving: Leaving

  /// Changes a part of the history before the engine reads it.
  package typealias Reading = ([any StoreTransaction]) -> [any StoreTransaction]

  /// Has the next save write the metadata of a store.
  package typealias Leaving = (
    [String: Any], NSPersistentStoreCoordinator, NSPersistentStore
  ) -> Void

  /// A store as the framework shows it; a test reads the history and writes the metadata in another way.
  package init(
    coordinator: NSPersistentStoreCoordinator,
    store: NSPersistentStore,
    reading: @escaping Reading = { $0 },
    leaving: @escaping Leaving = { $1.setMetadata($0, for: $2) }
  ) {
    self.coordinator = coordinator
    self.store = store
    self.reading = reading
    self.leaving = leaving
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

  /// The store's metadata, with changes that the next save writes.
  var metadata: [String: Any] { coordinator.metadata(for: store) }

  /// Has the next save write the store's metadata.
  func leave(_ metadata: [String: Any]) { leaving(metadata, coordinator, store) }

  func objectID(at address: String) -> NSManagedObjectID? {
    URL(string: address).flatMap { coordinator.managedObjectID(forURIRepresentation: $0) }
  }
}

extension NSManagedObjectID {
  /// The identity as text, which stays as long as the object does.
  package var address: String { uriRepresentation().absoluteString }
}
