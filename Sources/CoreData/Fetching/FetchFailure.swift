import Foundation

/// A fetch without a result, although the stores have answered.
enum FetchFailure: Hashable {
  /// The objects are not of the type that the request promises.
  case otherType(found: String, wanted: String)
  /// A dictionary would need the rows of several stores.
  case severalStores(entity: String)

  var error: NSError {
    switch self {
    case .otherType(let found, let wanted):
      FailureText(
        description: "The objects cannot be fetched.",
        reason: "The request promises \(wanted), but the store has \(found).",
        suggestion: "Make the request with the type of what it finds: NSFetchRequest<\(found)>."
      ).error(code: NSCoreDataError)
    case .severalStores(let entity):
      FailureText(
        description: "The dictionaries cannot be fetched.",
        reason: """
          Objects of \(entity) are in several stores, and sorted, distinct, grouped or computed \
          dictionaries are made by one.
          """,
        suggestion: "Ask each store by itself, with the request's affectedStores."
      ).error(code: NSPersistentStoreUnsupportedRequestTypeError)
    }
  }

  /// Somebody cancelled the fetch.
  static var cancelled: NSError {
    FailureText(
      description: "The fetch was cancelled.",
      reason: "Its progress, its result or its task was cancelled before all was read.",
      suggestion: "Fetch again."
    ).error(code: CocoaError.userCancelled.rawValue)
  }
}
