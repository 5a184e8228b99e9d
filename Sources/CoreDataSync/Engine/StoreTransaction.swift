package import CoreData

/// A transaction of a store's history: the part of `NSPersistentHistoryTransaction` that the engine reads.
///
/// A test puts looser ones in the place of the framework's, as Apple's documentation permits them.
package protocol StoreTransaction {
  var transactionNumber: Int64 { get }
  var timestamp: Date { get }
  var author: String? { get }
  var contextName: String? { get }
  /// The position behind the transaction.
  var token: NSPersistentHistoryToken { get }
  /// The changes, if they were asked for.
  var storeChanges: [any StoreChange] { get }
}

/// A change of an object in a store's history: the part of `NSPersistentHistoryChange` that the engine reads.
package protocol StoreChange {
  var changedObjectID: NSManagedObjectID { get }
  var changeType: NSPersistentHistoryChangeType { get }
  /// The names of the properties that an update has changed; `nil` if it does not name them.
  var changedNames: Set<String>? { get }
}

extension NSPersistentHistoryTransaction: StoreTransaction {
  package var storeChanges: [any StoreChange] { changes ?? [] }
}

extension NSPersistentHistoryChange: StoreChange {
  package var changedNames: Set<String>? { updatedProperties.map { Set($0.map(\.name)) } }
}
