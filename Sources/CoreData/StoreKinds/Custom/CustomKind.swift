import CoreDataModel
import Foundation

/// Stores of a class that a user has registered, and how they are opened.
///
/// ```
/// init → loadMetadata → versions are compared → didAdd(to:) → load (atomic stores)
/// ```
struct CustomKind: KindOfStore, Sendable {
  let type: String
  let storeClass: NSPersistentStore.Type

  /// Makes a store; throws whatever its author throws.
  func open(
    _ place: StorePlace,
    for coordinator: NSPersistentStoreCoordinator
  ) throws -> NSPersistentStore {
    let store = storeClass.init(
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
      store.backend = try AtomicNodes.rows(of: store, in: coordinator.layout)
    case let store as NSIncrementalStore:
      StoreHome.register(store, references: store.references)
      store.backend = IncrementalRows(store, coordinator.layout)
      IncrementalStores.add(store)
      store.didAdd(to: coordinator)
    case _:
      stop("\(storeClass) must inherit from NSAtomicStore or NSIncrementalStore to be a store")
    }
    return store
  }

  /// Adds what every store's metadata have, and holds the versions against the model.
  private func complete(
    _ store: NSPersistentStore,
    _ place: StorePlace,
    _ layout: ModelLayout
  ) throws {
    var metadata: [String: Any] = store.metadata ?? [:]
    if (metadata[NSStoreTypeKey] as? String ?? "").isEmpty { metadata[NSStoreTypeKey] = place.type }
    if metadata[NSStoreUUIDKey] == nil { metadata[NSStoreUUIDKey] = UUID().uuidString }
    if metadata[NSStoreModelVersionHashesKey] == nil {
      metadata[NSStoreModelVersionHashesKey] = StoreMetadata.versionHashes(
        of: layout,
        in: place.configuration
      )
      metadata[NSStoreModelVersionHashesVersionKey] = 3
      metadata[NSStoreModelVersionIdentifiersKey] = layout.schema.versionIdentifiers.sorted()
    } else {
      try place.check(metadata, against: layout)
    }
    store.metadata = metadata
  }
}

// MARK: - Files

extension CustomKind {
  func metadata(at url: URL, _ options: [AnyHashable: Any]?) throws -> [String: Any] {
    try storeClass.metadataForPersistentStore(with: url)
  }

  func setMetadata(
    _ metadata: [String: Any]?,
    at url: URL,
    _ options: [AnyHashable: Any]?
  ) throws {
    try storeClass.setMetadata(metadata, forPersistentStoreAt: url)
  }

  func destroy(at url: URL, _ options: [AnyHashable: Any]?) throws {
    try WholeFile(url: url, steps: FileSteps()).remove()
  }

  func replace(
    at url: URL,
    _ options: [AnyHashable: Any]?,
    with source: URL,
    _ sourceOptions: [AnyHashable: Any]?
  ) throws {
    let content = try KindsOfStores.content(at: source)
    try WholeFile(url: url, steps: FileSteps()).stage(content, modeOf: source).commit()
  }
}
