import CoreDataCSQLite
package import CoreDataSQL

/// A compiled statement: bind, step through the rows, read columns, reset.
///
/// Columns are counted from 0, places for values from 1, as in SQLite.
package final class Statement {
  package let sql: String
  let handle: OpaquePointer
  private unowned let connection: Connection
  /// Between its first step and its reset.
  package private(set) var isBusy = false
  /// SQLite's error when it did not take a value; the next step throws it.
  private var refusal: SQLiteError?

  /// Takes over what SQLite has compiled of a text.
  init(_ compiled: OpaquePointer, _ sql: String, on connection: Connection) {
    self.sql = sql
    self.connection = connection
    handle = compiled
  }

  init(_ sql: String, on connection: Connection) throws(SQLiteError) {
    var compiled: OpaquePointer?
    let flags = UInt32(SQLITE_PREPARE_PERSISTENT)
    let code = sqlite3_prepare_v3(connection.handle, sql, -1, flags, &compiled, nil)
    guard code == SQLITE_OK, let compiled else { throw connection.lastError(sql: sql) }
    self.sql = sql
    self.connection = connection
    handle = compiled
  }

  deinit {
    sqlite3_finalize(handle)
  }
}

// MARK: - Stepping

extension Statement {
  /// Moves to the next row; false at the end.
  ///
  /// A failed statement is reset before the error leaves.
  package func step() throws(SQLiteError) -> Bool {
    if !isBusy {
      if let refusal {
        self.refusal = nil
        throw refusal
      }
      if let observer = connection.observer { try observer(sql) }
      isBusy = true
    }
    connection.patience?.begin()
    switch sqlite3_step(handle) {
    case SQLITE_ROW:
      return true
    case SQLITE_DONE:
      return false
    case _:
      let error = connection.exhausted(connection.lastError(sql: sql))
      reset()
      throw error
    }
  }

  /// Makes the statement ready to run again; bound values stay.
  package func reset() {
    sqlite3_reset(handle)
    isBusy = false
    refusal = nil
  }

  /// Runs a statement that gives no rows, and makes it ready to run again.
  package func run() throws(SQLiteError) {
    while try step() {}
    reset()
  }
}

// MARK: - Binding

extension Statement {
  package func bindNull(at index: Int32) {
    check(sqlite3_bind_null(handle, index))
  }

  package func bind(_ value: Int64, at index: Int32) {
    check(sqlite3_bind_int64(handle, index, value))
  }

  package func bind(_ value: Double, at index: Int32) {
    check(sqlite3_bind_double(handle, index, value))
  }

  /// Binds UTF-8 that stays in its place until the statement is reset or bound again.
  package func bindText(inPlace bytes: UnsafeRawBufferPointer, at index: Int32) {
    guard let start = bytes.baseAddress else {
      check(coredata_bind_text_static(handle, index, "", 0))
      return
    }
    let text = start.assumingMemoryBound(to: CChar.self)
    check(coredata_bind_text_static(handle, index, text, Int32(clamping: bytes.count)))
  }

  /// Binds bytes that stay in their place until the statement is reset or bound again.
  package func bindBlob(inPlace bytes: UnsafeRawBufferPointer, at index: Int32) {
    check(
      coredata_bind_blob_static(handle, index, bytes.baseAddress, Int32(clamping: bytes.count))
    )
  }

  /// Binds a copy of the bytes.
  package func bindBlob(copied bytes: UnsafeRawBufferPointer, at index: Int32) {
    check(
      coredata_bind_blob_copied(handle, index, bytes.baseAddress, Int32(clamping: bytes.count))
    )
  }

  package func bind(_ value: SQLValue, at index: Int32) {
    switch value {
    case .null:
      bindNull(at: index)
    case .integer(let value):
      bind(value, at: index)
    case .real(let value):
      bind(value, at: index)
    case .text(var text):
      check(
        text.withUTF8 {
          coredata_bind_text_copied(handle, index, $0.baseAddress, Int32(clamping: $0.count))
        }
      )
    case .blob(let bytes):
      check(
        bytes.withUnsafeBytes {
          coredata_bind_blob_copied(handle, index, $0.baseAddress, Int32(clamping: $0.count))
        }
      )
    }
  }

  /// A value that SQLite does not take, such as a text of more than a gigabyte, must not be left out
  /// in silence.
  private func check(_ code: Int32) {
    if code != SQLITE_OK { refusal = connection.lastError(sql: sql) }
  }
}

// MARK: - Reading

extension Statement {
  /// How many places for values the statement has.
  package var parameterCount: Int32 { sqlite3_bind_parameter_count(handle) }

  package var columnCount: Int32 { sqlite3_column_count(handle) }

  package func columnName(_ column: Int32) -> String {
    sqlite3_column_name(handle, column).map { String(cString: $0) } ?? ""
  }

  package func isNull(_ column: Int32) -> Bool {
    sqlite3_column_type(handle, column) == SQLITE_NULL
  }

  package func integer(_ column: Int32) -> Int64 {
    sqlite3_column_int64(handle, column)
  }

  package func real(_ column: Int32) -> Double {
    sqlite3_column_double(handle, column)
  }

  /// The column's UTF-8 in SQLite's own memory, valid until the next step or reset.
  package func textBytes(_ column: Int32) -> UnsafeRawBufferPointer {
    let start = UnsafeRawPointer(sqlite3_column_text(handle, column))
    return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column)))
  }

  /// The column's bytes in SQLite's own memory, valid until the next step or reset.
  package func blobBytes(_ column: Int32) -> UnsafeRawBufferPointer {
    let start = sqlite3_column_blob(handle, column)
    return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column)))
  }

  package func text(_ column: Int32) -> String {
    String(decoding: textBytes(column), as: UTF8.self)
  }

  package func value(_ column: Int32) -> SQLValue {
    switch sqlite3_column_type(handle, column) {
    case SQLITE_INTEGER: .integer(integer(column))
    case SQLITE_FLOAT: .real(real(column))
    case SQLITE_TEXT: .text(text(column))
    case SQLITE_BLOB: .blob([UInt8](blobBytes(column)))
    case _: .null
    }
  }
}
