import Foundation

/// A fetch whose objects are not of the type that the request promises.
struct FetchFailure: Hashable {
  let found: String
  let wanted: String

  var error: NSError {
    FailureText(
      description: "The objects cannot be fetched.",
      reason: "The request promises \(wanted), but the store has \(found).",
      suggestion: "Make the request with the type of what it finds: NSFetchRequest<\(found)>."
    ).error(code: NSCoreDataError)
  }
}
