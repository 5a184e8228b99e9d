import CoreData
import Foundation

/// The store that a driver keeps in step, and the recipients of its reports.
///
/// Safety: a coordinator serves any thread; of the store, only what it has from its opening is read: its URL, its
/// identifier, its type and its configuration.
struct KeptStore: @unchecked Sendable {
  let coordinator: NSPersistentStoreCoordinator
  let store: NSPersistentStore
  let address: String
  /// The name of this device for people; empty if it is not shared.
  let deviceName: String
  let reportEvent: @Sendable (SyncedStore.Event) -> Void
  let reportStatus: @Sendable (SyncedStore.Status) -> Void

  /// The UUID of the store.
  var identifier: String { store.identifier ?? "" }

  /// The path of the store's file; `nil` for a store without a file, or in memory.
  var path: String? { store.pathOfFile }
}

extension NSPersistentStore {
  /// The path of the file; `nil` for a store without a file, or in memory.
  var pathOfFile: String? {
    guard let path = url.flatMap({ $0.isFileURL ? $0.path : nil }), path != "/dev/null",
      !path.hasPrefix("/dev/null/")
    else { return nil }
    return path
  }
}
