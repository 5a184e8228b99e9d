import CoreDataCSQLite
package import CoreDataSQL

// MARK: - Keys that a question finds

extension Connection {
  /// Makes a function of SQL that says whether a key is among those that a query finds.
  ///
  /// ```
  /// FOUND('NOTE_WORDS', ?1, "Z_PK")      instead of      "Z_PK" IN (the query)
  /// ```
  ///
  /// The query runs once for a statement, within its transaction, and its keys are kept for other
  /// statements that ask the same, until anything is written. Of many keys, SQLite would make a table
  /// for each statement: that takes three times as long (measured with 100,000 rows).
  package func define(
    keySets name: String,
    _ query: @escaping (_ table: String, _ question: String) -> SQLFragment
  ) {
    let box = Unmanaged.passRetained(KeySets(self, query))
    sqlite3_create_function_v2(
      handle,
      name,
      3,
      SQLITE_UTF8 | FunctionUse.statements.flag,
      box.toOpaque(),
      { context, _, arguments in
        guard let context, let arguments, let opaque = sqlite3_user_data(context) else { return }
        if let known = sqlite3_get_auxdata(context, 1) {
          Unmanaged<KeySet>.fromOpaque(known)._withUnsafeGuaranteedRef {
            $0.answer(arguments[2], in: context)
          }
        } else {
          Unmanaged<KeySets>.fromOpaque(opaque)._withUnsafeGuaranteedRef {
            $0.answer(arguments, in: context)
          }
        }
      },
      nil,
      nil,
      { opaque in opaque.map { Unmanaged<KeySets>.fromOpaque($0).release() } }
    )
  }
}

extension KeySet {
  fileprivate func answer(_ key: OpaquePointer?, in context: OpaquePointer) {
    sqlite3_result_int(context, contains(sqlite3_value_int64(key)) ? 1 : 0)
  }
}

/// The keys that were asked for last on a connection.
private final class KeySets {
  private unowned let connection: Connection
  private let query: (String, String) -> SQLFragment
  /// The last used at the end.
  private var kept: [Kept] = []

  private struct Kept {
    let table: String
    let question: String
    let moment: Moment
    let keys: KeySet
  }

  /// Two moments differ if anything was written between them.
  private struct Moment: Equatable {
    let others: Int64
    let own: Int64
  }

  private static let capacity = 4

  init(_ connection: Connection, _ query: @escaping (String, String) -> SQLFragment) {
    self.connection = connection
    self.query = query
  }

  /// Answers the first row of a statement, and leaves the keys for the others.
  func answer(
    _ arguments: UnsafeMutablePointer<OpaquePointer?>,
    in context: OpaquePointer
  ) {
    guard let table = sqlite3_value_text(arguments[0]),
      let question = sqlite3_value_text(arguments[1])
    else { return sqlite3_result_null(context) }
    do {
      let keys = try keys(String(cString: table), String(cString: question))
      keys.answer(arguments[2], in: context)
      sqlite3_set_auxdata(context, 1, Unmanaged.passRetained(keys).toOpaque()) { opaque in
        opaque.map { Unmanaged<KeySet>.fromOpaque($0).release() }
      }
    } catch {
      sqlite3_result_error(context, error.message, -1)
      sqlite3_result_error_code(context, error.code)
    }
  }

  private func keys(_ table: String, _ question: String) throws(SQLiteError) -> KeySet {
    // The writes of a transaction may be rolled back without a trace.
    let isWriting = sqlite3_txn_state(connection.handle, nil) == SQLITE_TXN_WRITE
    let moment = Moment(
      others: try connection.dataVersion() ?? 0,
      own: sqlite3_total_changes64(connection.handle)
    )
    kept.removeAll { $0.moment != moment }
    let known = kept.firstIndex { $0.table == table && $0.question == question }
    if !isWriting, let known {
      kept.append(kept.remove(at: known))
      return kept[kept.count - 1].keys
    }
    let found = try connection.quietly { () throws(SQLiteError) in try read(table, question) }
    let keys = KeySet(found)
    if !isWriting {
      kept.append(Kept(table: table, question: question, moment: moment, keys: keys))
      if kept.count > Self.capacity { kept.removeFirst() }
    }
    return keys
  }

  private func read(_ table: String, _ question: String) throws(SQLiteError) -> [Int64] {
    let statement = try connection.statement(query(table, question))
    defer { statement.reset() }
    var keys: [Int64] = []
    while try statement.step() { keys.append(statement.integer(0)) }
    return keys
  }
}
