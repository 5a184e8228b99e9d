import CoreDataModel
import CoreDataSQL
import CoreDataSQLite
import Foundation

/// A database attached as `damaged`, asked without believing that it can answer.
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
  init(_ connection: Connection) throws(SQLiteError) {
    self.connection = connection
    let master = try connection.statement(
      "SELECT type, name, tbl_name, sql FROM damaged.sqlite_master WHERE sql IS NOT NULL"
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
        "SELECT name FROM pragma_table_info(\(.text(table)), 'damaged')"
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
    let statement = try connection.statement("SELECT Z_CONTENT FROM damaged.Z_MODELCACHE")
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
}
