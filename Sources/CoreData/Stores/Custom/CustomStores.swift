import CoreDataModel
import Foundation
import Synchronization

/// The classes that users have registered for types of stores, and how their stores are opened.
///
/// ```
/// init → loadMetadata → versions are compared → didAdd(to:) → load (atomic stores)
/// ```
enum CustomStores {
  private static let classes = Mutex<[String: StoreClass]>([:])

  /// Safety: a class is immutable.
  private struct StoreClass: @unchecked Sendable {
    let type: NSPersistentStore.Type
  }

  static func register(_ storeClass: NSPersistentStore.Type?, for type: String) {
    let boxed = storeClass.map(StoreClass.init)
    classes.withLock { $0[type] = boxed }
  }

  static func storeClass(for type: String) -> NSPersistentStore.Type? {
    classes.withLock { $0[type] }?.type
  }

  /// The registered types, by name.
  static var all: [String: NSPersistentStore.Type] {
    classes.withLock { $0 }.mapValues(\.type)
  }

  /// Makes a store of a registered class; throws 134000 where none is, and whatever its author throws.
  static func open(
    _ place: StorePlace,
    for coordinator: NSPersistentStoreCoordinator
  ) throws -> NSPersistentStore {
    guard let type = storeClass(for: place.type) else {
      throw StoreFailure(.unknownType(place.type), path: place.path).error()
    }
    let store = type.init(
      persistentStoreCoordinator: coordinator,
      configurationName: place.configuration,
      at: place.url ?? URL(fileURLWithPath: "/dev/null"),
      options: place.options
    )
    try store.loadMetadata()
    try complete(store, place, coordinator.layout)
    switch store {
    case let store as NSAtomicStore:
      StoreHome.register(store, references: store.references)
      store.didAdd(to: coordinator)
      try store.load()
      store.rows = try AtomicNodes.rows(of: store, in: coordinator.layout)
    case let store as NSIncrementalStore:
      StoreHome.register(store, references: store.references)
      store.rows = IncrementalRows(store, coordinator.layout)
      IncrementalStores.add(store)
      store.didAdd(to: coordinator)
    case _:
      stop("\(type) must inherit from NSAtomicStore or NSIncrementalStore to be a store")
    }
    return store
  }

  /// Adds what every store's metadata have, and holds the versions against the model.
  private static func complete(
    _ store: NSPersistentStore,
    _ place: StorePlace,
    _ layout: ModelLayout
  ) throws {
    var metadata: [String: Any] = store.metadata ?? [:]
    if (metadata[NSStoreTypeKey] as? String ?? "").isEmpty { metadata[NSStoreTypeKey] = place.type }
    if metadata[NSStoreUUIDKey] == nil { metadata[NSStoreUUIDKey] = UUID().uuidString }
    if metadata[NSStoreModelVersionHashesKey] == nil {
      let part = StoreMetadata.schema(layout.schema, in: place.configuration)
      metadata[NSStoreModelVersionHashesKey] = part.entityVersionHashes
      metadata[NSStoreModelVersionHashesVersionKey] = 3
      metadata[NSStoreModelVersionIdentifiersKey] = part.versionIdentifiers.sorted()
    } else {
      try place.check(metadata, against: layout)
    }
    store.metadata = metadata
  }
}
