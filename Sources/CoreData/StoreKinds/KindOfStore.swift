package import CoreDataModel
import Foundation

/// A kind of store: how one is opened, and what can be done with its files while it is not open.
///
/// ``KindsOfStores`` knows the kinds by their types. The abilities of an open store are those of its ``RowStore``.
package protocol KindOfStore: Sendable {
  /// The text that names the kind, such as `NSSQLiteStoreType`.
  var type: String { get }
  /// The class of its stores.
  var storeClass: NSPersistentStore.Type { get }
  /// Opens a store, or makes it if it does not exist.
  func open(
    _ place: StorePlace,
    for coordinator: NSPersistentStoreCoordinator
  ) throws -> NSPersistentStore
  /// Whether the contents of a file look like such a store.
  func recognizes(_ content: Data) -> Bool
  /// The metadata of a store's file.
  func metadata(at url: URL, _ options: [AnyHashable: Any]?) throws -> [String: Any]
  func setMetadata(
    _ metadata: [String: Any]?,
    at url: URL,
    _ options: [AnyHashable: Any]?
  ) throws
  /// Whether there is something at a place that a new store would take the place of.
  func isThere(at url: URL, _ options: [AnyHashable: Any]?) throws -> Bool
  /// The metadata about the model that a store was made with; `nil` if the store does not exist yet.
  func versionMetadata(of place: StorePlace) throws -> [String: Any]?
  /// The model that a store carries; `nil` if it does not contain a readable one.
  func storedModel(of place: StorePlace) -> ModelSchema?
  /// Migrates a store where it is, in one transaction, from one model to the other.
  ///
  /// If `source` is `nil`, it is looked for. Returns false for a kind whose stores are copied instead.
  func migrate(
    _ place: StorePlace,
    from source: ModelSchema?,
    to destination: NSManagedObjectModel
  ) throws -> Bool
  /// Whether the options of two stores at one URL mean the same store.
  func meanSameStore(_ one: [AnyHashable: Any]?, _ other: [AnyHashable: Any]?) -> Bool
  /// Takes the contents of a store away.
  func destroy(at url: URL, _ options: [AnyHashable: Any]?) throws
  /// Removes the files of a copy that failed.
  func takeBackCopy(at url: URL, _ options: [AnyHashable: Any]?) throws
  /// Makes a store a copy of another one.
  func replace(
    at url: URL,
    _ options: [AnyHashable: Any]?,
    with source: URL,
    _ sourceOptions: [AnyHashable: Any]?
  ) throws
}

extension KindOfStore {
  package var storeClass: NSPersistentStore.Type { NSPersistentStore.self }

  package func recognizes(_ content: Data) -> Bool { false }

  package func isThere(at url: URL, _ options: [AnyHashable: Any]?) throws -> Bool {
    url.isFileURL && !url.isNowhere && FileManager.default.fileExists(atPath: url.path)
  }

  package func versionMetadata(of place: StorePlace) throws -> [String: Any]? {
    guard let url = place.url, FileManager.default.fileExists(atPath: url.path),
      try FileManager.default.size(of: url) > 0
    else { return nil }
    return try metadata(at: url, place.options)
  }

  package func storedModel(of place: StorePlace) -> ModelSchema? { nil }

  package func migrate(
    _ place: StorePlace,
    from source: ModelSchema?,
    to destination: NSManagedObjectModel
  ) throws -> Bool { false }

  package func takeBackCopy(at url: URL, _ options: [AnyHashable: Any]?) throws {
    try destroy(at: url, options)
  }

  package func meanSameStore(_ one: [AnyHashable: Any]?, _ other: [AnyHashable: Any]?) -> Bool {
    true
  }
}
