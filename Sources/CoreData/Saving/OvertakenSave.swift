import Foundation

/// Others have taken a value that must be unique between the check and the statement: nothing was written, and
/// a new check will find it.
package struct OvertakenSave: Error {
  /// The error if it happens again and again.
  let cause: NSError

  package init(cause: NSError) {
    self.cause = cause
  }
}
