import Synchronization

/// The listeners that want to know that a store leaves its coordinator, before it does.
final class StoreDepartures: Sendable {
  typealias Listener = @Sendable (NSPersistentStore) -> Void

  private let listeners = Mutex<[ObjectIdentifier: Listener]>([:])

  /// Tells a listener from now on; the last one of each object counts.
  func follow(for object: AnyObject, _ listener: @escaping Listener) {
    let id = ObjectIdentifier(object)
    listeners.withLock { $0[id] = listener }
  }

  func tell(of store: NSPersistentStore) {
    let listeners = listeners.withLock { Array($0.values) }
    for listener in listeners { listener(store) }
  }
}
