// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import Foundation

/// The names of Core Data's notifications, with the values of Apple's framework.
extension Notification.Name {
  /// A notification that a context posts at the end of an event in which objects have changed.
  ///
  /// The object is the context. The `userInfo` contains sets of objects under
  /// `NSInsertedObjectsKey`, `NSUpdatedObjectsKey`, `NSDeletedObjectsKey`, `NSRefreshedObjectsKey`
  /// and `NSInvalidatedObjectsKey`, as far as they are not empty; after
  /// ``NSManagedObjectContext/reset()`` it contains `NSInvalidatedAllObjectsKey`. It is posted on
  /// the context's queue.
  public static let NSManagedObjectContextObjectsDidChange = Self(
    "NSObjectsChangedInManagingContextNotification"
  )
  /// A notification that a context posts at the beginning of a save.
  ///
  /// The object is the context. Observers can still change objects. It is posted on the context's
  /// queue.
  public static let NSManagedObjectContextWillSave = Self(
    "NSManagingContextWillSaveChangesNotification"
  )
  /// A notification that a context posts after a save.
  ///
  /// The object is the context. The `userInfo` contains sets of objects under
  /// `NSInsertedObjectsKey`, `NSUpdatedObjectsKey` and `NSDeletedObjectsKey`, even if they are
  /// empty, and, if a store keeps a history, a token under `NSPersistentHistoryTokenKey`. It is
  /// posted on the context's queue. Other contexts can merge the changes with
  /// ``NSManagedObjectContext/mergeChanges(fromContextDidSave:)``.
  public static let NSManagedObjectContextDidSave = Self(
    "NSManagingContextDidSaveChangesNotification"
  )
  /// A notification that a context posts after a save, with identities instead of objects.
  ///
  /// The object is the context. The `userInfo` contains sets of `NSManagedObjectID`s under
  /// `NSInsertedObjectIDsKey`, `NSUpdatedObjectIDsKey` and `NSDeletedObjectIDsKey`, which you can
  /// pass to other threads. It is posted on the context's queue.
  public static let NSManagedObjectContextDidSaveObjectIDs = Self(
    "NSManagedObjectContextDidSaveObjectIDsNotification"
  )
  /// A notification that a context posts after it has merged changes that were made elsewhere.
  ///
  /// The object is the context. The `userInfo` contains sets of `NSManagedObjectID`s. It is posted
  /// on the context's queue.
  public static let NSManagedObjectContextDidMergeChangesObjectIDs = Self(
    "NSManagedObjectContextDidMergeChangesObjectIDsNotification"
  )
  /// A notification that Apple's coordinators post before the account of iCloud changes.
  ///
  /// It is never posted on Linux, which does not have iCloud. Observe `NSPersistentStoreCoordinatorWillRemoveStore` to act
  /// before a store is removed.
  public static let NSPersistentStoreCoordinatorStoresWillChange = Self(
    "NSPersistentStoreCoordinatorStoresWillChangeNotification"
  )
  /// A notification that a coordinator posts after stores were added or removed, or the UUID of a
  /// store has changed.
  ///
  /// The object is the coordinator. The `userInfo` contains arrays of stores under
  /// `NSAddedPersistentStoresKey`, `NSRemovedPersistentStoresKey` or
  /// `NSUUIDChangedPersistentStoresKey`.
  public static let NSPersistentStoreCoordinatorStoresDidChange = Self(
    "NSPersistentStoreCoordinatorStoresDidChangeNotification"
  )
  /// A notification that a coordinator posts before a store is removed.
  ///
  /// The object is the store. The `userInfo` contains an array of stores under `NSRemovedPersistentStoresKey`.
  public static let NSPersistentStoreCoordinatorWillRemoveStore = Self(
    "NSPersistentStoreCoordinatorWillRemoveStoreNotification"
  )
  /// A notification that is posted after this program or another one has written to a store.
  ///
  /// It is posted for stores that were opened with
  /// `NSPersistentStoreRemoteChangeNotificationPostOptionKey`. The object is the coordinator. The
  /// `userInfo` contains `NSStoreUUIDKey`, `NSPersistentStoreURLKey` and, if the store keeps a
  /// history, `NSPersistentHistoryTokenKey`. The URL of a PostgreSQL store comes without its password, because
  /// programs write notifications into logs; the UUID identifies the store. It is posted on a separate queue, in the
  /// order of the writes. Writes of other programs within about 50 milliseconds are combined.
  public static let NSPersistentStoreRemoteChange = Self(
    "NSPersistentStoreRemoteChangeNotification"
  )
}

// MARK: - Objects, as sets

/// The `userInfo` key of the set of inserted objects.
public let NSInsertedObjectsKey = "inserted"
/// The `userInfo` key of the set of updated objects.
public let NSUpdatedObjectsKey = "updated"
/// The `userInfo` key of the set of deleted objects.
public let NSDeletedObjectsKey = "deleted"
/// The `userInfo` key of the set of refreshed objects.
public let NSRefreshedObjectsKey = "refreshed"
/// The `userInfo` key of the set of invalidated objects, whose store was removed.
public let NSInvalidatedObjectsKey = "invalidated"
/// The `userInfo` key of an array with the identities of all objects that were in a context before
/// it was reset.
public let NSInvalidatedAllObjectsKey = "invalidatedAll"

// MARK: - Identities, as sets

/// The `userInfo` key of the set of the identities of inserted objects.
public let NSInsertedObjectIDsKey = "inserted_objectIDs"
/// The `userInfo` key of the set of the identities of updated objects.
public let NSUpdatedObjectIDsKey = "updated_objectIDs"
/// The `userInfo` key of the set of the identities of deleted objects.
public let NSDeletedObjectIDsKey = "deleted_objectIDs"
/// The `userInfo` key of the set of the identities of refreshed objects.
public let NSRefreshedObjectIDsKey = "refreshed_objectIDs"
/// The `userInfo` key of the set of the identities of invalidated objects.
public let NSInvalidatedObjectIDsKey = "invalidated_objectIDs"

// MARK: - Query generations

/// The `userInfo` key of the ``NSQueryGenerationToken`` to which a context is pinned after a save.
///
/// It is missing if the context is not pinned.
public let NSManagedObjectContextQueryGenerationKey = "newQueryGeneration"

// MARK: - Histories

/// The `userInfo` key of the `NSPersistentHistoryToken` of a save.
public let NSPersistentHistoryTokenKey = "historyToken"
/// The `userInfo` key of the location of the store that was written.
public let NSPersistentStoreURLKey = "storeURL"

// MARK: - Stores, as arrays

/// The `userInfo` key of an array of added stores.
public let NSAddedPersistentStoresKey = "NSAddedPersistentStoresKey"
/// The `userInfo` key of an array of removed stores.
public let NSRemovedPersistentStoresKey = "NSRemovedPersistentStoresKey"
/// The `userInfo` key of an array that describes a store whose UUID has changed.
///
/// Its elements are the old store and the new store, which can be the same, and, after
/// ``NSPersistentStoreCoordinator/migratePersistentStore(_:to:options:type:)``, an array of the new
/// identities of objects.
public let NSUUIDChangedPersistentStoresKey = "NSUUIDChangedPersistentStoresKey"
