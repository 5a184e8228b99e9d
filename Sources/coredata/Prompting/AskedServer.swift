import CoreData
import CoreDataModel
import CoreDataPostgreSQL
import Foundation

/// A database on a PostgreSQL server, with the rows of all zones.
struct AskedServer: AskedDatabase {
  private let session: PostgreSQLSession
  private let database: DatabaseAddress
  private let patience: Int?
  let mayWrite: Bool
  var name: String { database.words }

  /// `patience` is how many seconds a statement may take; nil for as long as it takes.
  init(_ database: DatabaseAddress, mayWrite: Bool, patience: Int?) throws {
    self.database = database
    self.patience = patience
    self.mayWrite = mayWrite
    session = try refusing {
      try PostgreSQLSession(
        at: database.url,
        options: database.options,
        isWritable: mayWrite,
        patience: patience
      )
    }
  }

  func takeStatement(from text: inout Substring) -> String? {
    guard let end = ServerScript.end(ofFirstStatementIn: text) else { return nil }
    defer { text = text[end...] }
    return String(text[..<end])
  }

  func requireCommitted() throws {
    if session.isInTransaction { throw uncommitted }
  }
}

// MARK: - Running

extension SQLResults: StatementReader {}

extension AskedServer {
  func run(_ sql: String, into results: SQLResults) throws -> Int {
    let count: Int
    do throws(StatementRefusal) {
      count = try session.run(sql, into: results)
    } catch {
      results.forget()
      throw refusal(error, sql)
    }
    try results.end()
    return count
  }

  private func refusal(_ error: StatementRefusal, _ sql: String) -> Refusal {
    if error.state == "25006", !mayWrite {
      return Refusal("\(error.message); the database is open read-only; use --write to change it")
    }
    if error.state == "57014", let patience {
      return Refusal(
        "the statement had no end after \(patience) s; --time-limit gives it more time, 0 as much as it takes"
      )
    }
    let before = error.place.map { sql.unicodeScalars.prefix($0) }
    let bytes = before.map { String(String.UnicodeScalarView($0)).utf8.count }
    let (line, place) = SQLPlace.line(of: sql, atByte: bytes)
    return Refusal(error.message + advice(error), in: line, at: place)
  }

  /// The server's own hint, and the table that may have been meant: names without quotation marks are read in small
  /// letters, which causes most mistakes.
  private func advice(_ error: StatementRefusal) -> String {
    if error.state == "42P01", let name = error.message.split(separator: "\"").dropFirst().first {
      // If the tables cannot be listed, the refusal itself is enough.
      let names = (try? session.tables().map(\.name)) ?? []
      let question = Spelling.question(String(name), among: names.map(\.unquoted))
      if !question.isEmpty { return "\(question) Names with capital letters stand in \"\"." }
    }
    return error.hint.map { "; \($0)" } ?? ""
  }
}

// MARK: - What there is

extension AskedServer {
  func tableNames() throws -> [String] { try tables().map(\.name.unquoted) }

  func definitions(of table: String?) throws -> [String] {
    let tables = try tables()
    guard let table else { return tables.flatMap(\.statements) }
    let wanted = tables.filter { $0.name.unquoted.lowercased() == table.unquoted.lowercased() }
    if wanted.isEmpty {
      let question = Spelling.question(table, among: tables.map(\.name.unquoted))
      throw Refusal("there is no table \(table)\(question)")
    }
    return wanted.flatMap(\.statements)
  }

  private func tables() throws -> [(name: String, statements: [String])] {
    do {
      return try session.tables()
    } catch let error as StatementRefusal {
      throw refusal(error, "")
    }
  }

  /// The entities are in the model, and not in a table; keys are handed out for each zone.
  func listOfEntities() throws -> String {
    let schema = try refusing {
      try PostgreSQLFacts.schema(at: database.url, options: database.options)
    }
    guard let schema else { throw Refusal("\(database.words) has no store in it") }
    let parents = Dictionary(schema.entities.map { ($0.name, $0.superentityName) }) { first, _ in
      first
    }
    let rows = TableMap(schema).entities.map { entity in
      let parent = parents[entity.name] ?? nil
      return "(\(entity.number), \(entity.name.literal), \(parent?.literal ?? "NULL"))"
    }
    return """
      SELECT e.*, k.z_zone AS zone, k.z_last AS "last key"
      FROM (VALUES \(rows.joined(separator: ", "))) e (number, entity, superentity)
      LEFT JOIN z_keys k ON k.z_ent = e.number ORDER BY e.number, k.z_zone
      """
  }
}

extension String {
  /// A name as it is, of one that may be in quotation marks.
  fileprivate var unquoted: String {
    guard count > 1, hasPrefix("\""), hasSuffix("\"") else { return self }
    return String(dropFirst().dropLast()).replacing("\"\"", with: "\"")
  }

  /// The text as SQL has it.
  fileprivate var literal: String { "'" + replacing("'", with: "''") + "'" }
}
