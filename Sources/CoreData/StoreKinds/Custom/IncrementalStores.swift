import Synchronization

/// The incremental stores of the process, which are told what contexts hold.
///
/// Programs without such stores pay one look at a flag for each object.
enum IncrementalStores {
  private static let exist = Atomic<Bool>(false)
  private static let stores = Mutex<[StoreNumber: WeakStore]>([:])

  private struct WeakStore {
    weak var store: NSIncrementalStore?
  }

  static func add(_ store: NSIncrementalStore) {
    stores.withLock { $0[store.number] = WeakStore(store: store) }
    exist.store(true, ordering: .releasing)
  }

  static func noteRegistration(of object: NSManagedObject, as key: ObjectKey) {
    guard exist.load(ordering: .relaxed) else { return }
    tell([object.layout], [key]) { $0.managedObjectContextDidRegisterObjects(with: $1) }
  }

  static func noteRegistration(of objects: [NSManagedObject]) {
    guard exist.load(ordering: .relaxed), !objects.isEmpty else { return }
    tell(objects.map(\.layout), objects.map(\.key)) {
      $0.managedObjectContextDidRegisterObjects(with: $1)
    }
  }

  static func noteEnd(of object: NSManagedObject, as key: ObjectKey) {
    guard exist.load(ordering: .relaxed) else { return }
    tell([object.layout], [key]) { $0.managedObjectContextDidUnregisterObjects(with: $1) }
  }

  static func noteEnd(of objects: [NSManagedObject]) {
    guard exist.load(ordering: .relaxed), !objects.isEmpty else { return }
    tell(objects.map(\.layout), objects.map(\.key)) {
      $0.managedObjectContextDidUnregisterObjects(with: $1)
    }
  }

  private static func tell(
    _ layouts: [EntityLayout],
    _ keys: [ObjectKey],
    _ message: (NSIncrementalStore, [NSManagedObjectID]) -> Void
  ) {
    var ids: [StoreNumber: [NSManagedObjectID]] = [:]
    for (layout, key) in zip(layouts, keys) where !key.isTemporary {
      ids[key.store, default: []].append(NSManagedObjectID(key: key, layout: layout))
    }
    for (number, ids) in ids {
      if let store = stores.withLock({ $0[number]?.store }) { message(store, ids) }
    }
  }
}
