/// A store as a context sees it: as it is, or as it was at the moment to which the context is pinned.
///
/// The one door for rows: all that a context sees of a store comes through here, and its values wait in the cache for
/// the next reader. Only a save has rows of its transaction.
struct StoreView: Sendable {
  let store: NSPersistentStore
  /// The rows that were read, none of which is of another moment.
  let cache: RowCache
  let backend: any RowStore

  private init(_ store: NSPersistentStore, _ backend: any RowStore, _ cache: RowCache) {
    self.store = store
    self.backend = backend
    self.cache = cache
  }

  /// The store as it is.
  init(_ store: NSPersistentStore) {
    self.init(store, store.backend, store.rowCache)
  }

  /// The store as it is now, for good; if it cannot hold a moment, as it is at each time.
  ///
  /// `reader` describes the reader in the store's health.
  init(
    pinning store: NSPersistentStore,
    from source: NSPersistentContainer.ReadSource,
    for reader: String
  ) throws {
    if let pinned = try (store.backend as? any PinnableStore)?.pinned(from: source, for: reader) {
      self.init(store, pinned, RowCache(withRoomOf: store.rowCache))
    } else {
      self.init(store)
    }
  }

  /// Returns the view for questions of a context: the methods of an incremental store of one's own get the context.
  func asked(by context: NSManagedObjectContext) -> StoreView {
    guard backend.wantsContext, let rows = backend as? IncrementalRows else { return self }
    return StoreView(store, IncrementalRows(rows, askedBy: context), cache)
  }

  /// Whether the rows were a replica's, which has ended the moment.
  var isLostReplica: Bool { (backend as? any PinnableStore)?.isLostReplica == true }

  /// Forgets the rows that strangers may have changed; asked before a fetch.
  func notice() {
    if backend === store.backend, backend.hasForeignWrites() { store.forgetRows() }
  }
}

// MARK: - By a request

extension StoreView {
  /// The rows that match.
  func rows(for plan: FetchPlan) throws -> [Row] {
    guard plan.includesValues, plan.slots == nil else { return try backend.rows(for: plan) }
    let (epoch, start) = (cache.epoch, cache.now)
    var plan = plan
    if !cache.isEmpty { plan.knownRows = KnownRows(cache, of: store.number) }
    let found = try backend.rows(for: plan)
    // Rows of the cache need not go into it again.
    if plan.knownRows?.count != found.count {
      cache.set(found, of: store.number, readIn: epoch, since: start)
    }
    return found
  }

  func count(for plan: FetchPlan) throws -> Int { try backend.count(for: plan) }

  func records(for plan: RecordPlan) throws -> [Record] { try backend.records(for: plan) }

  /// Reads rows that others have changed into the cache; those of the names that are not there are noted
  /// as gone.
  func renew(_ names: [ObjectName], by plan: FetchPlan) throws {
    let start = cache.now
    let found = try backend.rows(for: plan)
    // They are wanted even if something was forgotten since.
    cache.set(found, of: store.number, since: start)
    let numbers = Set(found.map(\.primaryKey))
    for name in names where !numbers.contains(name.key.number) {
      cache.setGone(name.layout, for: name.key)
    }
  }
}

// MARK: - By keys

extension StoreView {
  /// The row of one object; one statement.
  func row(_ primaryKey: Int64, for plan: RowPlan) throws -> Row? {
    let (epoch, start) = (cache.epoch, cache.now)
    guard let row = try backend.row(primaryKey, for: plan) else { return nil }
    if let snapshot = row.snapshot {
      let key = ObjectKey(store: store.number, root: plan.layout.rootNumber, number: primaryKey)
      cache.set(snapshot, of: row.layout, for: key, readIn: epoch, since: start)
    }
    return row
  }

  /// The rows of many objects; one statement.
  func rows(_ primaryKeys: [Int64], for plan: RowPlan) throws -> [Row] {
    let (epoch, start) = (cache.epoch, cache.now)
    let found = try backend.rows(primaryKeys, for: plan)
    cache.set(found, of: store.number, readIn: epoch, since: start)
    return found
  }

  /// The members of one object's relationship, which wait in the faults that they become; one statement.
  func members(of owner: Int64, for plan: MemberPlan) throws -> [Row] {
    try backend.members(of: owner, for: plan)
  }

  /// The members of many objects' relationship, each with its owner; one statement.
  func members(of owners: [Int64], for plan: MemberPlan) throws -> [MemberRow] {
    let (epoch, start) = (cache.epoch, cache.now)
    let found = try backend.members(of: owners, for: plan)
    cache.set(found.map(\.row), of: store.number, readIn: epoch, since: start)
    return found
  }
}
