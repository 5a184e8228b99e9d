import CoreDataCSQLite
import CoreDataSQL

// MARK: - The database as a whole

extension Connection {
  /// Makes the database an empty one, whatever is in it, waiting for others that use it.
  ///
  /// Other connections find an empty database at their next look, instead of a file that is gone.
  package func makeEmpty() throws(SQLiteError) {
    coredata_configure(handle, SQLITE_DBCONFIG_RESET_DATABASE, 1)
    defer { coredata_configure(handle, SQLITE_DBCONFIG_RESET_DATABASE, 0) }
    try run("VACUUM")
  }

  /// Replaces everything in this database by the content of another, in one transaction.
  ///
  /// Changes in a write-ahead log are copied too. Waits for others that use either database as long as the connection's
  /// busy timeout, which is handed in because SQLite does not apply it here.
  package func copyEverything(
    from source: Connection,
    timeout milliseconds: Int32
  ) throws(SQLiteError) {
    guard let backup = sqlite3_backup_init(handle, "main", source.handle, "main") else {
      throw lastError(sql: nil)
    }
    var waited: Int32 = 0
    var code = sqlite3_backup_step(backup, -1)
    while code == SQLITE_BUSY || code == SQLITE_LOCKED, waited < milliseconds {
      sqlite3_sleep(20)
      waited += 20
      code = sqlite3_backup_step(backup, -1)
    }
    let end = sqlite3_backup_finish(backup)
    guard code == SQLITE_DONE, end == SQLITE_OK else {
      let number = code == SQLITE_DONE ? end : code
      let reason = String(cString: sqlite3_errstr(number))
      throw SQLiteError(
        code: number,
        message: "\(path) cannot be replaced by \(source.path): \(reason)"
      )
    }
  }
}
