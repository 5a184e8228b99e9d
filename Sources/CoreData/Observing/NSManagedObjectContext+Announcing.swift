public import Foundation

// MARK: - Notifications

/// What a context tells, on its queue, while whoever made the change waits:
///
/// ```
/// WillSave            nothing
/// ObjectsDidChange    inserted, updated, deleted, refreshed, invalidated: sets of objects, none empty
///                     or, after a reset, invalidatedAll: the identities in an array
/// DidSave             inserted, updated, deleted: sets of objects, also when they are empty
/// DidSaveObjectIDs    the same as sets of identities
///                     both with a token of the history, where a store keeps one, and of the
///                     moment to which a pinned context has moved
/// ```
extension NSManagedObjectContext {
  func announce(_ changes: ContextChanges) {
    listeners.tell { $0.contextDidChange(changes) }
    let sets = [
      NSInsertedObjectsKey: changes.inserted,
      NSUpdatedObjectsKey: changes.updated,
      NSDeletedObjectsKey: changes.deleted,
      NSRefreshedObjectsKey: changes.refreshed,
      NSInvalidatedObjectsKey: changes.invalidated,
    ].filter { !$0.value.isEmpty }
    // Objects that came and went within the event are nobody's business.
    if !sets.isEmpty { post(.NSManagedObjectContextObjectsDidChange, sets) }
  }

  func announceReset(of ids: [NSManagedObjectID]) {
    listeners.tell { $0.contextDidReset() }
    guard !ids.isEmpty else { return }
    post(.NSManagedObjectContextObjectsDidChange, [NSInvalidatedAllObjectsKey: ids])
  }

  func announceSaveToCome() {
    post(.NSManagedObjectContextWillSave, nil)
  }

  func announceSave(of saved: ChangeSet) {
    for object in saved.all { object.didSave() }
    for object in saved.updated where object.layout.hasDerivedAttributes {
      object.tellTrackers(ofNewValuesAt: object.layout.derivedSlots)
    }
    let changes = ContextChanges(
      inserted: Set(saved.inserted),
      updated: Set(saved.updated),
      deleted: Set(saved.deleted)
    )
    listeners.tell { $0.contextDidSave(changes) }
    var objects: [String: Any] = [
      NSInsertedObjectsKey: changes.inserted,
      NSUpdatedObjectsKey: changes.updated,
      NSDeletedObjectsKey: changes.deleted,
    ]
    objects[NSPersistentHistoryTokenKey] = saved.historyToken
    objects[NSManagedObjectContextQueryGenerationKey] = queryGenerationToken
    post(.NSManagedObjectContextDidSave, objects)
    var ids: [String: Any] = [
      NSInsertedObjectIDsKey: Set(saved.inserted.map(\.objectID)),
      NSUpdatedObjectIDsKey: Set(saved.updated.map(\.objectID)),
      NSDeletedObjectIDsKey: Set(saved.deleted.map(\.objectID)),
    ]
    ids[NSPersistentHistoryTokenKey] = saved.historyToken
    ids[NSManagedObjectContextQueryGenerationKey] = queryGenerationToken
    post(.NSManagedObjectContextDidSaveObjectIDs, ids)
  }

  private func post(_ name: Notification.Name, _ userInfo: [String: Any]?) {
    NotificationCenter.default.post(name: name, object: self, userInfo: userInfo)
  }
}

// MARK: - Names

extension NSManagedObjectContext {
  /// Posted before a save looks at the changes; observers may still make some.
  public static let willSaveObjectsNotification = Notification.Name.NSManagedObjectContextWillSave

  /// Posted after a save, with sets of objects.
  public static let didSaveObjectsNotification = Notification.Name.NSManagedObjectContextDidSave

  /// Posted at the end of an event in which objects changed.
  public static let didChangeObjectsNotification =
    Notification.Name.NSManagedObjectContextObjectsDidChange

  /// Posted after a save, with sets of identities, which may be handed to other threads.
  public static let didSaveObjectIDsNotification =
    Notification.Name.NSManagedObjectContextDidSaveObjectIDs

  /// Posted after changes of elsewhere were merged, with sets of identities.
  public static let didMergeChangesObjectIDsNotification =
    Notification.Name.NSManagedObjectContextDidMergeChangesObjectIDs

  /// The keys of what notifications carry; raw values are Apple's.
  public enum NotificationKey: String, Sendable {
    case queryGeneration = "newQueryGeneration"
    case invalidatedAllObjects = "invalidatedAll"
    case insertedObjects = "inserted"
    case updatedObjects = "updated"
    case deletedObjects = "deleted"
    case refreshedObjects = "refreshed"
    case invalidatedObjects = "invalidated"
    case insertedObjectIDs = "inserted_objectIDs"
    case updatedObjectIDs = "updated_objectIDs"
    case deletedObjectIDs = "deleted_objectIDs"
    case refreshedObjectIDs = "refreshed_objectIDs"
    case invalidatedObjectIDs = "invalidated_objectIDs"
  }
}
