import CoreDataCSQLite
package import CoreDataSQL
import Foundation

/// One open database, for one thread at a time.
///
/// A connection keeps every statement it has prepared and hands the same one out again, so a query
/// that comes twice is compiled once.
///
/// Safety: not Sendable by itself; the pool that lends one out lends it to one thread only.
package final class Connection {
  package let path: String
  package let mode: Mode
  let handle: OpaquePointer
  /// The file as it was before it was opened as one that nobody changes.
  let fileAtOpening: FileState?
  private var statements: [String: Statement] = [:]
  /// The statements that begin and end a transaction, each kept so that it is found without a look at its text.
  private var beginning: Statement?
  private var ending: Statement?
  /// Those that somebody else has written, of which SQLite has said that they only read.
  var readingStatements: [String: Statement] = [:]
  /// How many statements SQLite had to compile here so far.
  package private(set) var preparationCount = 0
  /// Sees each statement before it runs, and may refuse it: logs, counts, injected failures.
  package var observer: ((_ sql: String) throws(SQLiteError) -> Void)?
  /// An object that the owner keeps with the connection: its functions of SQL put their data there.
  package var companion: AnyObject?

  /// Numbers that were noted after a commit, and the database's version then.
  private var notes: (version: UInt32, numbers: [Int32: Int64])?

  /// Reports what statements did, if somebody follows them.
  var trace: StatementTrace?
  /// The time that a statement may work until its next row, if somebody waits for it.
  var patience: Patience?
  /// The file that commits must find in its place, if the connection was told to look.
  var ownFile: OwnFile?
  /// Keeps the write-ahead log short, if the connection was told to.
  var logKeeper: LogKeeper?
  /// How long a statement waits for others, in milliseconds.
  private(set) var busyTimeout: Int32 = 0
  /// Keeps statements from making files, where they shall only read.
  var fileGuard: FileGuard?

  /// Opens the database file, which is created if it is missing and `mode` allows it.
  ///
  /// Throws SQLite's code 14 where the file or its folder cannot be opened.
  package init(path: String, mode: Mode = .readWriteCreate) throws(SQLiteError) {
    var opened: OpaquePointer?
    let flags = mode.flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_URI | SQLITE_OPEN_EXRESCODE
    let name =
      switch mode {
      case .immutable: Self.immutableURI(path)
      case .sharedMemory: Self.memoryURI(path)
      case .readOnly, .readWrite, .readWriteCreate: path
      }
    fileAtOpening = mode == .immutable ? FileState(path) : nil
    OpenFiles.noteOpening(path, mode)
    let code = sqlite3_open_v2(name, &opened, flags, nil)
    guard code == SQLITE_OK, let opened else {
      let message = opened.map { String(cString: sqlite3_errmsg($0)) } ?? "out of memory"
      sqlite3_close_v2(opened)
      OpenFiles.noteClosing(path, mode)
      throw SQLiteError(code: code, message: "cannot open \(path): \(message)")
    }
    self.path = path
    self.mode = mode
    handle = opened
    defend()
    adoptTimeOfStatements()
  }

  deinit {
    statements.removeAll()
    beginning = nil
    ending = nil
    readingStatements.removeAll()
    sqlite3_close_v2(handle)
    OpenFiles.noteClosing(path, mode)
  }

  package enum Mode: Sendable {
    case readOnly
    /// Reads a file that does not change: no locks are taken, and nothing is made beside it.
    case immutable
    case readWrite
    case readWriteCreate
    /// Reads and writes a database in memory that connections of this process share if their paths are equal. It
    /// is gone with the last of them.
    case sharedMemory

    fileprivate var flags: Int32 {
      switch self {
      case .readOnly, .immutable: SQLITE_OPEN_READONLY
      case .readWrite: SQLITE_OPEN_READWRITE
      case .readWriteCreate, .sharedMemory: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
      }
    }
  }
}

// MARK: - Running

extension Connection {
  /// The statement for this text, compiled at its first use.
  ///
  /// A literal is a fragment rather than a text: in a text, interpolated values cannot be distinguished.
  @_disfavoredOverload
  package func statement(_ sql: String) throws(SQLiteError) -> Statement {
    if let known = statements[sql], !known.isBusy { return known }
    let statement = try Statement(sql, on: self)
    preparationCount += 1
    if statements.count >= Self.statementLimit { forgetIdleStatements() }
    statements[sql] = statement
    return statement
  }

  /// How many statements are kept.
  ///
  /// A program has far fewer; one that builds its queries' text again for each value would have more and more.
  package static let statementLimit = 500

  private func forgetIdleStatements() {
    statements = statements.filter { $0.value.isBusy }
  }

