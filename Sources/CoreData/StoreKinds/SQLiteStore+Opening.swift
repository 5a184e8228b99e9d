import CoreDataSQLite
import Foundation

extension SQLiteStore {
  static func open(
    _ place: StorePlace,
    for coordinator: NSPersistentStoreCoordinator
  ) throws -> NSPersistentStore {
    guard let url = place.url, url.isFileURL else {
      throw StoreFailure(.missingFile, path: place.shownAddress).error()
    }
    let (backend, metadata) = try opened(at: place, for: coordinator.layout)
    let store = NSPersistentStore(
      place,
      backend: backend,
      metadata: metadata,
      coordinator: coordinator
    )
    if backend.isLocked, !store.isReadOnly { store.lockForHistory(path: place.path) }
    if !backend.file.isWritable, !store.isReadOnly {
      store.isReadOnly = true
      backend.file.explainPermissions()
    }
    backend.tellOfWrites(to: store, at: place)
    return store
  }

  /// Begins to announce writes if the options ask for it.
  private func tellOfWrites(to store: NSPersistentStore, at place: StorePlace) {
    guard place.flag(NSPersistentStoreRemoteChangeNotificationPostOptionKey) else { return }
    let changes = RemoteChanges(of: store, pool)
    if files != nil { changes.start(path: path) }
    listener = changes
  }

  /// Opens the file, and has its statements measured.
  private static func opened(
    at place: StorePlace,
    for model: ModelLayout
  ) throws -> (backend: SQLiteStore, metadata: [String: Any]) {
    MeterLog.followSettings()
    let (backend, metadata) = try open(at: place, for: model)
    MeterHub.ofProcess.note(backend.schema, of: backend.pool.path)
    return (backend, metadata)
  }
}

extension SQLiteStore: MovableStore {
  /// The backend at the other place, where the file must be already.
  func moved(
    _ store: NSPersistentStore,
    to url: URL,
    in coordinator: NSPersistentStoreCoordinator
  ) -> (any RowStore)? {
    let place = StorePlace(
      number: store.number,
      type: NSSQLiteStoreType,
      configuration: store.namedConfiguration,
      url: url,
      options: store.options
    )
    guard FileManager.default.fileExists(atPath: url.path) else { return nil }
    // The caller only needs to know whether it worked.
    let moved = try? Self.opened(at: place, for: coordinator.layout).backend
    moved?.tellOfWrites(to: store, at: place)
    return moved
  }
}
