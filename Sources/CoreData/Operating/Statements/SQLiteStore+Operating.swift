import CoreDataSQL
import CoreDataSQLite
import Foundation

// MARK: - Looked after while it is open

extension SQLiteStore: OperatedStore {
  func health(checksPages: Bool, isReadOnly: Bool) -> StoreHealth {
    health(checksPages: checksPages, isReadOnly: isReadOnly, at: .now)
  }

  func health(
    checksPages: Bool,
    isReadOnly: Bool,
    at now: ContinuousClock.Instant
  ) -> StoreHealth {
    var health = file.isInMemory ? StoreHealth() : StoreHealth(fileAt: path)
    health.noteReading { try look(into: &$0, checksPages: checksPages) }
    if !isReadOnly { health.noteWriting { try tryToWrite() } }
    health.warnOfSizes()
    if let longest = pins.longest { health.warnOfReader(longest.reader, for: now - longest.begin) }
    return health
  }

  private func look(into health: inout StoreHealth, checksPages: Bool) throws {
    try pool.read { connection in
      try watch?.look(on: connection)
      _ = try connection.text("SELECT Z_UUID FROM Z_METADATA")
      let size = try connection.integer("PRAGMA page_size") ?? 0
      let count = try connection.integer("PRAGMA freelist_count") ?? 0
      health.unusedSize = size.multipliedReportingOverflow(by: count).partialValue
      guard checksPages, let finding = try connection.text("PRAGMA quick_check(1)"), finding != "ok"
      else { return }
      throw SQLiteError(code: 11, message: finding)
    }
  }

  /// Takes the lock of a writer and gives it back; a process that is writing just now can write.
  private func tryToWrite() throws {
    if isLocked { return }
    guard file.isWritable else { throw StoreFailure(.unwritable, path: path).error() }
    try pool.writeIfIdle { connection in
      try connection.checkOwnFile()
      guard !connection.isInTransaction else { return }
      try within(Self.patienceOfHealth, on: connection) { () throws(SQLiteError) in
        try connection.run("BEGIN IMMEDIATE")
        try connection.run("ROLLBACK")
      }
    }
  }

  /// A save of another process takes less, as a rule.
  private static let patienceOfHealth = Duration.seconds(2)

  func checkpoint(truncating: Bool, patience: Duration) throws -> StoreCheckpoint {
    try operating { connection in
      try within(patience, on: connection) { () throws(SQLiteError) in
        let statement = try connection.statement(
          truncating ? "PRAGMA wal_checkpoint(TRUNCATE)" : "PRAGMA wal_checkpoint(PASSIVE)"
        )
        defer { statement.reset() }
        guard try statement.step() else { return StoreCheckpoint(pagesInLog: 0, pagesMoved: 0) }
        let (all, moved) = (statement.integer(1), statement.integer(2))
        return StoreCheckpoint(
          pagesInLog: Int(max(0, all)),
          // Truncating the log also reports 0 pages.
          pagesMoved: Int(max(0, moved))
        )
      }
    }
  }

  func optimize() throws {
    try operating { connection in
      try connection.run("PRAGMA analysis_limit = 1000")
      try connection.run("ANALYZE")
    }
    // Statistics that other connections have read are old.
    pool.forgetIdleReaders()
    pins.forgetIdle()
  }

  func copy(isCompact: Bool, to url: URL, _ progress: @escaping FileCopy.Progress) throws -> Bool {
    guard !file.isInMemory else {
      throw StoreFailure(.unsupportedRequest("a copy of its file, and it has none"), path: path)
        .error()
    }
    guard url.resolvingSymlinksInPath() != URL(fileURLWithPath: path).resolvingSymlinksInPath()
    else {
      throw StoreFailure(.unsupportedRequest("a copy in its own place"), path: path).error()
    }
    return try FileCopy(of: file, to: url, isCompact: isCompact).perform(progress)
  }

  private func operating<Result>(
    _ body: (Connection) throws -> Result
  ) throws -> Result {
    if file.place.isReadOnly || isLocked || !file.isWritable {
      throw StoreFailure(.unwritable, path: path).error()
    }
    do {
      return try pool.write(body)
    } catch let error as SQLiteError {
      throw StoreFailure(.reading(error), path: path).error()
    }
  }

  /// Does something without waiting for other processes as long as a save would.
  private func within<Result>(
    _ patience: Duration,
    on connection: Connection,
    _ body: () throws(SQLiteError) -> Result
  ) throws(SQLiteError) -> Result {
    let milliseconds = min(max(patience / .milliseconds(1), 0), Double(file.place.wait))
    connection.setBusyTimeout(milliseconds: Int32(milliseconds))
    defer { connection.setBusyTimeout(milliseconds: file.place.wait) }
    return try body()
  }
}
