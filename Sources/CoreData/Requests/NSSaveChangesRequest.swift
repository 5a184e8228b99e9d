import Foundation

/// The changes that a custom store must save.
///
/// An ``NSIncrementalStore`` receives this request in `execute(_:with:)`. Empty sets are `nil`. If
/// all sets are `nil`, only the metadata of the store have changed. Versions have been compared before:
/// the store's values of each updated, deleted or locked object were requested.
public class NSSaveChangesRequest: NSPersistentStoreRequest {
  /// The objects to insert.
  public let insertedObjects: Set<NSManagedObject>?
  /// The objects to update.
  public let updatedObjects: Set<NSManagedObject>?
  /// The objects to delete.
  public let deletedObjects: Set<NSManagedObject>?
  /// The unchanged objects that must not have been changed by others; see
  /// ``NSManagedObjectContext/detectConflicts(for:)``.
  public let lockedObjects: Set<NSManagedObject>?

  /// Creates a request.
  ///
  /// - Parameters:
  ///   - insertedObjects: The objects to insert.
  ///   - updatedObjects: The objects to update.
  ///   - deletedObjects: The objects to delete.
  ///   - lockedObjects: The unchanged objects that must not have been changed by others.
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

  /// The kind of request, which is `.saveRequestType`.
  public override var requestType: NSPersistentStoreRequestType { .saveRequestType }
}
