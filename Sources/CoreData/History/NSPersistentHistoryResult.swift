import Foundation

/// The result of an ``NSPersistentHistoryChangeRequest``, as ``NSManagedObjectContext/execute(_:)`` returns it.
public final class NSPersistentHistoryResult: NSPersistentStoreResult {
  /// The result, whose type depends on the ``resultType``; see ``NSPersistentHistoryResultType``.
  public let result: Any?

  /// The type of the result, which is that of the request.
  public let resultType: NSPersistentHistoryResultType

  init(_ result: Any, _ type: NSPersistentHistoryResultType) {
    self.result = result
    resultType = type
    super.init()
  }
}

/// The types of results of a persistent history request, with the raw values of Apple's framework.
public enum NSPersistentHistoryResultType: Int, Sendable {
  /// `true`, as an `NSNumber`, if the request succeeded.
  case statusOnly = 0
  /// An array of the `NSManagedObjectID`s of the changed objects, without duplicates.
  case objectIDs = 1
  /// The number of changes, as an `NSNumber`.
  case count = 2
  /// An array of `NSPersistentHistoryTransaction`s without their changes.
  case transactionsOnly = 3
  /// An array of `NSPersistentHistoryChange`s.
  case changesOnly = 4
  /// An array of `NSPersistentHistoryTransaction`s with their changes.
  case transactionsAndChanges = 5
}
