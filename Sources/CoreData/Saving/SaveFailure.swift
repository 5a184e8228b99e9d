import CoreDataSQLite
import Foundation

/// A save that a coordinator cannot carry out.
package enum SaveFailure: Hashable {
  /// No store of the coordinator takes the entity's objects.
  case noStore(entity: String)
  /// The coordinator does not have any stores.
  case noStores(entity: String)
  /// The stores that hold the entity may not be written: their places.
  case onlyReadOnly(entity: String, stores: [String])
  /// The store that an object came from was removed.
  case storeRemoved(object: String)
  case readOnly(store: String)
  case relationshipBetweenStores(key: String, entity: String, destination: String)
  /// Objects keep changing in `willSave()`.
  case endlessChanges
  /// Others change the same rows again and again.
  case endlessConflicts
  /// Rows of one store have changed, when another had written for good.
  case lateConflicts

  package var error: NSError {
    switch self {
    case .noStore(let entity):
      FailureText(
        description: "The \(entity) cannot be saved.",
        reason: "No store of the coordinator holds the entity \(entity) and can be written.",
        suggestion: "Add a store whose configuration has \(entity) before saving."
      ).error(code: NSPersistentStoreSaveError)
    case .noStores(let entity):
      FailureText(
        description: "The \(entity) cannot be saved.",
        reason: "The coordinator has no store: none was added, or none could be loaded.",
        suggestion:
          "Load the stores first, with loadPersistentStores or addPersistentStore, and look"
          + " at the error that they report."
      ).error(code: NSPersistentStoreSaveError)
    case .onlyReadOnly(let entity, let stores):
      FailureText(
        description: "The \(entity) cannot be saved.",
        reason: "The stores that hold the entity \(entity) are read-only:"
          + " \(stores.joined(separator: ", ")).",
        advice: .openForWriting
      ).error(code: NSPersistentStoreSaveError)
    case .storeRemoved(let object):
      FailureText(
        description: "The object cannot be saved.",
        reason: "The store of \(object) is not among the coordinator's stores.",
        suggestion: "Add the store again, or reset the context."
      ).error(code: NSPersistentStoreSaveError)
    case .readOnly(let store):
      FailureText(
        description: "The store cannot be written.",
        reason: "\(store) was opened as read-only.",
        advice: .openForWriting
      ).error(
        code: CocoaError.fileWriteNoPermission.rawValue,
        userInfo: [NSFilePathErrorKey: store]
      )
    case .relationshipBetweenStores(let key, let entity, let destination):
      ObjectFailure.otherStore(key: key, entity: entity, uri: entity, destination: destination)
        .error()
    case .endlessChanges:
      FailureText(
        description: "The changes cannot be saved.",
        reason: "Objects were changed again and again in willSave(), 1000 times over.",
        suggestion: "In willSave(), set a property only when its value differs."
      ).error(code: NSCoreDataError)
    case .endlessConflicts:
      FailureText(
        description: "The changes cannot be saved.",
        reason:
          "Others changed the same rows each time the merge policy had resolved the conflicts.",
        advice: .beginAnew("Save again later, or less often at the same time.")
      ).error(code: NSManagedObjectMergeError)
    case .lateConflicts:
      FailureText(
        description: "The changes cannot be saved.",
        reason: "Others have changed the same rows since they were read.",
        advice: .beginAnew("Save again, so that the merge policy is asked.")
      ).error(code: NSManagedObjectMergeError)
    }
  }

  /// The error for a new object that none of the stores takes.
  static func homeless(_ layout: EntityLayout, among stores: [NSPersistentStore]) -> NSError {
    if stores.isEmpty { return noStores(entity: layout.name).error }
    let holders = stores.filter { $0.holds(layout) }
    if holders.isEmpty { return noStore(entity: layout.name).error }
    return onlyReadOnly(entity: layout.name, stores: holders.map(\.shownPath)).error
  }

  /// The error for a relationship that leads out of the object's store.
  static func between(
    _ object: NSManagedObject,
    _ slot: Int,
    _ target: NSManagedObject
  ) -> NSError {
    relationshipBetweenStores(
      key: object.layout.slots[slot].name,
      entity: object.layout.name,
      destination: "\(target.objectID)"
    ).error
  }
}
