import CoreData
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
  let columns: [String: [Column]]
  /// In bytes.
  let size: Int64
  /// False where a part of the list of tables could not be read.
  let isListComplete: Bool
  /// The statements that made tables and indexes.
  private let statements: [Statement]

  struct Column: Hashable {
    let name: String
    let type: String
  }

  private struct Statement {
    let type: String
    let name: String
    let table: String
    let sql: String

    /// Whether the text makes a thing of that type: any other would do something else when it is run in the new store.
    var makesWhatItSays: Bool {
      let words = sql.uppercased().split(whereSeparator: \.isWhitespace).prefix(3)
      return switch (type, words.first, words.dropFirst().first, words.dropFirst(2).first) {
      case ("table", "CREATE", "TABLE", _), ("table", "CREATE", "VIRTUAL", "TABLE"),
        ("index", "CREATE", "INDEX", _), ("index", "CREATE", "UNIQUE", "INDEX"),
        ("trigger", "CREATE", "TRIGGER", _), ("view", "CREATE", "VIEW", _):
        true
      case _: false
      }
    }
  }

  /// Throws when not even the list of tables can be read.
  init(at place: URL) throws(SQLiteError) {
    connection = try Connection(path: place.path, mode: .readWrite)
    // The size bounds what is looked for; a file that was opened has one.
    let facts = try? FileManager.default.attributesOfItem(atPath: place.path)
    size = (facts?[.size] as? NSNumber)?.int64Value ?? 0
    // Tables whose statements are damaged are left out, instead of making all others unreadable.
    try connection.tolerateDamagedSchema()
    (statements, isListComplete) = try Self.statements(on: connection)
    var columns: [String: [Column]] = [:]
    for table in statements where table.type == "table" {
      columns[table.name] = Self.columns(of: table.name, on: connection)
    }
    self.columns = columns
  }

  /// From the front until a page cannot be read, and then from the back; throws if neither has any.
  private static func statements(
    on connection: Connection
  ) throws(SQLiteError) -> ([Statement], isComplete: Bool) {
    var statements: [Int64: Statement] = [:]
    var failure: SQLiteError?
    for order: SQLFragment in ["ASC", "DESC"] {
      do throws(SQLiteError) {
        let master = try connection.statement(
          """
          SELECT rowid, type, name, tbl_name, sql FROM sqlite_master WHERE sql IS NOT NULL \
          ORDER BY rowid \(order)
          """
        )
        defer { master.reset() }
        while try master.step() {
          let statement = Statement(
            type: master.text(1),
            name: master.text(2),
            table: master.text(3),
            sql: master.text(4)
          )
          if statement.makesWhatItSays { statements[master.integer(0)] = statement }
        }
        break
      } catch {
        guard error.isDamage else { throw error }
        failure = error
      }
    }
    if statements.isEmpty, let failure { throw failure }
    return (statements.sorted { $0.key < $1.key }.map(\.value), failure == nil)
  }

  private static func columns(of table: String, on connection: Connection) -> [Column] {
    Self.orNothing { () throws(SQLiteError) in
      let statement = try connection.statement(
        "SELECT name, type FROM pragma_table_info(\(.text(table)))"
      )
      defer { statement.reset() }
      var columns: [Column] = []
      while try statement.step() {
        columns.append(Column(name: statement.text(0), type: statement.text(1)))
      }
      return columns
    } ?? []
  }

  /// A value that cannot be read is lost, for whatever reason.
  static func orNothing<Result>(_ body: () throws(SQLiteError) -> Result?) -> Result? {
    try? body()
  }
}

// MARK: - Asking

extension DamagedDatabase {
  /// The model in the file; throws if it cannot be read.
  func model() throws -> ModelSchema {
    let statement = try connection.statement("SELECT Z_CONTENT FROM Z_MODELCACHE")
    defer { statement.reset() }
    _ = try statement.step()
    return try ModelCache.decode(Data(statement.blobBytes(0)))
  }

  /// The version hashes in the metadata; empty if they cannot be read.
  var hashes: [String: Data] {
    let list = bytes("SELECT Z_PLIST FROM Z_METADATA").flatMap {
      StoreMetadata.dictionary(from: Data($0))
    }
    return list?[NSStoreModelVersionHashesKey] as? [String: Data] ?? [:]
  }

  /// Tables that neither the model nor Core Data itself wants, but for those that SQLite fills.
  func others(than known: Set<String>) -> [(name: String, sql: String)] {
    let virtual = virtualTables
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

  var triggers: [(name: String, sql: String)] {
    statements.filter { $0.type == "trigger" }.map { ($0.name, $0.sql) }
  }

  /// Indexes of words and of places, which SQLite keeps as tables of their own.
  var virtualTables: [String] {
    statements.filter { $0.sql.hasPrefix("CREATE VIRTUAL") }.map(\.name)
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
