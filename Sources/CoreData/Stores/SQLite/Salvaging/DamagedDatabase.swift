import CoreDataModel
import CoreDataSQL
import CoreDataSQLite
import Foundation

/// A damaged database, asked without believing that it can answer.
///
/// It has a connection of its own: where one reads a damaged database and writes a sound one, SQLite
/// refuses to write after the first page that it cannot read.
struct DamagedDatabase {
  let connection: Connection
  /// The columns of each table whose statement could be read.
  let columns: [String: [String]]
  /// The statements that made tables and indexes.
  private let statements: [Statement]

  private struct Statement {
    let type: String
    let name: String
    let table: String
    let sql: String
  }

  /// Throws when not even the list of tables can be read.
  init(at place: URL) throws(SQLiteError) {
    connection = try Connection(path: place.path, mode: .readWrite)
    // Tables whose statements are damaged are left out, instead of making all others unreadable.
    try connection.run("PRAGMA writable_schema = 1")
    let master = try connection.statement(
      "SELECT type, name, tbl_name, sql FROM sqlite_master WHERE sql IS NOT NULL"
    )
    defer { master.reset() }
    var statements: [Statement] = []
    while try master.step() {
      statements.append(
        Statement(
          type: master.text(0),
          name: master.text(1),
          table: master.text(2),
          sql: master.text(3)
        )
      )
    }
    self.statements = statements
    var columns: [String: [String]] = [:]
    for table in statements where table.type == "table" {
      columns[table.name] = Self.columns(of: table.name, on: connection)
    }
    self.columns = columns
  }

  private static func columns(of table: String, on connection: Connection) -> [String] {
    Self.orNothing { () throws(SQLiteError) in
      let statement = try connection.statement(
        "SELECT name FROM pragma_table_info(\(.text(table)))"
      )
      defer { statement.reset() }
      var names: [String] = []
      while try statement.step() { names.append(statement.text(0)) }
      return names
    } ?? []
  }

  /// What cannot be read is lost; why does not matter any more.
  static func orNothing<Result>(_ body: () throws(SQLiteError) -> Result?) -> Result? {
    try? body()
  }
}

// MARK: - Asking

extension DamagedDatabase {
  /// The model in the file; throws where it cannot be read.
  func model() throws -> ModelSchema {
    let statement = try connection.statement("SELECT Z_CONTENT FROM Z_MODELCACHE")
    defer { statement.reset() }
    _ = try statement.step()
    return try ModelCache.decode(Data(statement.blobBytes(0)))
  }

  /// Tables that neither the model nor Core Data itself wants, but for those that SQLite fills.
  func others(than known: Set<String>) -> [(name: String, sql: String)] {
    let virtual = statements.filter { $0.sql.hasPrefix("CREATE VIRTUAL") }.map(\.name)
    return statements.filter { statement in
      statement.type == "table" && !known.contains(statement.name)
        && !statement.name.hasPrefix("sqlite_")
        && !virtual.contains { statement.name == $0 || statement.name.hasPrefix("\($0)_") }
    }
    .map { ($0.name, $0.sql) }
  }

  func indexes(of table: String) -> [String] {
    statements.filter { $0.type == "index" && $0.table == table }.map(\.sql)
  }

  func integer(_ query: SQLFragment) -> Int64? {
    Self.orNothing { () throws(SQLiteError) in try connection.integer(query) }
  }

  func text(_ query: SQLFragment) -> String? {
    Self.orNothing { () throws(SQLiteError) in try connection.text(query) }
  }

  func bytes(_ query: String) -> [UInt8]? {
    Self.orNothing { () throws(SQLiteError) in
      let statement = try connection.statement(query)
      defer { statement.reset() }
      return try statement.step() ? [UInt8](statement.blobBytes(0)) : nil
    }
  }
}
