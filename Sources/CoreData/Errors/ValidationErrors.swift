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

  package init() {}

  package mutating func add(_ error: any Error) {
    let error = error as NSError
    let isContainer =
      error.domain == NSCocoaErrorDomain && error.code == NSValidationMultipleErrorsError
    if isContainer, let parts = error.userInfo[NSDetailedErrorsKey] as? [NSError] {
      for part in parts { add(part) }
    } else {
      errors.append(error)
    }
  }

  /// What to throw; nil when there is nothing to throw.
  package var combined: NSError? {
    guard errors.count > 1 else { return errors.first }
    let text = FailureText(
      description: "Multiple validation errors occurred.",
      reason: errors.map(\.localizedDescription).joined(separator: "\n"),
      suggestion: "Mend each of the errors under NSDetailedErrorsKey."
    )
    return text.error(
      code: NSValidationMultipleErrorsError,
      userInfo: [NSDetailedErrorsKey: errors]
    )
  }
}
