import Foundation

/// A request for history that cannot be answered.
enum HistoryFailure: Hashable {
  /// Some transactions after the given one were purged.
  case expired(Int64, purgedBefore: Int64, last: Int64, store: String)
  /// The store keeps no history.
  case notKept(store: String)
  /// The store does not say when it was written to.
  case silent(store: String)
  /// The request inside is about something else.
  case otherEntity(String)
  /// Changes that go without their transactions.
  case purgeOfChanges
  /// An order over several stores.
  case severalStores

  var error: NSError {
    switch self {
    case .expired(let number, let first, let last, let store):
      FailureText(
        description: "The history token has expired.",
        reason: """
          It stands at transaction \(number) of the store \(store), where everything before \
          transaction \(first) was purged, and \(last) is the last.
          """,
        suggestion: """
          Read the store itself anew, and go on from \
          currentPersistentHistoryToken(fromStores:).
          """
      ).error(code: NSPersistentHistoryTokenExpiredError)
    case .notKept(let store):
      FailureText(
        description: "There is no history.",
        reason: "\(store) keeps no persistent history.",
        suggestion: "Open a SQLite store with NSPersistentHistoryTrackingKey set to true."
      ).error(
        code: NSPersistentStoreUnsupportedRequestTypeError,
        userInfo: [NSFilePathErrorKey: store]
      )
    case .silent(let store):
      FailureText(
        description: "The history cannot be followed.",
        reason: "\(store) does not tell of what is written to it.",
        suggestion: """
          Open the store with NSPersistentStoreRemoteChangeNotificationPostOptionKey set to true.
          """
      ).error(
        code: NSPersistentStoreUnsupportedRequestTypeError,
        userInfo: [NSFilePathErrorKey: store]
      )
    case .otherEntity(let name):
      FailureText(
        description: "The history cannot be fetched.",
        reason: "The request inside the history request is about \(name).",
        suggestion: """
          Take NSPersistentHistoryTransaction.fetchRequest or \
          NSPersistentHistoryChange.fetchRequest.
          """
      ).error(code: NSPersistentStoreUnsupportedRequestTypeError)
    case .purgeOfChanges:
      FailureText(
        description: "The history cannot be deleted.",
        reason: """
          The request inside the history request selects changes, and only whole transactions can be deleted.
          """,
        suggestion: "Take NSPersistentHistoryTransaction.fetchRequest."
      ).error(code: NSPersistentStoreUnsupportedRequestTypeError)
    case .severalStores:
      FailureText(
        description: "The history cannot be sorted.",
        reason: "The request has an order, and is for the histories of several stores.",
        suggestion: "Ask each store by itself, with the request's affectedStores."
      ).error(code: NSPersistentStoreUnsupportedRequestTypeError)
    }
  }
}
