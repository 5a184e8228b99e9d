import Foundation

/// Stores in memory, without files.
struct MemoryKind: KindOfStore {
  var type: String { NSInMemoryStoreType }

  func open(
    _ place: StorePlace,
    for coordinator: NSPersistentStoreCoordinator
  ) throws -> NSPersistentStore {
    MemoryStore.make(place, for: coordinator)
  }

  func metadata(at url: URL, _ options: [AnyHashable: Any]?) throws -> [String: Any] {
    throw noFile(url)
  }

  func setMetadata(
    _ metadata: [String: Any]?,
    at url: URL,
    _ options: [AnyHashable: Any]?
  ) throws {
    throw noFile(url)
  }

  func destroy(at url: URL, _ options: [AnyHashable: Any]?) throws {}

  func replace(
    at url: URL,
    _ options: [AnyHashable: Any]?,
    with source: URL,
    _ sourceOptions: [AnyHashable: Any]?
  ) throws {
    throw noFile(url)
  }

  private func noFile(_ url: URL) -> NSError {
    StoreFailure(.unsupportedRequest("a file, and stores in memory have none"), path: url.path)
      .error()
  }
}
