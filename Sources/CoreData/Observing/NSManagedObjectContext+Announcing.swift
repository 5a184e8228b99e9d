import CoreDataPredicates
public import Foundation

// MARK: - Notifications

/// The notifications of a context, posted on its queue, while the code that made the change waits:
///
/// ```
/// WillSave            nothing
/// ObjectsDidChange    inserted, updated, deleted, refreshed, invalidated: sets of objects, none empty
///                     or, after a reset, invalidatedAll: the identities in an array
/// DidSave             inserted, updated, deleted: sets of objects, also when they are empty
/// DidSaveObjectIDs    the same as sets of identities
///                     both with a token of the history, if a store keeps one, and of the
///                     moment to which a pinned context has moved
/// ```
extension NSManagedObjectContext {
  func announce(_ changes: ContextChanges) {
    listeners.tellOfEvent(changes)
    var sets: [AnyHashable: Any] = [:]
    func add(_ objects: Set<NSManagedObject>, _ key: String) {
      if !objects.isEmpty { sets[key] = objects }
    }
    add(changes.inserted, NSInsertedObjectsKey)
    add(changes.updated, NSUpdatedObjectsKey)
    add(changes.deleted, NSDeletedObjectsKey)
    add(changes.refreshed, NSRefreshedObjectsKey)
    add(changes.invalidated, NSInvalidatedObjectsKey)
    // Objects that came and went within the event are not reported.
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
    callDidSave(on: saved)
    for object in saved.updated where object.layout.hasDerivedAttributes {
      object.tellTrackers(ofNewValuesAt: object.layout.derivedSlots)
    }
    let changes = pending.told.changes(savedAs: saved)
    pending.told = ToldChanges()
    listeners.tellOfSave(changes)
    var objects = SavedSets.objects.filled { share in
      switch share {
      case .inserted: changes.inserted
      case .updated: changes.updated
      case .deleted: changes.deleted
      }
    }
    addState(of: saved, to: &objects)
    post(.NSManagedObjectContextDidSave, objects)
    var ids = SavedSets.ids.filled { share in
      switch share {
      case .inserted: saved.inserted.identities
      case .updated: saved.updated.identities
      case .deleted: saved.deleted.identities
      }
    }
    addState(of: saved, to: &ids)
    post(.NSManagedObjectContextDidSaveObjectIDs, ids)
  }

  /// Calls `didSave` on saved objects, each of which has its state in this save until the calls end.
  ///
  /// An override may save again; until that save ends, some of the objects have their state in that one.
  private func callDidSave(on saved: ChangeSet) {
    let objects = saved.all
    let outer = objects.map(\.lifeInSave)
    for object in saved.inserted { object.lifeInSave = .inserted }
    for object in saved.updated { object.lifeInSave = .updated }
    for object in saved.deleted { object.lifeInSave = .deleted }
    for object in objects { object.didSave() }
    for (object, life) in zip(objects, outer) { object.lifeInSave = life }
  }

  /// Adds what of it there is: taking out a value that is not there would have all keys looked at.
  private func addState(of saved: ChangeSet, to userInfo: inout [AnyHashable: Any]) {
    if let token = saved.historyToken { userInfo[NSPersistentHistoryTokenKey] = token }
    if let generation = queryGenerationToken {
      userInfo[NSManagedObjectContextQueryGenerationKey] = generation
    }
  }

  private func post(_ name: Notification.Name, _ userInfo: [AnyHashable: Any]?) {
    let watch = WatchedThread.watch
    watch?.announcementBegins()
    defer { watch?.announcementEnds() }
    NotificationCenter.default.post(name: name, object: self, userInfo: userInfo)
  }
}

/// The keys of a notification of a save, hashed once: the sets are put beside them for each save.
private struct SavedSets {
  enum Share {
    case inserted, updated, deleted
  }

  private let keys: Immutable<[AnyHashable: Share]>

  static let objects = SavedSets(NSInsertedObjectsKey, NSUpdatedObjectsKey, NSDeletedObjectsKey)
  static let ids = SavedSets(
    NSInsertedObjectIDsKey,
    NSUpdatedObjectIDsKey,
    NSDeletedObjectIDsKey
  )

  private init(_ inserted: String, _ updated: String, _ deleted: String) {
    keys = Immutable([inserted: .inserted, updated: .updated, deleted: .deleted])
  }

  func filled(_ value: (Share) -> Any) -> [AnyHashable: Any] { keys.value.mapValues(value) }
}

extension [NSManagedObject] {
  fileprivate var identities: Set<NSManagedObjectID> {
    isEmpty ? [] : Set(lazy.map(\.objectID))
  }
}

// MARK: - Names

extension NSManagedObjectContext {
  /// The name of the notification that a context posts at the beginning of a save.
  ///
  /// Observers can still change objects.
  public static let willSaveObjectsNotification = Notification.Name.NSManagedObjectContextWillSave

  /// The name of the notification that a context posts after a save, with sets of objects.
  public static let didSaveObjectsNotification = Notification.Name.NSManagedObjectContextDidSave

  /// The name of the notification that a context posts at the end of an event in which objects have
  /// changed.
  public static let didChangeObjectsNotification =
    Notification.Name.NSManagedObjectContextObjectsDidChange

  /// The name of the notification that a context posts after a save, with sets of identities that
  /// you can pass to other threads.
  public static let didSaveObjectIDsNotification =
    Notification.Name.NSManagedObjectContextDidSaveObjectIDs

  /// The name of the notification that a context posts after it has merged changes that were made
  /// elsewhere.
  public static let didMergeChangesObjectIDsNotification =
    Notification.Name.NSManagedObjectContextDidMergeChangesObjectIDs

  /// The keys of the values that a context's notifications contain, with the raw values of Apple's
  /// framework.
  public enum NotificationKey: String, Sendable {
    /// The query generation.
    case queryGeneration = "newQueryGeneration"
    /// An array with the identities of all objects that were in the context before it was reset.
    case invalidatedAllObjects = "invalidatedAll"
    /// The set of inserted objects.
    case insertedObjects = "inserted"
    /// The set of updated objects.
    case updatedObjects = "updated"
    /// The set of deleted objects.
    case deletedObjects = "deleted"
    /// The set of refreshed objects.
    case refreshedObjects = "refreshed"
    /// The set of invalidated objects, whose store was removed.
    case invalidatedObjects = "invalidated"
    /// The set of the identities of inserted objects.
    case insertedObjectIDs = "inserted_objectIDs"
    /// The set of the identities of updated objects.
    case updatedObjectIDs = "updated_objectIDs"
    /// The set of the identities of deleted objects.
    case deletedObjectIDs = "deleted_objectIDs"
    /// The set of the identities of refreshed objects.
    case refreshedObjectIDs = "refreshed_objectIDs"
    /// The set of the identities of invalidated objects.
    case invalidatedObjectIDs = "invalidated_objectIDs"
  }
}
