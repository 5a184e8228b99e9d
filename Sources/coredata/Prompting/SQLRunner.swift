import CoreData
import CoreDataSQLite
import Foundation

/// Runs the statements that somebody writes, and says in SQLite's words what is wrong with one.
struct SQLRunner {
  let session: SQLSession
  let mayWrite: Bool
  let results: SQLResults

  /// Runs every statement of a text; the last one needs no semicolon.
  func runAll(_ text: String) throws {
    var script = Script(text)
    while let statement = script.next() { try run(statement) }
    try run(String(script.rest))
  }

  /// Runs what is piped in, one statement as soon as it is complete.
  func runPiped(_ output: Output) throws {
    var text = ""
    while let line = readLine(strippingNewline: false) {
      if Script.isBlank(text), let word = DotCommand(line) {
        if word.isEnd { return }
        try word.run(self, output)
        continue
      }
      text += line
      guard line.contains(";") else { continue }
      var script = Script(text)
      while let statement = script.next() { try run(statement) }
      text = String(script.rest)
    }
    try run(text)
  }

  func run(_ text: String) throws {
    let sql = String(text.drop(while: \.isWhitespace))
    if Script.isBlank(sql) { return }
    let connection = try refusing { try session.connection }
    let before = connection.totalChangeCount
    do throws(SQLiteError) {
      let statement = try connection.statement(sql)
      defer { statement.reset() }
      try results.print(statement)
    } catch {
      throw refusal(error, sql, connection)
    }
    if let failure = results.takeFailure() { throw failure }
    let changes = connection.totalChangeCount - before
    if mayWrite, changes > 0 { try results.note("\(changes.of("row")) changed") }
  }
}

extension SQLRunner {
  /// A transaction that nobody has ended is taken back when the program ends: that is said.
  func requireCommitted() throws {
    guard try session.connection.isInTransaction else { return }
    throw Refusal("the last transaction was not kept because it has no COMMIT")
  }
}

// MARK: - Errors

extension SQLRunner {
  private func refusal(_ error: SQLiteError, _ sql: String, _ connection: Connection) -> Refusal {
    if error.primaryCode == 5 {
      return Refusal("another program keeps the store locked; close it, or try again later")
    }
    if error.primaryCode == 8, !mayWrite {
      return Refusal("\(error.message); the store is open read-only; use --write to change it")
    }
    let (line, place) = SQLPlace.line(of: sql, atByte: connection.errorOffset)
    return Refusal(error.message + advice(error.message), in: line, at: place)
  }

  /// The table that may have been meant.
  private func advice(_ message: String) -> String {
    let beginning = "no such table: "
    guard message.hasPrefix(beginning), let things = try? session.things() else { return "" }
    let name = String(message.dropFirst(beginning.count))
    return Spelling.question(name, among: things.filter { $0.kind != "index" }.map(\.name))
  }
}

/// The line of a statement in which a byte stands, and how many characters stand before it there.
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
