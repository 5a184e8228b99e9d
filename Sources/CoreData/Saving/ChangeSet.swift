/// The objects of one save, in the order in which they were changed.
struct ChangeSet {
  let inserted: [NSManagedObject]
  let updated: [NSManagedObject]
  let deleted: [NSManagedObject]
  /// Objects that are not changed, and that nobody else may have changed.
  let locked: [NSManagedObject]
  /// Where the stores' histories stand when it is saved; nil where there are none.
  var historyToken: NSPersistentHistoryToken?

  init(_ tracker: ChangeTracker, locked: [NSManagedObject] = []) {
    inserted = tracker.inserted.objects
    updated = tracker.updated.objects
    deleted = tracker.deleted.objects
    self.locked = locked.filter { $0.record.pointee.life == .clean }
  }

  /// The objects that stores have saved.
  init(_ saved: [SavedPart]) {
    inserted = saved.flatMap(\.outcome.inserted)
    updated = saved.flatMap(\.outcome.updated).filter(\.isUpdated)
    deleted = saved.flatMap(\.outcome.deleted)
    locked = []
    historyToken = NSPersistentHistoryToken(saved)
  }

  var all: [NSManagedObject] { inserted + updated + deleted }

  /// Whether the stores have nothing to write or to check.
  var isEmpty: Bool {
    inserted.isEmpty && updated.isEmpty && deleted.isEmpty && locked.isEmpty
  }
}

/// The part of a save that one store takes.
struct StoreChanges {
  let store: NSPersistentStore
  /// The new objects, each with its place in the whole save's list.
  fileprivate(set) var inserted: [(object: NSManagedObject, place: Int)] = []
  fileprivate(set) var updated: [NSManagedObject] = []
  fileprivate(set) var deleted: [NSManagedObject] = []
  fileprivate(set) var locked: [NSManagedObject] = []

  fileprivate var isEmpty: Bool {
    inserted.isEmpty && updated.isEmpty && deleted.isEmpty && locked.isEmpty
  }
}

extension ChangeSet {
  /// Splits the changes among the stores.
  ///
  /// A new object goes where it was assigned to, or to the first store that can take its entity.
  /// Throws 134030 for an object that no store can take.
  func parts(
    among stores: [NSPersistentStore],
    assigned assignments: [ObjectIdentifier: NSPersistentStore]
  ) throws -> [StoreChanges] {
    var parts = stores.map { StoreChanges(store: $0) }
    for (place, object) in inserted.enumerated() {
      let assigned = assignments[ObjectIdentifier(object)]
      let key = object.record.pointee.key
      let home = parts.firstIndex { part in
        if !key.isTemporary { return part.store.number == key.store }
        if let assigned { return part.store === assigned }
        return part.store.holds(object.layout) && !part.store.isReadOnly
      }
      guard let home else { throw SaveFailure.homeless(object.layout, among: stores) }
      if parts[home].store.isReadOnly {
        throw parts[home].store.readOnlyFailure.error
      }
      parts[home].inserted.append((object, place))
    }
    for object in updated {
      parts[try index(of: object, among: parts)].updated.append(object)
    }
    for object in deleted {
      parts[try index(of: object, among: parts)].deleted.append(object)
    }
    for object in locked {
      let number = object.record.pointee.key.store
      // Nobody changes a store that is gone.
      guard let home = parts.firstIndex(where: { $0.store.number == number }) else { continue }
      if !parts[home].store.isReadOnly { parts[home].locked.append(object) }
    }
    return parts.filter { !$0.isEmpty }
  }

  private func index(of object: NSManagedObject, among parts: [StoreChanges]) throws -> Int {
    let number = object.record.pointee.key.store
    guard let index = parts.firstIndex(where: { $0.store.number == number }) else {
      throw SaveFailure.storeRemoved(object: "\(object.objectID)").error
    }
    if parts[index].store.isReadOnly {
      throw parts[index].store.readOnlyFailure.error
    }
    return index
  }
}
