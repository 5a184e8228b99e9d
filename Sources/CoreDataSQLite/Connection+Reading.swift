import CoreDataCSQLite
package import CoreDataSQL

// MARK: - Statements that only read

/// The reason why a text of SQL is not a statement that may run where nothing must change.
package enum ReadingRefusal: Error, Hashable, Sendable {
  /// There is nothing, or a comment alone.
  case empty
  /// The statement is followed by another one, or by something that could be one.
  case several
  /// The statement does not give rows.
  case noColumns
  /// The statement would do something else than read: what, as in "delete from ZNOTE".
  case changes(String)
  /// A place in the text is not bound.
  case openPlace
  case sqlite(SQLiteError)
}

extension Connection {
  /// The statement for a fragment that somebody else has written, its values bound; compiled and looked at
  /// before its first run.
  ///
  /// It is a single statement, and SQLite has said of each of its steps that it reads.
  package func readingStatement(
    _ fragment: SQLFragment
  ) throws(ReadingRefusal) -> Statement {
    let rendered = fragment.rendered(for: .sqlite)
    let statement = try readingStatement(rendered.sql)
    guard Int(statement.parameterCount) == rendered.bindings.count else {
      throw .openPlace
    }
    for (index, value) in rendered.bindings.enumerated() {
      statement.bind(value ?? .null, at: Int32(index + 1))
    }
    return statement
  }

  private func readingStatement(_ sql: String) throws(ReadingRefusal) -> Statement {
    if let known = readingStatements[sql], !known.isBusy { return known }
    let statement = try compileForReading(sql)
    if readingStatements.count >= Self.statementLimit {
      readingStatements = readingStatements.filter { $0.value.isBusy }
    }
    readingStatements[sql] = statement
    return statement
  }

  private func compileForReading(_ sql: String) throws(ReadingRefusal) -> Statement {
    // SQLite would end the text there.
    if sql.utf8.contains(0) { throw .several }
    let guardian = ReadingGuardian()
    sqlite3_set_authorizer(
      handle,
      { place, action, first, second, _, _ in
        guard let place else { return SQLITE_DENY }
        return Unmanaged<ReadingGuardian>.fromOpaque(place)._withUnsafeGuaranteedRef {
          $0.answer(action, first, second)
        }
      },
      Unmanaged.passUnretained(guardian).toOpaque()
    )
    defer { sqlite3_set_authorizer(handle, nil, nil) }
    let first: FirstStatement
    do throws(SQLiteError) {
      first = try FirstStatement(of: sql, on: self)
    } catch {
      throw guardian.refused.map(ReadingRefusal.changes) ?? .sqlite(error)
    }
    guard let statement = first.statement else { throw .empty }
    // The next statement may be the refused one.
    if first.isFollowed { throw .several }
    guard sqlite3_stmt_readonly(statement.handle) != 0 else { throw .changes("change the file") }
    guard statement.columnCount > 0 else { throw .noColumns }
    return statement
  }
}

/// The first statement of a text.
private struct FirstStatement {
  /// `nil` if there is only a comment.
  let statement: Statement?
  /// Whether more than a comment follows the statement.
  let isFollowed: Bool

  init(of sql: String, on connection: Connection) throws(SQLiteError) {
    var compiled: OpaquePointer?
    var (code, isFollowed) = (SQLITE_OK, false)
    sql.withCString { text in
      var rest: UnsafePointer<CChar>?
      let flags = UInt32(SQLITE_PREPARE_PERSISTENT)
      code = sqlite3_prepare_v3(connection.handle, text, -1, flags, &compiled, &rest)
      while code == SQLITE_OK, !isFollowed, let next = rest, next.pointee != 0 {
        var another: OpaquePointer?
        let ending = sqlite3_prepare_v3(connection.handle, next, -1, 0, &another, &rest)
        isFollowed = ending != SQLITE_OK || another != nil
        sqlite3_finalize(another)
      }
    }
    guard code == SQLITE_OK else { throw connection.lastError(sql: sql) }
    statement = compiled.map { Statement($0, sql, on: connection) }
    self.isFollowed = isFollowed
  }
}

/// Lets a statement read, and nothing else, when it is compiled.
private final class ReadingGuardian {
  /// The first thing that a statement wanted besides.
  private(set) var refused: String?

  func answer(
    _ action: Int32,
    _ first: UnsafePointer<CChar>?,
    _ second: UnsafePointer<CChar>?
  ) -> Int32 {
    let subject = [first, second].compactMap { $0.map { String(cString: $0) } }.first ?? ""
    switch action {
    case SQLITE_FUNCTION where subject != "load_extension":
      return SQLITE_OK
    case SQLITE_SELECT, SQLITE_READ, SQLITE_RECURSIVE:
      return SQLITE_OK
    case _:
      if refused == nil { refused = Self.words(action, subject) }
      return SQLITE_DENY
    }
  }

  private static func words(_ action: Int32, _ subject: String) -> String {
    switch action {
    case SQLITE_INSERT: "insert into \(subject)"
    case SQLITE_UPDATE: "update \(subject)"
    case SQLITE_DELETE: "delete from \(subject)"
    case SQLITE_PRAGMA: "use the pragma \(subject)"
    case SQLITE_ATTACH: "attach \(subject)"
    case SQLITE_DETACH: "detach \(subject)"
    case SQLITE_TRANSACTION: "begin or end a transaction"
    case SQLITE_SAVEPOINT: "set a savepoint"
    case SQLITE_FUNCTION: "call \(subject)"
    case _: "change what tables there are"
    }
  }
}
