import CoreDataCSQLite
import CoreDataSQL

// MARK: - Files that strangers have made

extension Connection {
  /// Removes the means by which a database's maker could harm a program that opens it.
  ///
  /// ```
  /// trusted schema off    triggers, views, defaults and indexes call functions of SQLite's own, and
  ///                       those of ours that are defined for them
  /// defensive             no statement writes into the list of tables or the tables behind an index
  ///                       of words
  /// cell size check       a damaged page is found when it is read
  /// limits                what a hostile text of SQL can cost
  /// ```
  ///
  /// Triggers and views themselves stay: a program may have made its own. A connection that writes
  /// to a store trusts them, see ``trustSchema()``.
  func defend() {
    coredata_configure(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)
    coredata_configure(handle, SQLITE_DBCONFIG_DEFENSIVE, 1)
    coredata_configure(handle, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0)
    coredata_configure(handle, SQLITE_DBCONFIG_ENABLE_FTS3_TOKENIZER, 0)
    for (limit, value) in Self.limits { sqlite3_limit(handle, limit, value) }
    // It sets a flag and reads nothing: the file need not be there yet.
    sqlite3_exec(handle, "PRAGMA cell_size_check = 1", nil, nil, nil)
  }

  /// Lets triggers write to indexes of words and to R-trees.
  ///
  /// SQLite 3.40 does not count FTS5 and R-tree among the harmless parts of a schema: a connection that distrusts the
  /// schema cannot write to a table whose triggers keep such an index. Functions of ours stay closed to triggers all
  /// the same, because each of them says where it may be used.
  package func trustSchema() {
    coredata_configure(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 1)
  }

  /// Far above what the framework's own statements need, and far below what a machine cannot bear.
  private static let limits: [(limit: Int32, value: Int32)] = [
    (SQLITE_LIMIT_SQL_LENGTH, 16 << 20),
    (SQLITE_LIMIT_VDBE_OP, 5_000_000),
    (SQLITE_LIMIT_COMPOUND_SELECT, 100),
    // Each trigger may set off others.
    (SQLITE_LIMIT_TRIGGER_DEPTH, 50),
    // VACUUM attaches one.
    (SQLITE_LIMIT_ATTACHED, 1),
    (SQLITE_LIMIT_WORKER_THREADS, 0),
  ]

  /// Lets the list of tables be read although parts of it are damaged.
  ///
  /// For the copy of a damaged file only, since it lets statements write into the list too.
  package func tolerateDamagedSchema() throws(SQLiteError) {
    coredata_configure(handle, SQLITE_DBCONFIG_DEFENSIVE, 0)
    try run("PRAGMA writable_schema = 1")
  }

  /// Sets the journal; none at all is a choice that the defences would refuse.
  package func setJournalMode(_ mode: String) throws(SQLiteError) {
    let isOff = mode.lowercased() == "off"
    if isOff { coredata_configure(handle, SQLITE_DBCONFIG_DEFENSIVE, 0) }
    defer { if isOff { coredata_configure(handle, SQLITE_DBCONFIG_DEFENSIVE, 1) } }
    try run("PRAGMA journal_mode = \(mode)")
  }
}

// MARK: - Files that statements would make

extension Connection {
  /// Keeps statements from making files while they run: `VACUUM INTO` does, even if the database is only read.
  ///
  /// Such a statement fails with SQLite's code 23. `ATTACH` opens a database all the same, if it is compiled by
  /// ``guardedStatement(_:)``.
  package func guardFiles() {
    let fileGuard = FileGuard()
    self.fileGuard = fileGuard
    sqlite3_set_authorizer(
      handle,
      { place, action, _, _, _, _ in
        guard let place, action == SQLITE_ATTACH else { return SQLITE_OK }
        // VACUUM attaches its new file when it runs.
        return Unmanaged<FileGuard>.fromOpaque(place)
          ._withUnsafeGuaranteedRef { $0.isCompiling } ? SQLITE_OK : SQLITE_DENY
      },
      Unmanaged.passUnretained(fileGuard).toOpaque()
    )
  }

  /// The statement for a text that somebody has written.
  package func guardedStatement(_ sql: String) throws(SQLiteError) -> Statement {
    fileGuard?.isCompiling = true
    defer { fileGuard?.isCompiling = false }
    return try statement(sql)
  }
}

/// Whether a statement is just being compiled, so that its author named the database that it attaches.
///
/// Safety: used by the thread that has the connection.
final class FileGuard {
  var isCompiling = false
}

// MARK: - Who may call a function

extension Connection {
  /// The places where a function of SQL may be used.
  package enum FunctionUse {
    /// In statements of the program.
    case statements
    /// In the file's own triggers and indexes too; such a function must harm nobody, whatever its
    /// arguments are and however often it is called.
    case schema

    var flag: Int32 {
      switch self {
      case .statements: SQLITE_DIRECTONLY
      case .schema: SQLITE_INNOCUOUS
      }
    }
  }
}
