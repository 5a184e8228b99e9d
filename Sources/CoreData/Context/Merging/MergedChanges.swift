import Foundation

/// Saved changes by the names of the objects, for other contexts to merge.
struct MergedChanges: Sendable {
  var inserted: [ObjectName] = []
  var updated: [ObjectName] = []
  var deleted: [ObjectName] = []
  /// Objects that will lose their values, and their unsaved changes.
  var invalidated: [ObjectName] = []
  /// Whether the cached rows may be older than the saved ones: these were not saved through this coordinator.
  var comesFromElsewhere = false
  /// The rows, for children of the sender.
  var carried: CarriedRows?

  /// The changes that stores have saved.
  init(_ saved: [StoreSave]) {
    for part in saved {
      let name = { (number: Int64, layout: EntityLayout) in
        ObjectName(key: part.key(number, layout), layout: layout)
      }
      inserted += part.plan.rows.inserts.map { name($0.primaryKey, $0.layout) }
      updated += part.plan.rows.updates.map { name($0.primaryKey, $0.layout) }
      deleted += part.plan.rows.deletes.map { name($0.primaryKey, $0.layout) }
    }
  }

  /// The changes that a context saves, or has saved.
  init(_ changes: ChangeSet) {
    inserted = changes.inserted.map { ObjectName($0) }
    updated = changes.updated.map { ObjectName($0) }
    deleted = changes.deleted.map { ObjectName($0) }
  }

  var isEmpty: Bool {
    inserted.isEmpty && updated.isEmpty && deleted.isEmpty && invalidated.isEmpty
  }
}

// MARK: - From a notification

extension MergedChanges {
  /// The changes in the notification of another context, or in a dictionary of the same form.
  ///
  /// Values are sets or arrays of objects, identities or URIs. An object of another coordinator is the one of the
  /// same store file here; objects that no store here has are left out.
  init(_ userInfo: [AnyHashable: Any], for coordinator: NSPersistentStoreCoordinator) {
    let names = { (keys: [String]) in
      keys.flatMap { key in
        Self.elements(of: userInfo[key]).compactMap { ObjectName($0, in: coordinator) }
      }
    }
    inserted = names([NSInsertedObjectsKey, NSInsertedObjectIDsKey])
    updated = names([
      NSUpdatedObjectsKey, NSUpdatedObjectIDsKey, NSRefreshedObjectsKey, NSRefreshedObjectIDsKey,
    ])
    deleted = names([NSDeletedObjectsKey, NSDeletedObjectIDsKey])
    invalidated = names([
      NSInvalidatedObjectsKey, NSInvalidatedObjectIDsKey, NSInvalidatedAllObjectsKey,
    ])
  }

  private static func elements(of value: Any?) -> [Any] {
    switch value {
    case let set as Set<NSManagedObject>: Array(set)
    case let set as Set<NSManagedObjectID>: Array(set)
    case let set as Set<URL>: Array(set)
    case let set as NSSet: set.allObjects
    case let array as NSArray: array.map { $0 }
    case let array as [Any]: array
    case let set as Set<AnyHashable>: set.map(\.base)
    case nil: []
    case let other?:
      stop("changes to merge are sets or arrays of objects, identities or URIs, not \(other)")
    }
  }
}

extension ObjectName {
  /// The object that a value means, as contexts of the coordinator name it; nil when it is in none of
  /// its stores.
  fileprivate init?(_ value: Any, in coordinator: NSPersistentStoreCoordinator) {
    switch value {
    case let object as NSManagedObject: self.init(ObjectName(object), in: coordinator)
    case let id as NSManagedObjectID: self.init(ObjectName(id), in: coordinator)
    case let url as URL:
      guard let id = coordinator.managedObjectID(forURIRepresentation: url) else { return nil }
      self.init(id)
    case let other: stop("an object to merge is an object, an identity or a URI, not \(other)")
    }
  }

  private init?(_ other: ObjectName, in coordinator: NSPersistentStoreCoordinator) {
    let key = other.key
    if key.isTemporary || coordinator.store(numbered: key.store) != nil {
      self = other
      return
    }
    let identifier = StoreHome.ofStore(key.store)?.identifier
    guard let store = coordinator.persistentStores.first(where: { $0.identifier == identifier }),
      let layout = coordinator.layout[other.layout.name]
    else { return nil }
    self.init(
      key: ObjectKey(store: store.number, root: layout.rootNumber, number: key.number),
      layout: layout
    )
  }
}

// MARK: - To a notification

extension MergedChanges {
  /// Sets of identities under the keys that speak of identities; empty ones are left out.
  var userInfo: [AnyHashable: Any] {
    let lists = [
      (NSInsertedObjectIDsKey, inserted), (NSUpdatedObjectIDsKey, updated),
      (NSDeletedObjectIDsKey, deleted), (NSInvalidatedObjectIDsKey, invalidated),
    ]
    var userInfo: [AnyHashable: Any] = [:]
    for (key, names) in lists where !names.isEmpty { userInfo[key] = Set(names.map(\.id)) }
    return userInfo
  }
}
