import Foundation

extension MemoryStore {
  static func make(
    _ place: StorePlace,
    for coordinator: NSPersistentStoreCoordinator
  ) -> NSPersistentStore {
    let metadata: [String: Any] = [
      NSStoreTypeKey: NSInMemoryStoreType,
      NSStoreUUIDKey: UUID().uuidString,
      NSStoreModelVersionHashesKey: StoreMetadata.versionHashes(
        of: coordinator.layout.schema,
        in: place.configuration
      ),
    ]
    let backend = MemoryStore(coordinator.layout, number: place.number)
    return NSPersistentStore(place, backend: backend, metadata: metadata, coordinator: coordinator)
  }
}

extension MemoryStore: MovableStore {
  func moved(
    _ store: NSPersistentStore,
    to url: URL,
    in coordinator: NSPersistentStoreCoordinator
  ) -> (any RowStore)? {
    guard let keeper else { return nil }
    keeper.move(to: url)
    return self
  }
}
