import Foundation

// MARK: - How old a row may be

extension NSManagedObjectContext {
  /// The row of an object for a context with a staleness interval: the cache's while it is young
  /// enough, else the store's.
  ///
  /// A row that waits in a fault does not have an age of its own and is not asked; the cache knows when it was read.
  func youngSnapshot(for object: NSManagedObject) throws -> Snapshot? {
    let key = object.key
    guard let store = persistentStoreCoordinator?.store(numbered: key.store),
      let cache = try view(of: store)?.cache
    else { return nil }
    if let cached = cache[key], cache.age(of: cached) <= stalenessInterval {
      return cached.layout.isKind(of: object.layout) ? cached.snapshot : nil
    }
    return try readRow(of: object, in: store)
  }

  /// Reads an object's row, and leaves it in the cache.
  ///
  /// One statement.
  func readRow(of object: NSManagedObject, in store: NSPersistentStore) throws -> Snapshot? {
    let key = object.key
    meterCache(isHit: false, of: object.layout)
    meterFault(key, of: object.layout)
    guard
      let row = try rowOnTheWay(of: object, in: store)
        ?? readRow(for: key, of: object.layout, in: store)
    else { return nil }
    // A URI can name another entity than the row has; then the object does not exist.
    return row.layout.isKind(of: object.layout) ? row.snapshot : nil
  }

  /// The row of an object as far as it is known without a statement; a child knows its own alone.
  func knownSnapshot(for object: NSManagedObject) -> Snapshot? {
    let key = object.key
    let own = object.snapshot
    if parent != nil { return carriedRow(named: key)?.snapshot ?? own }
    // A store that cannot be read now leaves the object's own values.
    guard let store = persistentStoreCoordinator?.store(numbered: key.store),
      let cached = try? view(of: store)?.cache[key]
    else { return own }
    guard let snapshot = cached.snapshot else { return nil }
    return snapshot.version >= own?.version ?? 0 ? snapshot : own
  }
}
