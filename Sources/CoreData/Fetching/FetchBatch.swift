/// Neighbours in a result whose values are read together, when one of them is asked for a value.
///
/// ```
/// fetch of 100,000, batch size 20     1 statement, keys alone
/// notes[49_990].title                 1 statement, 20 rows
/// notes[49_991].title                 no statement
/// ```
///
/// A fault without values holds its batch where its values will be, so that batches do not cost an object anything,
/// and are gone when nobody needs them.
final class FetchBatch {
  let keys: [ObjectKey]
  let paths: PrefetchPaths

  init(keys: [ObjectKey], paths: PrefetchPaths) {
    self.keys = keys
    self.paths = paths
  }

  /// Divides a result into batches; objects that have their values, or a row waiting, need none.
  static func divide(_ objects: [NSManagedObject], size: Int, prefetching paths: PrefetchPaths) {
    for start in stride(from: 0, to: objects.count, by: size) {
      let neighbours = objects[start..<min(start + size, objects.count)]
      let empty = neighbours.filter { $0.isFault && $0.stored == nil }
      if empty.isEmpty { continue }
      let batch = FetchBatch(keys: empty.map(\.key), paths: paths)
      for object in empty { object.batch = batch }
    }
  }
}

extension NSManagedObjectContext {
  /// Reads the rows of a batch, which wait in its objects from then on; one statement, and one for each
  /// relationship to prefetch.
  func readValues(of batch: FetchBatch) throws {
    let faults = identityMap.objects(for: batch.keys).compactMap { object in
      object.flatMap { $0.isFault && $0.stored == nil ? $0 : nil }
    }
    try readWaitingRows(of: faults)
    for fault in faults { fault.batch = nil }
    if !batch.paths.isEmpty { try prefetch(batch.paths, of: faults) }
  }

  /// Gets the rows of faults without rows, from the cache or else in one statement for each store and entity tree; a
  /// child asks its parent.
  func readWaitingRows(of faults: [NSManagedObject]) throws {
    if faults.isEmpty { return }
    if let parent {
      noteReadingOfRows()
      let names = faults.map { ObjectName($0) }
      _ = objects(for: try parent.queue.sync { try parent.passedRows(named: names) })
      return
    }
    for (place, faults) in faults.groupedByTable {
      guard let store = persistentStoreCoordinator?.store(numbered: place.store),
        let root = model[number: place.root]
      else { continue }
      let cache = try view(of: store)?.cache
      let missing = faults.filter { !$0.takeRow(from: cache) }
      if missing.isEmpty { continue }
      let rows = try readRows(missing.map(\.key.number), of: root, in: store)
      hand(rows, from: store, to: missing)
    }
  }

  /// Has rows wait in the faults whose they are.
  ///
  /// Mostly they come in the order in which they were asked for, and no object has to be looked for.
  private func hand(_ rows: [Row], from store: NSPersistentStore, to faults: [NSManagedObject]) {
    guard rows.count == faults.count,
      zip(rows, faults).allSatisfy({ row, fault in row.primaryKey == fault.key.number })
    else {
      _ = objects(for: rows, in: store)
      return
    }
    for (row, fault) in zip(rows, faults) { fault.haveWait(row) }
  }
}

extension [NSManagedObject] {
  /// The objects by store and entity tree; mostly there is one of each, and nothing has to be hashed.
  fileprivate var groupedByTable: [ObjectKey: [NSManagedObject]] {
    if let first, allSatisfy({ $0.table == first.table }) { return [first.table: self] }
    return Dictionary(grouping: self, by: \.table)
  }
}

extension NSManagedObject {
  fileprivate var table: ObjectKey {
    ObjectKey(store: key.store, root: layout.rootNumber, number: 0)
  }

  /// Lets the row that the cache knows wait in the fault; false if the cache does not know one.
  fileprivate func takeRow(from cache: RowCache?) -> Bool {
    guard let cached = cache?[key] else { return false }
    if let snapshot = cached.snapshot, cached.layout.isKind(of: layout) {
      self.snapshot = snapshot
    }
    return true
  }
}
