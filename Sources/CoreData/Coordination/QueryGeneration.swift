import Synchronization

/// One moment of a coordinator's stores, which stays as it is while others write.
///
/// ```
/// context A ─┐
///            ├─▶ QueryGeneration ─▶ StoreView   rows at that moment, and a cache of their own
/// context B ─┘
/// ```
///
/// The moment is that of the first reading. A store that was added later does not belong to it; one
/// that cannot hold a moment, because it is neither a SQLite file with a write-ahead log nor in PostgreSQL, is
/// seen as it is.
final class QueryGeneration: Sendable {
  private let views = Mutex<[StoreNumber: StoreView]?>(nil)
  private let source: NSPersistentContainer.ReadSource
  /// The words for the context that reads at this moment, for the health of a store.
  private let reader: String
  /// Whether the moment ends when its context begins to save.
  ///
  /// A moment that stayed while the save waits for other writers would keep them from emptying the write-ahead log.
  let endsWithSave: Bool

  init(
    from source: NSPersistentContainer.ReadSource = .primary,
    for reader: String,
    endsWithSave: Bool = false
  ) {
    self.source = source
    self.reader = reader
    self.endsWithSave = endsWithSave
  }

  /// The moment of the next reading, for the same reader.
  func next() -> QueryGeneration {
    QueryGeneration(for: reader, endsWithSave: endsWithSave)
  }

  /// The store at this generation's moment; nil for a store that came later.
  ///
  /// The first call pins every store of the coordinator. Throws when a file cannot be opened once more.
  func view(of store: NSPersistentStore) throws -> StoreView? {
    try views.withLock { views in
      if let views { return views[store.number] }
      var pinned: [StoreNumber: StoreView] = [:]
      for store in store.persistentStoreCoordinator?.persistentStores ?? [store] {
        pinned[store.number] = try StoreView(pinning: store, from: source, for: reader)
      }
      views = pinned
      return pinned[store.number]
    }
  }

  /// Whether a replica has ended its moment, so that the rows read so far no longer fit together.
  var hasLostReplica: Bool {
    views.withLock { $0?.values.contains(where: \.isLostReplica) == true }
  }

  /// Whether any of the stores is in this generation; every one is before the first reading.
  func knows(_ stores: [NSPersistentStore]) -> Bool {
    views.withLock { views in
      guard let views else { return true }
      return stores.contains { views[$0.number] != nil }
    }
  }
}
