import CoreDataSQL
import Dispatch

/// A connection that sees the database at one moment, until the last user lets go of it.
///
/// ```
/// BEGIN, at one moment ─▶ SAVEPOINT ─▶ requests, one at a time ─▶ COMMIT
///                             ╰──────── a request that fails goes back here
/// ```
///
/// A moment ends with its connection, and none takes its place: what was there then cannot be asked for any more.
final class PostgreSQLMoment: Sendable {
  private let pool: PostgreSQLPool
  private let lent: Handover<PostgreSQLConnection>
  private let turn = DispatchSemaphore(value: 1)

  /// The database as it is now, as long as its tables are those of the mark.
  init(in pool: PostgreSQLPool, _ mark: TablesMark) throws(PostgreSQLError) {
    let connection = try Self.begun(in: pool, mark)
    self.pool = pool
    lent = Handover(connection)
  }

  deinit {
    let connection = lent.value
    // What is lost has ended by itself, and nothing was written.
    if !connection.wire.isLost { try? connection.run(plain: "COMMIT") }
    pool.giveBack(connection)
  }

  /// A connection that waited for its next moment may have been lost meanwhile.
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
      // The moment is that of the first request.
      try connection.run(
        plain: mark.beginningAtOneMoment(readOnly: true) + "; SAVEPOINT coredata_moment"
      )
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
      // The server compiles it anew.
      guard error.isStalePlan else { throw error }
      return try once(body)
    }
  }

  private func once<Result>(
    _ body: (PostgreSQLConnection) throws(PostgreSQLError) -> Result
  ) throws(PostgreSQLError) -> Result {
    let connection = lent.value
    if connection.wire.isLost { throw .momentIsGone }
    do throws(PostgreSQLError) {
      return try body(connection)
    } catch {
      if error.isLoss || error.endsIdleTransaction || connection.wire.isLost {
        throw .momentIsGone
      }
      try connection.run(plain: "ROLLBACK TO SAVEPOINT coredata_moment")
      throw error
    }
  }
}

extension PostgreSQLError {
  /// Of the class that the server has for programs.
  static let goneMomentState = "CD004"

  fileprivate static let momentIsGone = PostgreSQLError(
    state: goneMomentState,
    message: "the connection that saw the context's moment was lost"
  )

  /// The server ends transactions in which nothing happens for longer than it allows.
  fileprivate var endsIdleTransaction: Bool { state == "25P03" }
}

// MARK: - As a store

extension PostgreSQLStore: PinnableStore {
  /// The rows as they are now: one connection, in a transaction that ends with the last user.
  func pinned() throws -> (any RowStore)? {
    do {
      return PostgreSQLStore(self, at: try PostgreSQLMoment(in: moments, mark))
    } catch {
      throw StoreFailure(.server(error, .reading), path: path).error()
    }
  }
}
