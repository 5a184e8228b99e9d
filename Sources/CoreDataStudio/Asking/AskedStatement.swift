import CoreData
import CoreDataSQL
import CoreDataSQLite
import CoreDataStoreCare
import CoreDataWebServer
import Foundation

/// One SQL statement that only reads, within a time and a number of rows.
struct AskedStatement {
  static let mostRows = 1_000
  static let mostColumns = 200
  static let mostText = 4_000
  static let mostBytes = 8 << 20
  static let time = Duration.seconds(10)

  let url: URL

  /// Runs a statement.
  ///
  /// - Throws: A `Refusal` in the database's words, with the place of the mistake.
  func run(_ sql: String) throws -> JSONValue {
    if sql.utf8.contains(0) { throw Refusal("The statement has the character U+0000; remove it.") }
    var script = Script(sql)
    let first = script.next() ?? String(script.rest)
    if Script.isBlank(first) { throw Refusal("Write a statement, such as SELECT.") }
    let rest = first.utf8.count < sql.utf8.count ? String(script.rest) : ""
    if first != sql, !Script.isBlank(rest) {
      throw Refusal("Write one statement at a time; there is another one after the semicolon.")
    }
    let began = ContinuousClock.now
    let session = try SQLSession(at: url, isWritable: false, patience: 2)
    let connection = try session.connection
    let answer: [JSONValue.Member]?
    do throws(SQLiteError) {
      answer = try connection.within(Self.time) { () throws(SQLiteError) in
        try read(connection, first)
      }
    } catch {
      throw refusal(error, first, connection)
    }
    guard let answer else {
      throw Refusal("The statement took longer than 10 seconds and was stopped. Ask for less.")
    }
    return .object(answer + [.init(name: "milliseconds", value: .milliseconds(since: began))])
  }

  private func read(
    _ connection: Connection,
    _ sql: String
  ) throws(SQLiteError) -> [JSONValue.Member] {
    let statement = try connection.guardedStatement(sql)
    defer { statement.reset() }
    let columns = 0..<min(statement.columnCount, Int32(Self.mostColumns))
    var (rows, bytes, hasMore) = ([JSONValue](), 0, false)
    while try statement.step() {
      if rows.count == Self.mostRows || bytes > Self.mostBytes {
        hasMore = true
        break
      }
      let cells = columns.map { Self.json(statement.value($0)) }
      bytes += cells.reduce(0) { $0 + ($1.textLength ?? 8) }
      rows.append(.array(cells))
    }
    return [
      .init(name: "columns", value: .array(columns.map { .text(statement.columnName($0)) })),
      .init(name: "rows", value: .array(rows)), .init(name: "hasMore", value: .boolean(hasMore)),
    ]
  }

  private static func json(_ value: SQLValue) -> JSONValue {
    switch value {
    case .null: .null
    case .integer(let number): .number(String(number))
    case .real(let number): .real(number)
    case .text(let text): .text(String(text.prefix(mostText)))
    case .blob(let bytes): ["kind": "data", "size": .integer(bytes.count)]
    }
  }

  private func refusal(_ error: SQLiteError, _ sql: String, _ connection: Connection) -> Refusal {
    switch error.primaryCode {
    case 5: Refusal("Another program keeps the store locked; close it, or try again later.")
    case 8, 23: Refusal("\(error.message); the store is open for reading only.")
    case _:
      Refusal(
        error.message,
        in: sql,
        at: connection.errorOffset.map {
          String(decoding: sql.utf8.prefix($0), as: UTF8.self).count
        }
      )
    }
  }
}

extension JSONValue {
  /// The time that has passed, to a tenth of a millisecond.
  static func milliseconds(since began: ContinuousClock.Instant) -> JSONValue {
    .real((began.duration(to: .now) / .milliseconds(0.1)).rounded() / 10)
  }

  fileprivate var textLength: Int? {
    if case .text(let text) = self { text.utf8.count } else { nil }
  }
}
