package import Foundation

/// An object that the store and the context do not agree on.
///
/// Identities come as the text of their URI, so that this room knows no objects.
package enum ObjectFailure: Hashable, Sendable {
  /// A fault whose row is gone from the store.
  case missingRow(uri: String, entity: String)
  /// An identity of a store that the coordinator does not have.
  case missingStore(uri: String, entity: String)
  /// A relationship from an object of one store to an object of another.
  case otherStore(key: String, entity: String, uri: String, destination: String)
  /// Objects that were changed by someone else since they were read.
  case mergeConflict(uris: [String])
  /// Objects with values that must be unique and are not; a sentence for each.
  case duplicates([String])
  /// Objects that a merge policy has made no readier to be saved than they were.
  case unresolved(policy: String, uris: [String])

  /// The error, with the objects concerned and, for a merge, the conflicts.
  package func error(objects: [Any] = [], conflicts: [Any] = []) -> NSError {
    var userInfo: [String: Any] = [:]
    if !objects.isEmpty { userInfo[NSAffectedObjectsErrorKey] = objects }
    if !conflicts.isEmpty { userInfo[NSPersistentStoreSaveConflictsErrorKey] = conflicts }
    return text.error(code: code, userInfo: userInfo)
  }

  package var code: Int {
    switch self {
    case .missingRow, .missingStore: NSManagedObjectReferentialIntegrityError
    case .otherStore: NSManagedObjectExternalRelationshipError
    case .mergeConflict, .unresolved: NSManagedObjectMergeError
    case .duplicates: NSManagedObjectConstraintMergeError
    }
  }
}

// MARK: - Words

extension ObjectFailure {
  private var text: FailureText {
    switch self {
    case .missingRow(let uri, let entity):
      FailureText(
        description: "The \(entity) does not exist any more.",
        reason: "The store has no row for \(uri); it was deleted, or never saved.",
        advice: .beginAnew("Forget the object: refresh what shows it, or fetch again.")
      )
    case .missingStore(let uri, let entity):
      FailureText(
        description: "The \(entity) is in no store that is open here.",
        reason: "The context's coordinator has no store with the UUID that stands in \(uri).",
        suggestion:
          "Add the store to the context's coordinator, or use a context of the coordinator "
          + "that the identity came from."
      )
    case .otherStore(let key, let entity, let uri, let destination):
      FailureText(
        description: "\(key) refers to an object in another store.",
        reason: "\(entity).\(key) of \(uri) refers to \(destination), which is in another store.",
        suggestion: "Assign both objects to one store, or keep the object's URI in an attribute."
      )
    case .mergeConflict(let uris):
      FailureText(
        description: "Could not merge changes.",
        reason: "Changed by someone else since they were read: "
          + uris.joined(separator: ", ") + ".",
        advice: .beginAnew(
          "Refresh the objects, merging your changes, and save again; or give the context "
            + "another merge policy than that of errors."
        )
      )
    case .duplicates(let sentences):
      FailureText(
        description: "An object with the same unique values exists already.",
        reason: sentences.joined(separator: " "),
        advice: .giveOtherValues
      )
    case .unresolved(let policy, let uris):
      FailureText(
        description: "Could not merge changes.",
        reason: "The merge policy \(policy) left conflicts as they were: "
          + uris.joined(separator: ", ") + ".",
        suggestion:
          "Call the policy's superclass, refresh the objects in it, or give them other values."
      )
    }
  }
}
