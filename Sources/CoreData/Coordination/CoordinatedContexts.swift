import Foundation
import Synchronization

/// The contexts of a coordinator, none of which it keeps alive.
final class CoordinatedContexts: Sendable {
  private let maps = Mutex<[WeakMap]>([])

  private struct WeakMap {
    weak var map: IdentityMap?
  }

  func add(_ map: IdentityMap) {
    maps.withLock { maps in
      maps.removeAll { $0.map == nil || $0.map === map }
      maps.append(WeakMap(map: map))
    }
  }

  /// Runs the body on each context's queue: at once where it is the current one, otherwise later.
  func tell(_ body: @escaping @Sendable (NSManagedObjectContext) -> Void) {
    for map in maps.withLock({ $0.compactMap(\.map) }) {
      guard let context = map.context else { continue }
      if context.queue.isCurrent {
        body(context)
      } else {
        context.queue.async { map.context.map(body) }
      }
    }
  }
}

extension NSManagedObjectContext {
  /// Takes the values and changes from the objects of a store that is no longer there.
  ///
  /// Posts `NSManagedObjectContextObjectsDidChange` with them under `NSInvalidatedObjectsKey`. They have
  /// no values any more, and count as deleted once somebody asks for one.
  func invalidateObjects(of store: StoreNumber) {
    let objects = identityMap.objects.filter { object in
      object.key.store == store && !object.isInserted
    }
    for object in objects {
      tracker.leave(object)
      pending.settle(object)
      object.turnIntoFault()
    }
    pending.forget(store)
    if objects.isEmpty { return }
    children.noteEvent()
    for object in objects { object.tellTrackersOfNewValues() }
    announce(ContextChanges(invalidated: Set(objects)))
  }
}
