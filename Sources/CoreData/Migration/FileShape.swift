import CoreDataSQL
import CoreDataSQLite

/// The tables, indexes and triggers that are in a file, no matter who made them.
package struct FileShape {
  package private(set) var tables: [String: TableShape] = [:]
  /// The triggers and the trees of places, by name.
  private(set) var triggers: [String: String] = [:]
  private(set) var virtualTables: [String: String] = [:]

  package struct TableShape: Hashable {
    /// As they are written, in their order.
    package let columns: [String]
    let sql: String
    let indexes: [IndexShape]

    package init(columns: [String], sql: String, indexes: [IndexShape]) {
      self.columns = columns
      self.sql = sql
      self.indexes = indexes
    }

    /// Whether uniqueness is part of the table, as files from before iOS 12 have it: SQLite lets no
    /// such column go.
    var hasConstraints: Bool { sql.uppercased().contains("UNIQUE") }

    func has(_ column: String) -> Bool { columns.contains(column) }
  }

  package struct IndexShape: Hashable {
    let name: String
    let columns: [Column]
    let isUnique: Bool
    /// The text behind `WHERE`.
    let condition: String?

    package init(name: String, columns: [Column], isUnique: Bool, condition: String?) {
      self.name = name
      self.columns = columns
      self.isUnique = isUnique
      self.condition = condition
    }

    package struct Column: Hashable {
      /// Nil for an expression.
      let name: String?
      let isDescending: Bool
      let collation: String

      package init(name: String?, isDescending: Bool, collation: String) {
        self.name = name
        self.isDescending = isDescending
        self.collation = collation
      }
    }
  }

  package var tableNames: Set<String> { Set(tables.keys) }

  var fileTables: FileTables {
    FileTables(names: tableNames, columns: tables.mapValues(\.columns))
  }

  /// The statements behind indexes of words, by the names of their tables and triggers.
  var textIndexes: [String: String] {
    triggers.merging(virtualTables) { trigger, _ in trigger }
      .filter { TextIndex.isName($0.key) }
  }

  /// The tables of a database without triggers of ours.
  package init(tables: [String: TableShape]) {
    self.tables = tables
  }

  init(_ connection: Connection) throws(SQLiteError) {
    var texts: [(type: String, name: String, table: String, sql: String)] = []
    let statement = try connection.statement(
      "SELECT type, name, tbl_name, sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY rowid"
    )
    while try statement.step() {
      texts.append(
        (statement.text(0), statement.text(1), statement.text(2), statement.text(3))
      )
    }
    statement.reset()
    let indexes = Dictionary(grouping: texts.filter { $0.type == "index" }, by: \.table)
    for object in texts {
      switch object.type {
      case "table" where object.sql.uppercased().hasPrefix("CREATE VIRTUAL"):
        virtualTables[object.name] = object.sql
      case "table":
        tables[object.name] = TableShape(
          columns: try Self.columns(of: object.name, on: connection),
          sql: object.sql,
          indexes: try Self.indexes(indexes[object.name] ?? [], on: connection)
        )
      case "trigger":
        triggers[object.name] = object.sql
      case _:
        continue
      }
    }
  }

  private static func columns(
    of table: String,
    on connection: Connection
  ) throws(SQLiteError) -> [String] {
    let statement = try connection.statement(
      "SELECT name FROM pragma_table_info(\(.text(table)))" as SQLFragment
    )
    defer { statement.reset() }
    var names: [String] = []
    while try statement.step() { names.append(statement.text(0)) }
    return names
  }

  private static func indexes(
    _ indexes: [(type: String, name: String, table: String, sql: String)],
    on connection: Connection
  ) throws(SQLiteError) -> [IndexShape] {
    var shapes: [IndexShape] = []
    for index in indexes {
      let statement = try connection.statement(
        """
        SELECT name, desc, coll FROM pragma_index_xinfo(\(.text(index.name))) \
        WHERE key = 1 ORDER BY seqno
        """ as SQLFragment
      )
      defer { statement.reset() }
      var columns: [IndexShape.Column] = []
      while try statement.step() {
        columns.append(
          IndexShape.Column(
            name: statement.isNull(0) ? nil : statement.text(0),
            isDescending: statement.integer(1) != 0,
            collation: statement.text(2)
          )
        )
      }
      let parts = index.sql.split(separator: " WHERE ", maxSplits: 1)
      shapes.append(
        IndexShape(
          name: index.name,
          columns: columns,
          isUnique: index.sql.uppercased().hasPrefix("CREATE UNIQUE"),
          condition: parts.count > 1 ? String(parts[1]) : nil
        )
      )
    }
    return shapes
  }
}

// MARK: - Is it what its model says?

extension FileShape {
  /// Throws for a file that lacks a table or column of its model: its rows cannot be told.
  func check(against map: TableMap) throws(MigrationFailure) {
    var lacks: [String] = []
    for table in map.tables {
      guard let shape = tables[table.name] else {
        lacks.append("the table \(table.name)")
        continue
      }
      for column in table.columns where !shape.has(column.name) {
        lacks.append("the column \(table.name).\(column.name)")
      }
    }
    for join in map.joinTables {
      guard let shape = tables[join.name] else {
        lacks.append("the table \(join.name)")
        continue
      }
      for column in join.columns where !shape.has(column) {
        lacks.append("the column \(join.name).\(column)")
      }
    }
    if !lacks.isEmpty { throw MigrationFailure(.otherTables(lacks: lacks)) }
  }
}
