// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import Foundation

/// The names of Core Data's notifications and of what they carry; names and values are Apple's.
extension Notification.Name {
  public static let NSManagedObjectContextObjectsDidChange = Self(
    "NSObjectsChangedInManagingContextNotification"
  )
  public static let NSManagedObjectContextWillSave = Self(
    "NSManagingContextWillSaveChangesNotification"
  )
  public static let NSManagedObjectContextDidSave = Self(
    "NSManagingContextDidSaveChangesNotification"
  )
  public static let NSManagedObjectContextDidSaveObjectIDs = Self(
    "NSManagedObjectContextDidSaveObjectIDsNotification"
  )
  public static let NSManagedObjectContextDidMergeChangesObjectIDs = Self(
    "NSManagedObjectContextDidMergeChangesObjectIDsNotification"
  )
  /// Posted before a store is removed or moved, not before one is added; the object is the coordinator.
  public static let NSPersistentStoreCoordinatorStoresWillChange = Self(
    "NSPersistentStoreCoordinatorStoresWillChangeNotification"
  )
  public static let NSPersistentStoreCoordinatorStoresDidChange = Self(
    "NSPersistentStoreCoordinatorStoresDidChangeNotification"
  )
  /// Posted before a store is removed; the object is the store.
  public static let NSPersistentStoreCoordinatorWillRemoveStore = Self(
    "NSPersistentStoreCoordinatorWillRemoveStoreNotification"
  )
  /// Something was written to a store, by this program or another; see
  /// `NSPersistentStoreRemoteChangeNotificationPostOptionKey`.
  ///
  /// The object is the coordinator; `NSStoreUUIDKey`, `NSPersistentStoreURLKey` and, where the store
  /// keeps a history, `NSPersistentHistoryTokenKey` say what and until when. Posted on a queue of its
  /// own, in the order of the writes; those of others within some 50 milliseconds are told once.
  public static let NSPersistentStoreRemoteChange = Self(
    "NSPersistentStoreRemoteChangeNotification"
  )
}

// MARK: - Objects, as sets

public let NSInsertedObjectsKey = "inserted"
public let NSUpdatedObjectsKey = "updated"
public let NSDeletedObjectsKey = "deleted"
public let NSRefreshedObjectsKey = "refreshed"
public let NSInvalidatedObjectsKey = "invalidated"
/// The identities of all objects, when the context forgot everything.
public let NSInvalidatedAllObjectsKey = "invalidatedAll"

// MARK: - Identities, as sets

public let NSInsertedObjectIDsKey = "inserted_objectIDs"
public let NSUpdatedObjectIDsKey = "updated_objectIDs"
public let NSDeletedObjectIDsKey = "deleted_objectIDs"
public let NSRefreshedObjectIDsKey = "refreshed_objectIDs"
public let NSInvalidatedObjectIDsKey = "invalidated_objectIDs"

// MARK: - Query generations

/// The moment to which a context is pinned after a save, as an ``NSQueryGenerationToken``.
public let NSManagedObjectContextQueryGenerationKey = "newQueryGeneration"

// MARK: - Histories

/// A save's place in the history, as an `NSPersistentHistoryToken`.
public let NSPersistentHistoryTokenKey = "historyToken"
/// The file of the store that was written.
public let NSPersistentStoreURLKey = "storeURL"

// MARK: - Stores, as arrays

public let NSAddedPersistentStoresKey = "NSAddedPersistentStoresKey"
public let NSRemovedPersistentStoresKey = "NSRemovedPersistentStoresKey"
public let NSUUIDChangedPersistentStoresKey = "NSUUIDChangedPersistentStoresKey"
