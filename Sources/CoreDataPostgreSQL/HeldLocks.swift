import CoreData
import CoreDataSQL

/// Rows for which a writer has advisory locks, in a transaction of their own.
///
/// A lock of the rows themselves would keep out the writer's own save, which has another connection.
final class HeldLocks: HeldRows {
  private let pool: PostgreSQLPool
  private var connection: PostgreSQLConnection?

  private init(_ connection: PostgreSQLConnection, of pool: PostgreSQLPool) {
    self.pool = pool
    self.connection = connection
  }

  /// Waits for the locks, in an order that is the same for all.
  ///
  /// `nil` if somebody has one of them for more than ten seconds.
  static func take(_ rows: [RowName], in pool: PostgreSQLPool) throws(PostgreSQLError) -> HeldLocks?
  {
    let connection = try pool.take()
    do throws(PostgreSQLError) {
      try connection.run(
        plain: "BEGIN ISOLATION LEVEL READ COMMITTED READ ONLY; SET LOCAL lock_timeout = '10s'"
      )
      let arrays = [
        PostgreSQLArray(rows.map { Int64($0.root) }), PostgreSQLArray(rows.map(\.number)),
      ]
      _ = try connection.run([ArrayRows.request(Self.waiting, arrays, zone: connection.zone)])
      return HeldLocks(connection, of: pool)
    } catch {
      // The error that matters is the first; nothing was written.
      if !connection.wire.isLost { try? connection.run(plain: "ROLLBACK") }
      pool.giveBack(connection)
      guard error.state == lockTimeout else { throw error }
      return nil
    }
  }

  private static let lockTimeout = "55P03"

  private static let waiting: SQLFragment = """
    SELECT pg_advisory_xact_lock(k) FROM (SELECT DISTINCT hashtextextended(current_schema() || '/' || $1 || '/' \
    || \(ArrayRows.value(0)) || '/' || \(ArrayRows.value(1)), 0) AS k FROM \(ArrayRows.source(2)) ORDER BY k) "l"
    """

  func letGo() {
    guard let connection else { return }
    // The server has let go of what a lost connection held.
    if !connection.wire.isLost { try? connection.run(plain: "COMMIT") }
    pool.giveBack(connection)
    self.connection = nil
  }

  deinit { letGo() }
}

extension PostgreSQLStore: ContendedStore {
  func hold(_ rows: [RowName]) -> (any HeldRows)? {
    // Without the locks the work is tried all the same, and its save finds conflicts.
    try? HeldLocks.take(rows, in: moments)
  }
}
