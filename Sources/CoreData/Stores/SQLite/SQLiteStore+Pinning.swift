import CoreDataSQL
import CoreDataSQLite
import Synchronization

/// How a store's file is seen at one moment while others write.
extension SQLiteStore: PinnableStore {
  /// The rows as they are now; nil for a file that cannot hold a moment.
  ///
  /// One connection, in a read transaction that ends with the last user; then it waits for the next moment.
  func pinned() throws -> (any RowStore)? {
    guard !file.isInMemory, try hasLog() else { return nil }
    let pool = try file.translating { () throws(SQLiteError) in
      try Pool(
        readerLimit: 0,
        open: { [file, pins] _ throws(SQLiteError) in
          let connection = try pins.connection { () throws(SQLiteError) in
            try file.connect(isReader: true)
          }
          try connection.run("BEGIN")
          // A transaction sees the moment of its first reading.
          _ = try connection.integer("SELECT COUNT(*) FROM sqlite_master")
          return connection
        },
        whenUnused: { [pins] connection in pins.keep(connection) }
      )
    }
    pins.add(pool)
    return SQLiteStore(pool, schema, file)
  }

  /// Whether the file has a write-ahead log: without one, a reader would keep writers out.
  private func hasLog() throws -> Bool {
    if pins.isLogged { return true }
    let mode = try file.translating { () throws(SQLiteError) in
      try file.connect(isReader: true).text("PRAGMA journal_mode")
    }
    // As long as the store is open, nobody can take the log away.
    if mode == "wal" { pins.noteLog() }
    return mode == "wal"
  }
}

/// The pinned connections of a store, which must not outlive it: its file may be moved.
///
/// A connection whose moment is over is kept for the next: it knows its statements, and opening one takes longer than
/// most reading.
final class PinnedPools: Sendable {
  private let state = Mutex(State())

  private struct State {
    var pools: [WeakPool] = []
    var idle: [Idle] = []
    var isLogged = false
    var isClosed = false
  }

  private struct WeakPool: Sendable {
    weak let pool: Pool?
  }

  /// Safety: the connection is in nobody's hands.
  private struct Idle: @unchecked Sendable {
    let connection: Connection
  }

  /// As many as a store keeps of other readers.
  private static let mostIdle = 4

  func add(_ pool: Pool) {
    let isClosed = state.withLock { state in
      state.pools.removeAll { $0.pool == nil }
      state.pools.append(WeakPool(pool: pool))
      return state.isClosed
    }
    if isClosed { pool.close() }
  }

  var isLogged: Bool { state.withLock { $0.isLogged } }

  func noteLog() { state.withLock { $0.isLogged = true } }

  /// How many connections wait for a moment.
  var idleCount: Int { state.withLock { $0.idle.count } }

  /// A connection that waits, or a new one.
  func connection(
    orOpen open: () throws(SQLiteError) -> Connection
  ) throws(SQLiteError) -> Connection {
    if let idle = state.withLock({ $0.idle.popLast() }) { return idle.connection }
    return try open()
  }

  /// Ends a connection's transaction, and keeps it for another one.
  func keep(_ connection: Connection) {
    do throws(SQLiteError) {
      if connection.isInTransaction { try connection.run("ROLLBACK") }
    } catch {
      // It is closed instead.
      return
    }
    let idle = Idle(connection: connection)
    state.withLock { state in
      if !state.isClosed, state.idle.count < Self.mostIdle { state.idle.append(idle) }
    }
  }

  func close() {
    let pools = state.withLock { state in
      state.isClosed = true
      state.idle.removeAll()
      return state.pools
    }
    for pin in pools { pin.pool?.close() }
  }
}
