package import Foundation

/// A save that cannot be done for a reason other than the values of one object.
///
/// Objects come as the text of their URI, so that this room knows no objects; the objects
/// themselves can be given to the error.
package enum SaveFailure: Hashable, Sendable {
  /// Each `willSave` changed another object, without end.
  case endlessChanges
  /// No store of the coordinator holds the entity and may be written.
  case noStore(entity: String)
  /// The object's store has left the coordinator.
  case storeRemoved(object: String)
  case readOnly(store: String)
  /// A relationship from an object of one store to an object of another.
  case relationshipBetweenStores(entity: String, key: String)
  /// Objects that were changed by someone else since they were read.
  case mergeConflict(objects: [String])

  package var error: NSError { error() }

  /// The error, with the objects concerned and, for a merge, the conflicts.
  package func error(objects: [Any] = [], conflicts: [Any] = []) -> NSError {
    var userInfo: [String: Any] = [:]
    if !objects.isEmpty { userInfo[NSAffectedObjectsErrorKey] = objects }
    if !conflicts.isEmpty { userInfo[NSPersistentStoreSaveConflictsErrorKey] = conflicts }
    if case .readOnly(let path) = self { userInfo[NSFilePathErrorKey] = path }
    return text.error(code: code, userInfo: userInfo)
  }

  package var code: Int {
    switch self {
    case .endlessChanges: NSCoreDataError
    case .noStore, .storeRemoved: NSPersistentStoreSaveError
    case .readOnly: CocoaError.fileWriteNoPermission.rawValue
    case .relationshipBetweenStores: NSManagedObjectExternalRelationshipError
    case .mergeConflict: NSManagedObjectMergeError
    }
  }
}

// MARK: - Words

extension SaveFailure {
  private var text: FailureText {
    switch self {
    case .endlessChanges:
      FailureText(
        description: "The changes could not be saved.",
        reason: "After a thousand rounds of willSave() there were still new changes.",
        suggestion: "In willSave(), set a value only when it differs from the one that is there."
      )
    case .noStore(let entity):
      FailureText(
        description: "There is no store for \(entity).",
        reason: "No store of the coordinator holds \(entity) and may be written.",
        suggestion: "Add a store whose configuration has \(entity), and that is not read-only."
      )
    case .storeRemoved(let object):
      FailureText(
        description: "The store of an object is gone.",
        reason: "\(object) lives in a store that was removed from the coordinator.",
        suggestion: "Add the store again, or reset the context."
      )
    case .readOnly(let store):
      FailureText(
        description: "The store is read-only.",
        reason: "\(store) was opened with NSReadOnlyPersistentStoreOption.",
        suggestion: "Open the store without the option, or roll the changes back."
      )
    case .relationshipBetweenStores(let entity, let key):
      FailureText(
        description: "\(key) refers to an object in another store.",
        reason: "\(entity).\(key) leads from an object of one store to an object of another.",
        suggestion: "Assign both objects to one store, or keep the object's URI in an attribute."
      )
    case .mergeConflict(let objects):
      FailureText(
        description: "Could not merge changes.",
        reason: "Changed by someone else since they were read: "
          + objects.joined(separator: ", ") + ".",
        suggestion: "Refresh the objects and save again, or set the context's merge policy."
      )
    }
  }
}
