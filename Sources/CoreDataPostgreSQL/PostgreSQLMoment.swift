import CoreData
import CoreDataSQL
import Dispatch
import Synchronization

/// A connection that sees the database at one moment, until the last user releases it.
///
/// ```
/// BEGIN, at one moment ─▶ SAVEPOINT ─▶ requests, one at a time ─▶ COMMIT
///                             ╰──────── a request that fails goes back here
/// ```
///
/// A moment ends with its connection, and none takes its place: its rows cannot be asked for any more.
final class PostgreSQLMoment: Sendable {
  private let pool: PostgreSQLPool
  private let lent: Handover<PostgreSQLConnection>
  private let turn = DispatchSemaphore(value: 1)
  private let gone = Atomic<Bool>(false)
  /// Whether a replica is asked, and not the store's own server.
  private let isAtReplica: Bool

  /// The database as it is now, as long as its tables are those of the mark.
  convenience init(in pool: PostgreSQLPool, _ mark: TablesMark) throws(PostgreSQLError) {
    self.init(begunOn: try Self.begun(in: pool, mark), of: pool)
  }

  /// The moment of a transaction that has begun.
  init(begunOn connection: PostgreSQLConnection, of pool: PostgreSQLPool, atReplica: Bool = false) {
    self.pool = pool
    lent = Handover(connection)
    isAtReplica = atReplica
  }

  /// Begins the transaction; the moment is that of its first request.
  static func beginning(_ mark: TablesMark, waits: Bool = true) -> String {
    mark.beginningAtOneMoment(readOnly: true, waits: waits) + "; SAVEPOINT coredata_moment"
  }

  /// Whether a replica has ended it.
  var isLostReplica: Bool { isAtReplica && gone.load(ordering: .acquiring) }

  deinit {
    let connection = lent.value
    // A lost connection has ended the transaction by itself, and nothing was written.
    if !connection.wire.isLost { try? connection.run(plain: "COMMIT") }
    pool.giveBack(connection)
  }

  /// A connection that waited for its next moment may have been lost since.
  private static func begun(
    in pool: PostgreSQLPool,
    _ mark: TablesMark
  ) throws(PostgreSQLError) -> PostgreSQLConnection {
    do throws(PostgreSQLError) {
      return try begunOnce(in: pool, mark)
    } catch {
      guard error.isLoss else { throw error }
      pool.forgetIdle()
      return try begunOnce(in: pool, mark)
    }
  }

  private static func begunOnce(
    in pool: PostgreSQLPool,
    _ mark: TablesMark
  ) throws(PostgreSQLError) -> PostgreSQLConnection {
    let connection = try pool.take()
    do throws(PostgreSQLError) {
      try connection.run(plain: beginning(mark))
      return connection
    } catch {
      pool.giveBack(connection)
      throw error
    }
  }
}

// MARK: - Reading

extension PostgreSQLMoment {
  func read<Result>(
    _ body: (PostgreSQLConnection) throws(PostgreSQLError) -> Result
  ) throws(PostgreSQLError) -> Result {
    turn.wait()
    defer { turn.signal() }
    do throws(PostgreSQLError) {
      return try once(body)
    } catch {
      // The server compiles the statement again.
      guard error.isStalePlan else { throw error }
      return try once(body)
    }
  }

  private func once<Result>(
    _ body: (PostgreSQLConnection) throws(PostgreSQLError) -> Result
  ) throws(PostgreSQLError) -> Result {
    let connection = lent.value
    if gone.load(ordering: .acquiring) || connection.wire.isLost { throw noteGone() }
    do throws(PostgreSQLError) {
      return try body(connection)
    } catch {
      if error.state == PostgreSQLError.overdueState {
        _ = noteGone()
        throw error
      }
      if error.isLoss || error.endsMoment || connection.wire.isLost { throw noteGone() }
      try goBack(connection)
      throw error
    }
  }

  private func goBack(_ connection: PostgreSQLConnection) throws(PostgreSQLError) {
    do throws(PostgreSQLError) {
      try connection.run(plain: "ROLLBACK TO SAVEPOINT coredata_moment")
    } catch {
      throw noteGone()
    }
  }

  private func noteGone() -> PostgreSQLError {
    gone.store(true, ordering: .releasing)
    return .momentIsGone
  }
}

extension PostgreSQLError {
  /// A state that no server gives.
  static let goneMomentState = "CD004"

  fileprivate static let momentIsGone = PostgreSQLError(
    state: goneMomentState,
    message: "the connection that saw the context's moment was lost"
  )

  /// A replica ends transactions that see rows or tables which are gone at its primary.
  fileprivate var endsMoment: Bool { state == "40001" }
}

// MARK: - As a store

extension PostgreSQLStore: PinnableStore {
  /// The rows as they are now: one connection, in a transaction that ends with the last user.
  ///
  /// If no replica has a moment in time, the store's own server has one.
  func pinned(
    from source: NSPersistentContainer.ReadSource,
    for reader: String
  ) throws -> (any RowStore)? {
    if source == .replica, let moment = replicas?.moment(tables.mark) {
      return PostgreSQLStore(self, at: moment)
    }
    do {
      let moment = try tables.asking { mark throws(PostgreSQLError) in
        try PostgreSQLMoment(in: moments, mark)
      }
      return PostgreSQLStore(self, at: moment)
    } catch {
      throw PostgreSQLFailure(.server(error, .reading), path: path).error()
    }
  }
}
