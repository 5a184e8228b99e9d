import CoreData
import CoreDataSyncCore

/// The engine's mark in a store's metadata, which identifies the store: the sidecar it goes with, and the number of the
/// last save.
struct StoreMark: Equatable {
  let replica: String
  let page: Int64

  private static let key = "CoreDataSync"

  init(replica: String, page: Int64) {
    self.replica = replica
    self.page = page
  }

  /// The mark of a store; nil for one that was never kept in step.
  init?(of door: StoreDoor) {
    self.init(door.metadata[Self.key])
  }

  /// The mark in a store's file, without unsaved changes; `nil` if there is none.
  init?(inFileOf door: StoreDoor) throws {
    guard let url = door.store.url else { return nil }
    let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
      ofType: door.store.type,
      at: url,
      options: nil
    )
    self.init(metadata[Self.key])
  }

  private init?(_ entry: Any?) {
    guard let values = entry as? [String: Any], let replica = values["replica"] as? String,
      let page = values["page"] as? NSNumber
    else { return nil }
    self.init(replica: replica, page: page.int64Value)
  }

  /// Has the next save write the mark.
  func leave(at door: StoreDoor) { Self.leave(self, at: door) }

  /// Has the next save write a mark, or none.
  static func leave(_ mark: StoreMark?, at door: StoreDoor) {
    var metadata = door.metadata
    metadata[key] = mark.map { ["replica": $0.replica, "page": NSNumber(value: $0.page)] }
    door.leave(metadata)
  }
}
