import CoreData
import CoreDataSQLite
import Foundation

/// The database of a store's file, which says in SQLite's words what is wrong with a statement.
struct AskedFile: AskedDatabase {
  private let session: SQLSession
  let name: String
  let mayWrite: Bool

  init(at url: URL, mayWrite: Bool) throws {
    session = try refusing {
      try SQLSession(at: url, isWritable: mayWrite, patience: OpenedStore.patience)
    }
    name = url.lastPathComponent
    self.mayWrite = mayWrite
  }

  func takeStatement(from text: inout Substring) -> String? {
    var script = Script(text)
    guard let statement = script.next() else { return nil }
    text = script.rest
    return statement
  }

  func requireCommitted() throws {
    if try session.connection.isInTransaction { throw uncommitted }
  }
}

// MARK: - Running

extension AskedFile {
  func run(_ sql: String, into results: SQLResults) throws -> Int {
    let connection = try refusing { try session.connection }
    let before = connection.totalChangeCount
    do throws(SQLiteError) {
      let statement = try connection.guardedStatement(sql)
      defer { statement.reset() }
      try print(statement, to: results)
    } catch {
      results.forget()
      throw refusal(error, sql, connection)
    }
    try results.end()
    return connection.totalChangeCount - before
  }

  private func print(_ statement: Statement, to results: SQLResults) throws(SQLiteError) {
    let columns = 0..<statement.columnCount
    if !columns.isEmpty { results.begin(columns.map(statement.columnName)) }
    while try statement.step() {
      if !columns.isEmpty, !results.row(columns.map(statement.value)) { return }
    }
  }

  private func refusal(_ error: SQLiteError, _ sql: String, _ connection: Connection) -> Refusal {
    if error.primaryCode == 5 {
      return Refusal("another program keeps the store locked; close it, or try again later")
    }
    if error.primaryCode == 23, !mayWrite {
      return Refusal(
        "this would make a file, and the store is open read-only; use --write to change it, or"
          + " coredata copy to copy it"
      )
    }
    if error.primaryCode == 8, !mayWrite {
      return Refusal("\(error.message); the store is open read-only; use --write to change it")
    }
    let (line, place) = SQLPlace.line(of: sql, atByte: connection.errorOffset)
    return Refusal(error.message + advice(error.message), in: line, at: place)
  }

  /// The table that may have been meant; empty if the tables cannot be listed.
  private func advice(_ message: String) -> String {
    let beginning = "no such table: "
    guard message.hasPrefix(beginning), let things = try? session.things() else { return "" }
    let name = String(message.dropFirst(beginning.count))
    return Spelling.question(name, among: things.filter { $0.kind != "index" }.map(\.name))
  }
}

// MARK: - What there is

extension AskedFile {
  func tableNames() throws -> [String] {
    try refusing(session.things).filter { ["table", "view"].contains($0.kind) }.map(\.name)
      .sorted()
  }

  func definitions(of table: String?) throws -> [String] {
    let things = try refusing(session.things)
    let wanted = things.filter { thing in
      table.map { thing.table.lowercased() == $0.lowercased() } ?? true
    }
    if let table, wanted.isEmpty {
      let names = things.filter { $0.kind == "table" }.map(\.name)
      let question = Spelling.question(table, among: names)
      throw Refusal("there is no table \(table)\(question)")
    }
    return wanted.map(\.sql)
  }

  func listOfEntities() -> String {
    """
    SELECT e.Z_ENT AS number, e.Z_NAME AS entity, s.Z_NAME AS superentity, e.Z_MAX AS "last key"
    FROM Z_PRIMARYKEY e LEFT JOIN Z_PRIMARYKEY s ON s.Z_ENT = e.Z_SUPER ORDER BY e.Z_ENT
    """
  }
}

/// The line of a statement in which a byte is, and the number of characters before it in that line.
enum SQLPlace {
  static func line(of sql: String, atByte offset: Int?) -> (line: String, place: Int?) {
    guard let offset, offset <= sql.utf8.count else { return (sql, nil) }
    let before = String(decoding: sql.utf8.prefix(offset), as: UTF8.self)
    let after = String(decoding: sql.utf8.dropFirst(offset), as: UTF8.self)
    let start = before.lastIndex(where: \.isNewline).map { before.index(after: $0) }
    let head = before[(start ?? before.startIndex)...]
    let tail = after.prefix { !$0.isNewline }
    return (String(head) + tail, head.count)
  }
}
