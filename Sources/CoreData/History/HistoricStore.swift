import Foundation

/// A store that can keep a history of the writes to it.
package protocol HistoricStore: RowStore {
  /// Whether this one has a history.
  var hasHistory: Bool { get }
  /// Whether the store must not be written, because its history would have gaps.
  var isLocked: Bool { get }
  /// The transactions that a plan asks for.
  func excerpt(
    _ plan: HistoryPlan,
    of store: NSPersistentStore,
    withChanges: Bool
  ) throws -> HistoryExcerpt
  /// The identities of the objects that changes are of.
  func changedObjects(
    _ plan: HistoryPlan,
    of store: NSPersistentStore
  ) throws
    -> [NSManagedObjectID]
  func changeCount(_ plan: HistoryPlan, of store: NSPersistentStore) throws -> Int
  /// The number of the last transaction; `nil` if the store does not have a history.
  func lastTransactionNumber() throws -> Int64?
  /// Removes the older part of the history, and gives the number of changes that went.
  func purge(_ purge: HistoryPurge) throws -> Int
}

extension NSPersistentStore {
  /// The store as the reader of its history; `nil` if it does not have one.
  package var history: (any HistoricStore)? {
    guard let store = backend as? any HistoricStore, store.hasHistory else { return nil }
    return store
  }

  /// Locks the store against writing, and logs the reason.
  package func lockForHistory(path: String) {
    isReadOnly = true
    ProgramLog.say(
      """
      warning: \(path) keeps a persistent history, and was opened without \
      NSPersistentHistoryTrackingKey. It is read-only, because what is written now would be missing \
      there; set the key to true to write.
      """
    )
  }
}
