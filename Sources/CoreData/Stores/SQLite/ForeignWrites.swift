import CoreDataSQLite
import Synchronization

/// Whether others than this coordinator have written to a file: another program, or another coordinator
/// of this one.
///
/// SQLite counts for each connection what other connections have committed. All of a store's writing
/// goes through one connection, so that its count is that of strangers.
///
/// SQLite's answer takes a transaction, and is asked for only if the log's index shows that anybody has committed at
/// all.
final class ForeignWrites: Sendable {
  private let pool: Pool
  private let sharesLog: Bool
  private let seen: Mutex<Seen>

  private struct Seen {
    var version: Int64?
    var mark: LogMark?
  }

  init(_ pool: Pool) {
    self.pool = pool
    // A question that fails says nothing; then each is asked in full.
    sharesLog = (try? pool.writeIfIdle { try $0.sharesLog() }) == true
    seen = Mutex(Seen())
    _ = areNew()
  }

  /// True once for all that strangers have written since the last question.
  ///
  /// While the writer is busy nothing is found, and the next question finds it.
  func areNew() -> Bool {
    // A question that fails says nothing.
    (try? pool.writeIfIdle(areNew)) == true
  }

  private func areNew(to writer: Connection) throws -> Bool {
    let mark = sharesLog ? writer.logMark() : nil
    return try seen.withLock { seen in
      if let mark, mark == seen.mark { return false }
      guard let version = try writer.dataVersion() else { return false }
      defer { seen = Seen(version: version, mark: mark) }
      return seen.version != version
    }
  }
}
