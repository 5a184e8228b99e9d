/// The objects of one save, or of one store's part in it, in the order in which they were changed.
struct ChangeSet {
  private(set) var inserted: [NSManagedObject] = []
  private(set) var updated: [NSManagedObject] = []
  private(set) var deleted: [NSManagedObject] = []
  /// Objects that are not changed, and that nobody else may have changed.
  private(set) var locked: [NSManagedObject] = []
  /// The end of the stores' histories at the time of the save; `nil` if they do not have histories.
  var historyToken: NSPersistentHistoryToken?

  init() {}

  init(_ tracker: ChangeTracker, locked: [NSManagedObject] = []) {
    inserted = tracker.inserted.objects
    updated = tracker.updated.objects
    deleted = tracker.deleted.objects
    self.locked = locked.filter { $0.life == .clean }
  }

  /// The objects that stores have saved.
  init(_ saved: [StoreSave]) {
    inserted = saved.flatMap(\.plan.inserted)
    updated = saved.flatMap(\.plan.updated).filter(\.willBeUpdated)
    deleted = saved.flatMap(\.plan.deleted)
    historyToken = .reached(by: saved)
  }

  var all: [NSManagedObject] { .joined(inserted, updated, deleted) }

  /// Whether the stores have nothing to write or to check.
  var isEmpty: Bool {
    inserted.isEmpty && updated.isEmpty && deleted.isEmpty && locked.isEmpty
  }
}

// MARK: - Among stores

extension ChangeSet {
  /// Splits the changes among the stores, and adds stores of which only the metadata will be written.
  ///
  /// A new object goes where it was assigned to, or to the first store that can take its entity.
  /// Throws 134030 for an object that no store can take.
  func shares(
    among stores: [NSPersistentStore],
    assigned assignments: [ObjectIdentifier: NSPersistentStore]
  ) throws -> [(store: NSPersistentStore, changes: ChangeSet)] {
    if stores.count == 1, assignments.isEmpty, !isEmpty, areAll(in: stores[0]) {
      return [(store: stores[0], changes: self)]
    }
    var shares = stores.map { (store: $0, changes: ChangeSet()) }
    for object in inserted {
      let home = try home(of: object, among: stores, assignments[ObjectIdentifier(object)])
      shares[home].changes.inserted.append(object)
    }
    for object in updated {
      shares[try home(of: object, among: stores)].changes.updated.append(object)
    }
    for object in deleted {
      shares[try home(of: object, among: stores)].changes.deleted.append(object)
    }
    for object in locked {
      let number = object.key.store
      // Nobody changes a store that is gone.
      guard let home = stores.firstIndex(where: { $0.number == number }) else { continue }
      if !stores[home].isReadOnly { shares[home].changes.locked.append(object) }
    }
    let concerned = shares.filter { !$0.changes.isEmpty }
    return concerned
      + shares.filter { store, changes in
        changes.isEmpty && store.hasUnsavedMetadata && !store.isReadOnly
      }
  }

  /// Whether one store, which can be written, takes all of them: this usual case is found without a look at the store
  /// for each object.
  private func areAll(in store: NSPersistentStore) -> Bool {
    if store.isReadOnly { return false }
    let number = store.number
    var held: ObjectIdentifier?
    for object in inserted {
      let key = object.key
      if !key.isTemporary {
        if key.store != number { return false }
        continue
      }
      let entity = ObjectIdentifier(object.layout)
      if entity == held { continue }
      guard store.holds(object.layout) else { return false }
      held = entity
    }
    return [updated, deleted, locked].allSatisfy { objects in
      objects.allSatisfy { $0.key.store == number }
    }
  }

  /// The index of the store for a new object.
  private func home(
    of object: NSManagedObject,
    among stores: [NSPersistentStore],
    _ assigned: NSPersistentStore?
  ) throws -> Int {
    let key = object.key
    let home = stores.firstIndex { store in
      if !key.isTemporary { return store.number == key.store }
      if let assigned { return store === assigned }
      return store.holds(object.layout) && !store.isReadOnly
    }
    guard let home else { throw SaveFailure.homeless(object.layout, among: stores) }
    if stores[home].isReadOnly { throw stores[home].readOnlyError }
    return home
  }

  /// The index of the store that an object is from.
  private func home(of object: NSManagedObject, among stores: [NSPersistentStore]) throws -> Int {
    let number = object.key.store
    guard let home = stores.firstIndex(where: { $0.number == number }) else {
      throw SaveFailure.storeRemoved(object: "\(object.objectID)").error
    }
    if stores[home].isReadOnly { throw stores[home].readOnlyError }
    return home
  }
}
