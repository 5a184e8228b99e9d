import Foundation

/// The answer to a ``NSPersistentHistoryChangeRequest``.
public final class NSPersistentHistoryResult: NSPersistentStoreResult {
  /// What the request asked for; see ``NSPersistentHistoryResultType``.
  public let result: Any?

  /// The form of the result.
  public let resultType: NSPersistentHistoryResultType

  init(_ result: Any, _ type: NSPersistentHistoryResultType) {
    self.result = result
    resultType = type
    super.init()
  }
}

/// What a request for history gives; raw values are Apple's.
public enum NSPersistentHistoryResultType: Int, Sendable {
  /// True, as an `NSNumber`: it was done.
  case statusOnly = 0
  /// The `NSManagedObjectID`s of the objects that have changed, each once.
  case objectIDs = 1
  /// How many changes there are, as an `NSNumber`.
  case count = 2
  /// `NSPersistentHistoryTransaction`s without their changes.
  case transactionsOnly = 3
  /// `NSPersistentHistoryChange`s.
  case changesOnly = 4
  /// `NSPersistentHistoryTransaction`s with their changes.
  case transactionsAndChanges = 5
}
