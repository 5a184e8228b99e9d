import Foundation
import Synchronization

/// The latest events of the stores of a coordinator.
final class SyncEvents: Sendable {
  private let events = Mutex<[NSPersistentCloudKitContainer.Event]>([])
  private static let limit = 1_000

  var all: [NSPersistentCloudKitContainer.Event] { events.withLock { $0 } }

  /// Notes an event; one that has ended takes the place of its beginning.
  func note(_ event: NSPersistentCloudKitContainer.Event) {
    events.withLock { events in
      events.removeAll { $0.identifier == event.identifier }
      events.append(event)
      if events.count > Self.limit { events.removeFirst(events.count - Self.limit) }
    }
  }
}