  /// The statement for this fragment, its values bound.
  package func statement(_ fragment: SQLFragment) throws(SQLiteError) -> Statement {
    try statement(fragment.rendered(for: .sqlite))
  }

  /// The statement for this text, its values bound.
  package func statement(_ rendered: RenderedSQL) throws(SQLiteError) -> Statement {
    let statement = try statement(rendered.sql)
    for (index, value) in rendered.bindings.enumerated() {
      if let value { statement.bind(value, at: Int32(index + 1)) }
    }
    return statement
  }

  /// Runs a statement to its end, without looking at rows.
  @_disfavoredOverload
  package func run(_ sql: String) throws(SQLiteError) {
    let statement = try statement(sql)
    defer { statement.reset() }
    while try statement.step() {}
  }

  package func run(_ fragment: SQLFragment) throws(SQLiteError) {
    let statement = try statement(fragment)
    defer { statement.reset() }
    while try statement.step() {}
  }

  /// The first column of the first row; nil when there is no row or it is NULL.
  package func integer(_ fragment: SQLFragment) throws(SQLiteError) -> Int64? {
    let statement = try statement(fragment)
    defer { statement.reset() }
    guard try statement.step(), !statement.isNull(0) else { return nil }
    return statement.integer(0)
  }

  package func text(_ fragment: SQLFragment) throws(SQLiteError) -> String? {
    let statement = try statement(fragment)
    defer { statement.reset() }
    guard try statement.step(), !statement.isNull(0) else { return nil }
    return statement.text(0)
  }

  /// The number of rows that the last statement changed.
  package var changeCount: Int { Int(sqlite3_changes64(handle)) }

  /// The key of the row that was inserted last; a statement that updates leaves it.
  package var lastInsertedKey: Int64 { sqlite3_last_insert_rowid(handle) }

  /// A number that grows with every change of the database by any program; `nil` if SQLite cannot tell.
  ///
  /// Changes of others are seen from the next transaction on.
  private var contentVersion: UInt32? {
    var version: UInt32 = 0
    let code = sqlite3_file_control(handle, "main", SQLITE_FCNTL_DATA_VERSION, &version)
    return code == SQLITE_OK ? version : nil
  }

  /// Keeps what a transaction that was just committed knows of the database, for the next one to take.
  package func note(_ numbers: [Int32: Int64]) {
    notes = contentVersion.map { ($0, numbers) }
  }

  /// Takes what was noted when the database was as it is for the current transaction; empty if anybody has written
  /// since.
  package func takeNotedNumbers() -> [Int32: Int64] {
    defer { notes = nil }
    guard let notes, notes.version == contentVersion else { return [:] }
    return notes.numbers
  }

  /// Begins a transaction that writes, waiting for others that do.
  package func begin() throws(SQLiteError) {
    if beginning == nil { beginning = try statement("BEGIN IMMEDIATE" as String) }
    try beginning?.run()
  }

  /// Ends the transaction; its writes are in the database then.
  ///
  /// Throws SQLite's code 1032 if the connection looks after its file, and the file was removed or replaced. The
  /// transaction is then still open.
  package func commit() throws(SQLiteError) {
    try checkOwnFile()
    if ending == nil { ending = try statement("COMMIT" as String) }
    try ending?.run()
  }

  package var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

  /// Whether the file can only be read, even if it should have been opened for writing: SQLite then reads silently.
  package var isReadOnly: Bool { sqlite3_db_readonly(handle, "main") == 1 }

  /// How long a statement waits for another process's lock, in milliseconds.
  package func setBusyTimeout(milliseconds: Int32) {
    busyTimeout = milliseconds
    logKeeper?.busyTimeout = milliseconds
    sqlite3_busy_timeout(handle, milliseconds)
  }

  /// The last failure on this connection.
  func lastError(sql: String?) -> SQLiteError {
    let code = sqlite3_extended_errcode(handle)
    return SQLiteError(
      code: code,
      message: String(cString: sqlite3_errmsg(handle)),
      sql: sql,
      systemNumber: systemNumber(of: code)
    )
  }

  private func systemNumber(of code: Int32) -> Int32 {
    // Of other failures SQLite keeps the number that was there before.
    guard [SQLITE_IOERR, SQLITE_CANTOPEN].contains(code & 0xFF) else { return 0 }
    let number = sqlite3_system_errno(handle)
    // After a refused write, SQLite may have the number of its later question to the system.
    let isKnown = [EIO, ENOSPC, EDQUOT, EFBIG, EROFS].contains(number)
    return code == Self.refusedWrite && !isKnown && FileSizeLimit.isSet ? EFBIG : number
  }

  /// `SQLITE_IOERR_WRITE`, which is not a constant in Swift.
  private static let refusedWrite: Int32 = SQLITE_IOERR | (3 << 8)
}
