import CoreDataCSQLite
import CoreDataSQL

// MARK: - The write-ahead log

extension Connection {
  /// Keeps the write-ahead log short, from the next commit of this connection on.
  ///
  /// SQLite moves pages from the log into the file after a commit that leaves `wal_autocheckpoint` pages in the log. It
  /// begins the log again only if all pages were moved and nobody reads from it. If readers come all the time, that never
  /// happens. So this connection waits for them, a tenth of a second at most, once the log has twice as many pages. If a
  /// reader stays longer, it tries again when the log has grown by a quarter.
  ///
  /// Call this after the pragmas were set. A log that is longer because a reader stayed is cut to 16 MB afterwards,
  /// unless `journal_size_limit` says something else.
  package func keepLogShort() throws(SQLiteError) {
    try quietly { () throws(SQLiteError) in
      let limit = try integer("PRAGMA wal_autocheckpoint") ?? 0
      if try integer("PRAGMA journal_size_limit") == -1 {
        try run("PRAGMA journal_size_limit = \(Self.keptLogSize)" as String)
      }
      guard limit > 0 else { return }
      let keeper = LogKeeper(limit: Int(limit))
      keeper.busyTimeout = busyTimeout
      logKeeper = keeper
      // The connection has the keeper until it is closed.
      sqlite3_wal_hook(handle, tendLog, Unmanaged.passUnretained(keeper).toOpaque())
    }
  }

  private static let keptLogSize = 16 << 20
}

/// Decides after a commit whether the log is long enough to do something about it.
final class LogKeeper {
  /// The number of pages at which a checkpoint is tried.
  private let limit: Int
  /// The number of pages at which readers are waited for.
  private var patienceBegins: Int
  /// How long statements of the connection wait for others, in milliseconds.
  var busyTimeout: Int32 = 0

  init(limit: Int) {
    self.limit = limit
    patienceBegins = 2 * limit
  }

  fileprivate func tend(_ database: OpaquePointer, pages: Int) {
    guard pages >= limit else { return }
    if checkpoint(database, SQLITE_CHECKPOINT_PASSIVE) {
      patienceBegins = 2 * limit
    } else if pages >= patienceBegins {
      sqlite3_busy_timeout(database, Self.patience)
      let isDone = checkpoint(database, SQLITE_CHECKPOINT_RESTART)
      sqlite3_busy_timeout(database, busyTimeout)
      patienceBegins = isDone ? 2 * limit : pages + max(limit / 2, pages / 4)
    }
  }

  /// Returns whether all pages of the log are in the file.
  private func checkpoint(_ database: OpaquePointer, _ mode: Int32) -> Bool {
    var (inLog, moved): (Int32, Int32) = (0, 0)
    let code = sqlite3_wal_checkpoint_v2(database, "main", mode, &inLog, &moved)
    return code == SQLITE_OK && inLog == moved
  }

  private static let patience: Int32 = 100
}

/// Called by SQLite after each commit.
///
/// The commit is done, whatever a checkpoint says: pages that could not be moved now are moved later.
private let tendLog:
  @convention(c) (UnsafeMutableRawPointer?, OpaquePointer?, UnsafePointer<CChar>?, Int32) -> Int32 =
    { keeper, database, name, pages in
      if let keeper, let database, let name, String(cString: name) == "main" {
        Unmanaged<LogKeeper>.fromOpaque(keeper).takeUnretainedValue()
          .tend(database, pages: Int(pages))
      }
      return SQLITE_OK
    }
