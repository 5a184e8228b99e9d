import CoreDataModel
import Foundation

/// Stores in SQLite files.
struct SQLiteKind: KindOfStore {
  var type: String { NSSQLiteStoreType }

  func open(
    _ place: StorePlace,
    for coordinator: NSPersistentStoreCoordinator
  ) throws -> NSPersistentStore {
    try coordinator.openUpgrading(place) { try SQLiteStore.open(place, for: coordinator) }
  }

  func recognizes(_ content: Data) -> Bool { content.starts(with: Data("SQLite format 3".utf8)) }

  func metadata(at url: URL, _ options: [AnyHashable: Any]?) throws -> [String: Any] {
    try SQLiteFile(at: url, options: options, isReadOnly: true).readMetadata()
  }

  func storedModel(of place: StorePlace) -> ModelSchema? { SQLiteFile(place: place).storedModel }

  func migrate(
    _ place: StorePlace,
    from source: ModelSchema?,
    to destination: NSManagedObjectModel
  ) throws -> Bool {
    try StoreMigration(place, to: destination.layout).perform(from: source)
    return true
  }

  func setMetadata(
    _ metadata: [String: Any]?,
    at url: URL,
    _ options: [AnyHashable: Any]?
  ) throws {
    let new = KindsOfStores.completed(metadata, from: try self.metadata(at: url, options))
    try SQLiteFile(at: url, options: options).writeMetadata(new)
  }

  func destroy(at url: URL, _ options: [AnyHashable: Any]?) throws {
    let force = options?[NSPersistentStoreForceDestroyOption] as? NSNumber
    try SQLiteFile(at: url, options: options).destroy(forced: force?.boolValue ?? false)
  }

  func replace(
    at url: URL,
    _ options: [AnyHashable: Any]?,
    with source: URL,
    _ sourceOptions: [AnyHashable: Any]?
  ) throws {
    let origin = SQLiteFile(at: source, options: sourceOptions, isReadOnly: true)
    try SQLiteFile(at: url, options: options).replace(with: origin)
  }
}
