import Foundation

/// A store that cannot write a value or a file, whatever is saved.
package enum WriteFailure: Hashable {
  /// The store keeps a history, and was opened without the option that says so.
  case readOnlyForHistory(store: String)
  /// A value that cannot be turned into data.
  case untransformable(attribute: String, reason: String)
  /// The file for large data could not be written.
  case externalFile(path: String, reason: String, code: CocoaError.Code)
  /// More data than a file for large data may have.
  case largeExternalData(bytes: Int, limit: Int)

  package var error: NSError {
    switch self {
    case .readOnlyForHistory(let store):
      FailureText(
        description: "The store cannot be written.",
        reason: """
          \(store) keeps a persistent history, and was opened without \
          NSPersistentHistoryTrackingKey, so that what is written would be missing there.
          """,
        suggestion: "Open the store with NSPersistentHistoryTrackingKey set to true."
      ).error(
        code: CocoaError.fileWriteNoPermission.rawValue,
        userInfo: [NSFilePathErrorKey: store]
      )
    case .untransformable(let attribute, let reason):
      FailureText(
        description: "A value cannot be turned into data.",
        reason: "\(attribute): \(reason).",
        suggestion: "Register a transformer with ValueTransformer.setValueTransformer(_:forName:)"
          + " that takes such values; the default takes property lists, URLs and UUIDs."
      ).error(code: NSPersistentStoreSaveError)
    case .externalFile(let path, let reason, let code):
      FailureText(
        description: "Data could not be written to a file of its own.",
        reason: "\(path): \(reason).",
        suggestion: "Check that the folder may be written and the disk has room, and save again."
      ).error(code: code.rawValue, userInfo: [NSFilePathErrorKey: path])
    case .largeExternalData(let bytes, let limit):
      FailureText(
        description: "Data are too large for a file of their own.",
        reason: "They have \(bytes) bytes; a store keeps at most \(limit) in a file.",
        suggestion: "Keep such data in a file of the program, and its name in the object."
      ).error(code: NSPersistentStoreSaveError)
    }
  }
}
