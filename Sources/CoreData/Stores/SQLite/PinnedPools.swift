import CoreDataSQL
import CoreDataSQLite
import Synchronization

/// A connection that sees its file at one moment, until the last user releases it.
final class PinnedMoment: Sendable {
  let pool: Pool
  private let pools: PinnedPools

  fileprivate init(_ pool: Pool, of pools: PinnedPools) {
    self.pool = pool
    self.pools = pools
  }

  deinit {
    pools.end(pool)
  }
}

/// The connections of a store that are at some moment, and a few that wait for their next one.
///
/// ```
/// idle ─ BEGIN ─▶ lent, to a PinnedMoment ─ COMMIT ─▶ idle
/// ```
///
/// A new connection reads the schema and compiles every statement again, which takes longer than most blocks of
/// `NSPersistentContainer.read(from:_:)`. None may outlive the store, because its file may be moved.
final class PinnedPools: Sendable {
  private let stock = Mutex(Stock())

  private struct Stock {
    var isClosed = false
    var lent: [ObjectIdentifier: Reading] = [:]
    var idle: [Pool] = []
  }

  /// A connection at a moment, its reader, and the time when the reading began.
  private struct Reading {
    let pool: Pool
    let reader: String
    let begin = ContinuousClock.now
  }

  /// How many wait at most; each keeps the pages that it has read.
  private static let idleLimit = 4

  /// The file as it is now; nil without a write-ahead log, as a reader would keep writers out.
  func moment(of file: SQLiteFile, for reader: String) throws -> PinnedMoment? {
    try file.translating { () throws(SQLiteError) in
      while let pool = lendIdle(to: reader) {
        let moment = PinnedMoment(pool, of: self)
        if try pool.begin() { return moment }
      }
      guard let pool = try Pool(pinning: file) else { return nil }
      try lend(pool, to: reader)
      let moment = PinnedMoment(pool, of: self)
      return try pool.begin() ? moment : nil
    }
  }

  /// The reader that has been at its moment longest, and since when; nil if nobody reads.
  var longest: (reader: String, begin: ContinuousClock.Instant)? {
    stock.withLock { stock in
      stock.lent.values.min { $0.begin < $1.begin }.map { ($0.reader, $0.begin) }
    }
  }

  private func lendIdle(to reader: String) -> Pool? {
    stock.withLock { stock in
      guard let pool = stock.idle.popLast() else { return nil }
      stock.lent[ObjectIdentifier(pool)] = Reading(pool: pool, reader: reader)
      return pool
    }
  }

  private func lend(_ pool: Pool, to reader: String) throws(SQLiteError) {
    let isClosed = stock.withLock { stock in
      if !stock.isClosed {
        stock.lent[ObjectIdentifier(pool)] = Reading(pool: pool, reader: reader)
      }
      return stock.isClosed
    }
    if isClosed { throw Pool.closed }
  }

  fileprivate func end(_ pool: Pool) {
    let isUsable = pool.end()
    stock.withLock { stock in
      // The caller has the pool as well, so that nothing is closed under the mutex.
      stock.lent[ObjectIdentifier(pool)] = nil
      if isUsable, !stock.isClosed, stock.idle.count < Self.idleLimit { stock.idle.append(pool) }
    }
  }

  /// Closes idle connections: new ones see statistics that were made since.
  func forgetIdle() {
    let idle = stock.withLock { stock in
      defer { stock.idle.removeAll() }
      return stock.idle
    }
    for pool in idle { pool.close() }
  }

  func close() {
    let pools = stock.withLock { stock in
      stock.isClosed = true
      defer { stock.idle.removeAll() }
      return stock.idle + stock.lent.values.map(\.pool)
    }
    for pool in pools { pool.close() }
  }
}

// MARK: - A pool of one connection

extension Pool {
  /// Opens the one connection; nil for a file that cannot hold a moment.
  fileprivate convenience init?(pinning file: SQLiteFile) throws(SQLiteError) {
    if file.isInMemory { return nil }
    let connection = try file.connect(isReader: true)
    guard try connection.text("PRAGMA journal_mode") == "wal" else { return nil }
    self.init(connection)
  }

  /// Begins to see the moment of now; false for a connection that is of no use any more.
  fileprivate func begin() throws(SQLiteError) -> Bool {
    let connection = try takeWriter()
    defer { returnWriter() }
    if connection.isOutdated { return false }
    try connection.run("BEGIN")
    // A transaction sees the moment of its first reading.
    _ = try connection.integer("SELECT 1 FROM sqlite_master")
    return true
  }

  /// Ends the moment; false for a connection that must not be used again.
  fileprivate func end() -> Bool {
    do throws(SQLiteError) {
      let connection = try takeWriter()
      defer { returnWriter() }
      if connection.isInTransaction { try connection.run("COMMIT") }
      return !connection.isOutdated
    } catch {
      return false
    }
  }
}
