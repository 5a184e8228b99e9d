import CoreDataCSQLite
import CoreDataSQL

extension Connection {
  /// A number that changes when other connections than this one have committed.
  package func dataVersion() throws(SQLiteError) -> Int64? {
    try quietly { () throws(SQLiteError) in try integer("PRAGMA data_version") }
  }

  /// A number that changes with each change of a table, by this connection or another.
  package func schemaVersion() throws(SQLiteError) -> Int64? {
    try quietly { () throws(SQLiteError) in try integer("PRAGMA schema_version") }
  }

  /// Whether other connections share a write-ahead log with this one.
  package func sharesLog() throws(SQLiteError) -> Bool {
    try quietly { () throws(SQLiteError) in
      let modes = (try text("PRAGMA journal_mode"), try text("PRAGMA locking_mode"))
      return modes == ("wal", "normal")
    }
  }

  /// Reads from the log's index which commit was the last; costs no statement and no lock.
  ///
  /// Ask for it only if ``sharesLog()`` is true and the connection has read something. `nil` if SQLite does not give
  /// it.
  package func logMark() -> LogMark? {
    var mark = LogMark()
    return mark.read(handle) ? mark : nil
  }

  /// Runs statements that neither observers nor traces see.
  func quietly<Result>(_ body: () throws(SQLiteError) -> Result) throws(SQLiteError) -> Result {
    let observer = observer
    self.observer = nil
    trace?.isPaused = true
    defer {
      self.observer = observer
      trace?.isPaused = false
    }
    return try body()
  }
}

/// The head of the index of a write-ahead log: how often it was written to, where it ends, its checksums.
///
/// Two marks are the same only if nobody has committed in between.
package struct LogMark: Equatable, Sendable {
  private var words = SIMD8<UInt64>()
  /// The first of two copies that SQLite keeps; see "WAL-Index Header" in its description of the format.
  private static let size = 48

  fileprivate mutating func read(_ handle: OpaquePointer) -> Bool {
    withUnsafeMutableBytes(of: &words) { bytes in
      coredata_log_mark(handle, bytes.baseAddress, Int32(Self.size)) != 0
    }
  }
}
