import CoreDataSQLite
import Synchronization

/// Whether others than this coordinator have written to a file: another program, or another coordinator
/// of this one.
///
/// SQLite counts for each connection what other connections have committed. All of a store's writing
/// goes through one connection, so that its count is that of strangers.
final class ForeignWrites: Sendable {
  private let pool: Pool
  private let seen: Mutex<Int64?>

  init(_ pool: Pool) {
    self.pool = pool
    seen = Mutex(Self.version(pool))
  }

  /// True once for all that strangers have written since the last question.
  ///
  /// Costs about two microseconds; while the writer is busy nothing is found, and the next question
  /// finds it.
  func areNew() -> Bool {
    guard let version = Self.version(pool) else { return false }
    return seen.withLock { seen in
      defer { seen = version }
      return seen != version
    }
  }

  private static func version(_ pool: Pool) -> Int64? {
    // A question that fails says nothing.
    (try? pool.writeIfIdle { try $0.dataVersion() }) ?? nil
  }
}
