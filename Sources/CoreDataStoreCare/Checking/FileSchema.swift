import CoreData
import CoreDataSQL
import CoreDataSQLite

/// The tables, indexes and triggers of a file, whatever its model says.
struct FileSchema {
  /// The columns of each table.
  let tables: [String: Set<String>]
  let indexes: [FileIndex]
  /// The statement of each trigger.
  let triggers: [String: String]

  init(tables: [String: Set<String>], indexes: [FileIndex]) {
    self.tables = tables
    self.indexes = indexes
    triggers = [:]
  }

  init(_ connection: Connection) throws(SQLiteError) {
    tables = try Self.tables(on: connection)
    indexes = try Self.indexes(on: connection)
    triggers = try Self.triggers(on: connection)
  }

  func has(_ column: String, in table: String) -> Bool {
    tables[table]?.contains(column) ?? false
  }

  /// An index that does the work of another, whatever its name.
  func index(like wanted: TableIndex) -> FileIndex? {
    let columns = wanted.elements.map(\.column)
    return indexes.first {
      $0.table == wanted.table && $0.columns == columns
        && (!wanted.isUnique || $0.isUnique && $0.coversAllRows)
    }
  }
}

/// An index as it is in the file.
struct FileIndex: Hashable {
  let name: String
  let table: String
  let columns: [String]
  let isUnique: Bool
  /// Whether all rows are in it, each by its whole value: not if it has a condition, or compares texts without their
  /// case.
  let coversAllRows: Bool
  /// Whether it belongs to a constraint of its table, and so was not made by a statement.
  let isAutomatic: Bool
}

// MARK: - Reading

extension FileSchema {
  /// The columns of one table, in their order.
  static func columns(
    of table: String,
    on connection: Connection
  ) throws(SQLiteError) -> [String] {
    let statement = try connection.statement("SELECT name FROM pragma_table_info(\(.text(table)))")
    defer { statement.reset() }
    var names: [String] = []
    while try statement.step() { names.append(statement.text(0)) }
    return names
  }

  private static func tables(
    on connection: Connection
  ) throws(SQLiteError) -> [String: Set<String>] {
    let statement = try connection.statement(
      """
      SELECT t.name, c.name FROM sqlite_master t, pragma_table_info(t.name) c \
      WHERE t.type = 'table'
      """
    )
    defer { statement.reset() }
    var tables: [String: Set<String>] = [:]
    while try statement.step() {
      tables[statement.text(0), default: []].insert(statement.text(1))
    }
    return tables
  }

  private static func indexes(on connection: Connection) throws(SQLiteError) -> [FileIndex] {
    let statement = try connection.statement(
      """
      SELECT t.name, l.name, l."unique", l.origin, i.name, \
      l.partial = 0 AND i.coll = 'BINARY' COLLATE NOCASE \
      FROM sqlite_master t, pragma_index_list(t.name) l, pragma_index_xinfo(l.name) i \
      WHERE t.type = 'table' AND i."key" ORDER BY t.name, l.name, i.seqno
      """
    )
    defer { statement.reset() }
    var indexes: [FileIndex] = []
    while try statement.step() {
      let (table, name, column) = (statement.text(0), statement.text(1), statement.text(4))
      if let last = indexes.last, last.table == table, last.name == name {
        indexes[indexes.count - 1] = last.adding(column, statement.integer(5) != 0)
      } else {
        indexes.append(
          FileIndex(
            name: name,
            table: table,
            columns: [column],
            isUnique: statement.integer(2) != 0,
            coversAllRows: statement.integer(5) != 0,
            isAutomatic: statement.text(3) != "c"
          )
        )
      }
    }
    return indexes
  }

  private static func triggers(
    on connection: Connection
  ) throws(SQLiteError) -> [String: String] {
    let statement = try connection.statement(
      "SELECT name, sql FROM sqlite_master WHERE type = 'trigger'"
    )
    defer { statement.reset() }
    var triggers: [String: String] = [:]
    while try statement.step() { triggers[statement.text(0)] = statement.text(1) }
    return triggers
  }
}

extension FileIndex {
  fileprivate func adding(_ column: String, _ coversAllRows: Bool) -> FileIndex {
    FileIndex(
      name: name,
      table: table,
      columns: columns + [column],
      isUnique: isUnique,
      coversAllRows: self.coversAllRows && coversAllRows,
      isAutomatic: isAutomatic
    )
  }
}
