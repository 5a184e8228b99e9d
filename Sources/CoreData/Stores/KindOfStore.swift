import Foundation

/// A kind of store: how one is opened, and what can be done with its files while it is not open.
///
/// ``KindsOfStores`` knows the kinds by their types. What an open store can do, its ``RowStore`` says.
package protocol KindOfStore: Sendable {
  /// The text that names the kind, such as `NSSQLiteStoreType`.
  var type: String { get }
  /// The class of its stores.
  var storeClass: NSPersistentStore.Type { get }
  /// Opens a store, or makes it where there is none.
  func open(
    _ place: StorePlace,
    for coordinator: NSPersistentStoreCoordinator
  ) throws -> NSPersistentStore
  /// Whether the contents of a file look like such a store.
  func recognizes(_ content: Data) -> Bool
  /// What a store's file says of itself.
  func metadata(at url: URL, _ options: [AnyHashable: Any]?) throws -> [String: Any]
  func setMetadata(
    _ metadata: [String: Any]?,
    at url: URL,
    _ options: [AnyHashable: Any]?
  ) throws
  /// Whether the options of two stores at one URL mean the same store.
  func meanSameStore(_ one: [AnyHashable: Any]?, _ other: [AnyHashable: Any]?) -> Bool
  /// Takes the contents of a store away.
  func destroy(at url: URL, _ options: [AnyHashable: Any]?) throws
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

  package func meanSameStore(_ one: [AnyHashable: Any]?, _ other: [AnyHashable: Any]?) -> Bool {
    true
  }
}
