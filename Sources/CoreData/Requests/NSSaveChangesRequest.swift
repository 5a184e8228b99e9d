import Foundation

/// The changes that a store of one's own shall write.
///
/// An ``NSIncrementalStore`` gets it in `execute(_:with:)`. Sets that have nothing are nil; when all are,
/// only the store's metadata have changed.
public class NSSaveChangesRequest: NSPersistentStoreRequest {
  public let insertedObjects: Set<NSManagedObject>?
  public let updatedObjects: Set<NSManagedObject>?
  public let deletedObjects: Set<NSManagedObject>?
  /// Objects that did not change but must not have been changed by others either.
  public let lockedObjects: Set<NSManagedObject>?

  public init(
    inserted insertedObjects: Set<NSManagedObject>?,
    updated updatedObjects: Set<NSManagedObject>?,
    deleted deletedObjects: Set<NSManagedObject>?,
    locked lockedObjects: Set<NSManagedObject>?
  ) {
    self.insertedObjects = insertedObjects
    self.updatedObjects = updatedObjects
    self.deletedObjects = deletedObjects
    self.lockedObjects = lockedObjects
    super.init()
  }

  public override var requestType: NSPersistentStoreRequestType { .saveRequestType }
}
