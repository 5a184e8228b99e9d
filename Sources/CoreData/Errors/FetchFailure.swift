package import Foundation

/// Objects that cannot be had.
package enum FetchFailure: Hashable, Sendable {
  /// The result is not of the class that the request promises.
  case unexpectedResult(found: String, wanted: String)
  /// A fault whose row is gone from the store; the object comes as the text of its URI.
  case missingRow(object: String, entity: String)

  package var error: NSError { error() }

  /// The error, with the objects concerned.
  package func error(objects: [Any] = []) -> NSError {
    text.error(
      code: code,
      userInfo: objects.isEmpty ? [:] : [NSAffectedObjectsErrorKey: objects]
    )
  }

  package var code: Int {
    switch self {
    case .unexpectedResult: NSCoreDataError
    case .missingRow: NSManagedObjectReferentialIntegrityError
    }
  }

  private var text: FailureText {
    switch self {
    case .unexpectedResult(let found, let wanted):
      FailureText(
        description: "The result is of another class.",
        reason: "The request promises \(wanted), and found \(found).",
        suggestion: "Use the class that the model names for the entity, in the request too."
      )
    case .missingRow(let object, let entity):
      FailureText(
        description: "The \(entity) does not exist any more.",
        reason: "The store has no row for \(object); it was deleted, or never saved.",
        suggestion: "Forget the object: refresh what shows it, or fetch again."
      )
    }
  }
}
