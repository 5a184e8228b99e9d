package import Foundation

/// Every validation error of one save, told as one error.
///
/// ```
/// none            nil
/// one             the error itself
/// more than one   1560, with all of them under NSDetailedErrorsKey
/// ```
///
/// An error that was made of several gives its parts, so that the list is always flat.
package struct ValidationErrors {
  package private(set) var errors: [NSError] = []
  /// The first error as it was thrown: an error of Swift's own would lose its type as an `NSError`.
  private var first: (any Error)?

  package init() {}

  package mutating func add(_ thrown: any Error) {
    let error = thrown as NSError
    let isContainer =
      error.domain == NSCocoaErrorDomain && error.code == NSValidationMultipleErrorsError
    if isContainer, let parts = error.userInfo[NSDetailedErrorsKey] as? [NSError] {
      for part in parts { add(part) }
    } else {
      if errors.isEmpty { first = thrown }
      errors.append(error)
    }
  }

  /// The error to throw: the only one as it came, or all in one; `nil` if there are none.
  package var thrown: (any Error)? { errors.count > 1 ? combined : first }

  /// All as one error of Cocoa's kind; `nil` if there are none.
  package var combined: NSError? {
    guard errors.count > 1 else { return errors.first }
    let text = FailureText(
      description: "Multiple validation errors occurred.",
      reason: errors.map(\.localizedDescription).joined(separator: "\n"),
      advice: .mendEach
    )
    return text.error(
      code: NSValidationMultipleErrorsError,
      userInfo: [NSDetailedErrorsKey: errors]
    )
  }
}
