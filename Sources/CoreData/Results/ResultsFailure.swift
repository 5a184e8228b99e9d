import Foundation

/// A request whose results a controller cannot keep.
enum ResultsFailure: Hashable {
  /// The objects are not ordered by section.
  case sectionBeginsTwice(section: String, index: Int, entity: String)
  /// The request asks for something else than objects.
  case notObjects(entity: String)

  var error: NSError {
    switch self {
    case .sectionBeginsTwice(let section, let index, let entity):
      FailureText(
        description: "The results cannot be put into sections.",
        reason: """
          The \(entity) at index \(index) is out of order: the section "\(section)" ended before it.
          """,
        suggestion: """
          Let the first sort descriptor of the request order by the section key path, or by what the \
          section is computed from.
          """
      ).error(code: NSCoreDataError)
    case .notObjects(let entity):
      FailureText(
        description: "The results cannot be followed.",
        reason:
          "The request for \(entity) asks for identities, values or a count, not for objects.",
        suggestion: "Leave the request's resultType at .managedObjectResultType."
      ).error(code: NSPersistentStoreUnsupportedRequestTypeError)
    }
  }
}
