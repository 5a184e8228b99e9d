import CoreDataSQL
import CoreDataSQLite
import Synchronization

/// How a store's file is seen at one moment while others write.
extension SQLiteStore: PinnableStore {
  /// The rows as they are now; nil for a file that cannot hold a moment.
  ///
  /// One connection, in a read transaction that ends with the last user.
  func pinned() throws -> (any RowStore)? {
    guard let pool = try file.pinnedPool() else { return nil }
    pins.add(pool)
    return SQLiteStore(pool, schema, file)
  }
}

extension SQLiteFile {
  /// A pool of one connection that stays at this moment; nil without a write-ahead log, as a reader
  /// would keep writers out.
  fileprivate func pinnedPool() throws -> Pool? {
    if isInMemory { return nil }
    return try translating { () throws(SQLiteError) -> Pool? in
      let connection = try connect(isReader: true)
      guard try connection.text("PRAGMA journal_mode") == "wal" else { return nil }
      return try Pool(
        readerLimit: 0,
        open: { _ throws(SQLiteError) in
          let connection = try connect(isReader: true)
          try connection.run("BEGIN")
          // A transaction sees the moment of its first reading.
          _ = try connection.integer("SELECT COUNT(*) FROM sqlite_master")
          return connection
        }
      )
    }
  }
}

/// The pinned connections of a store, which must not outlive it: its file may be moved.
final class PinnedPools: Sendable {
  private let pools = Mutex<[WeakPool]>([])

  private struct WeakPool: Sendable {
    weak let pool: Pool?
  }

  func add(_ pool: Pool) {
    pools.withLock { pools in
      pools.removeAll { $0.pool == nil }
      pools.append(WeakPool(pool: pool))
    }
  }

  func close() {
    for pin in pools.withLock({ $0 }) { pin.pool?.close() }
  }
}
