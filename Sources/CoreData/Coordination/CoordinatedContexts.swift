import Foundation
import Synchronization

/// The contexts of a coordinator, none of which it keeps alive.
final class CoordinatedContexts: Sendable {
  private let addresses = Mutex<[WeakAddress]>([])

  private struct WeakAddress {
    weak var address: ContextAddress?
  }

  func add(_ address: ContextAddress) {
    addresses.withLock { addresses in
      addresses.removeAll { $0.address == nil || $0.address === address }
      addresses.append(WeakAddress(address: address))
    }
  }

  /// Runs the body on each context's queue: at once if it is the current one, otherwise later.
  func tell(_ body: @escaping @Sendable (NSManagedObjectContext) -> Void) {
    for address in addresses.withLock({ $0.compactMap(\.address) }) {
      guard let context = address.context else { continue }
      if context.queue.isCurrent {
        body(context)
      } else {
        context.queue.async { address.context.map(body) }
      }
    }
  }
}

extension NSManagedObjectContext {
  /// Takes the values and changes from the objects of a store that was removed.
  ///
  /// Posts `NSManagedObjectContextObjectsDidChange` with them under `NSInvalidatedObjectsKey`. They do not have
  /// values any more, and count as deleted once somebody asks for one.
  func invalidateObjects(of store: StoreNumber) {
    let all = identityMap.objects
    let objects = all.filter { object in
      object.key.store == store && !object.willBeInserted
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
    // If all objects are affected, results do not hear of it, as with a reset: a program that removes the only store
    // fetches again.
    if objects.count < all.count { listeners.tell { $0.contextDidInvalidate(objects) } }
    announce(ContextChanges(invalidated: Set(objects)))
  }
}
