import CoreDataCSQLite
import CoreDataSQL

// MARK: - Copies

extension Connection {
  /// Copies everything in another database into this one, and reports its progress after some pages.
  ///
  /// The source is read in one transaction, so the copy is of one moment, even if others write.
  /// If `goesOn` returns `false`, the copy is given up and this returns `false`.
  package func copyEverything(
    from source: Connection,
    pagesInStep: Int32,
    goesOn: (_ done: Int, _ all: Int) -> Bool
  ) throws(SQLiteError) -> Bool {
    try source.run("BEGIN")
    defer { sqlite3_exec(source.handle, "COMMIT", nil, nil, nil) }
    // The transaction begins to see the database with its first read.
    _ = try source.integer("PRAGMA schema_version")
    guard let backup = sqlite3_backup_init(handle, "main", source.handle, "main") else {
      throw lastError(sql: nil)
    }
    var code = SQLITE_OK
    var wanted = true
    var patience = 500
    while wanted,
      code == SQLITE_OK || (patience > 0 && [SQLITE_BUSY, SQLITE_LOCKED].contains(code))
    {
      if code != SQLITE_OK {
        patience -= 1
        sqlite3_sleep(20)
      }
      code = sqlite3_backup_step(backup, pagesInStep)
      let all = Int(sqlite3_backup_pagecount(backup))
      wanted = goesOn(all - Int(sqlite3_backup_remaining(backup)), all)
    }
    let end = sqlite3_backup_finish(backup)
    if !wanted, code != SQLITE_DONE { return false }
    guard code == SQLITE_DONE, end == SQLITE_OK else {
      let number = code == SQLITE_DONE ? end : code
      throw SQLiteError(
        code: number,
        message: "\(source.path) cannot be copied: \(String(cString: sqlite3_errstr(number)))"
      )
    }
    return true
  }

  /// Writes the database into a new file, without free pages and with every table in one piece.
  package func copyCompactly(into path: String) throws(SQLiteError) {
    try run("VACUUM INTO \(.text(path))")
  }
}
