import Synchronization

/// Every context of the process, by the registers that lead to them; none is kept alive.
enum LivingContexts {
  private static let maps = Mutex<[ObjectIdentifier: IdentityMap]>([:])

  static func add(_ map: IdentityMap) {
    maps.withLock { $0[ObjectIdentifier(map)] = map }
  }

  static func remove(_ map: IdentityMap) {
    _ = maps.withLock { $0.removeValue(forKey: ObjectIdentifier(map)) }
  }

  /// Has every context tell which of its objects have lost their store: at once where the caller is on
  /// its queue, else later there.
  static func invalidateObjects(of store: StoreNumber) {
    for context in maps.withLock({ Array($0.values) }).compactMap(\.context) {
      if context.queue.isCurrent {
        context.invalidateObjects(of: store)
      } else {
        let map = context.identityMap
        context.queue.async {
          map.context?.invalidateObjects(of: store)
          map.context?.processPendingChanges()
        }
      }
    }
  }
}

extension NSManagedObjectContext {
  /// Notes that the objects of a store can be read and saved no more; values they have they keep.
  fileprivate func invalidateObjects(of store: StoreNumber) {
    let objects = identityMap.objects.filter { $0.record.pointee.key.store == store }
    guard !objects.isEmpty else { return }
    tracker.event.invalidated += objects
    scheduleEventEnd()
  }
}
