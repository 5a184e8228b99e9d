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

  /// Gives the files beside the store the protection that the store's file has, on systems that protect files.
  ///
  /// By its name, because only Apple's Foundation has a constant for it.
  func protect(_ paths: String...) {
    let key = FileAttributeKey(rawValue: "NSFileProtectionKey")
    let files = FileManager.default
    guard let path, let protection = try? files.attributesOfItem(atPath: path)[key] else { return }
    for path in paths.flatMap({ [$0, "\($0)-wal", "\($0)-shm"] })
    where files.fileExists(atPath: path) {
      // A file that cannot be protected more keeps the protection of its folder.
      try? files.setAttributes([key: protection], ofItemAtPath: path)
    }
  }

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
