import CoreDataSQL
import CoreDataSQLite

/// The tables of a history in a file: found, made, widened.
extension HistoryTables {
  /// The tables as they are in a file; `nil` if they are missing.
  init?(on connection: Connection, among names: Set<String>) throws(SQLiteError) {
    guard Self.isAmong(names) else { return nil }
    let transaction = try Self.columns(of: .transaction, on: connection)
    let hasTexts = names.contains(Entity.text.table) && transaction.contains("ZAUTHORTS")
    shape = hasTexts ? .sharedTexts : .ownTexts
    let change = try Self.columns(of: .change, on: connection)
    tombstoneCount = (0...).first { !change.contains(Self.tombstone($0)) } ?? 0
  }

  private static func columns(
    of entity: Entity,
    on connection: Connection
  ) throws(SQLiteError) -> Set<String> {
    let statement = try connection.statement("PRAGMA table_info(\(entity.table))")
    defer { statement.reset() }
    var names: Set<String> = []
    while try statement.step() { names.insert(statement.text(1)) }
    return names
  }
}

// MARK: - Making

extension HistoryTables {
  /// The tables of a new history, with room for the values of deleted objects.
  package static func new(tombstoneCount: Int) -> HistoryTables {
    HistoryTables(shape: .sharedTexts, tombstoneCount: tombstoneCount)
  }

  /// The statements that make them, as text and in Apple's order.
  var statements: [String] { tables + indexes }

  /// The statements that make one of them alone.
  package func statements(of entity: Entity) -> [String] {
    let table = "CREATE TABLE \(entity.table) "
    return statements.filter { $0.hasPrefix(table) || $0.contains(" ON \(entity.table) ") }
  }

  private var tables: [String] {
    [
      table(
        .change,
        ["ZCHANGETYPE", "ZENTITY", "ZENTITYPK", "ZTRANSACTIONID"].map { "\($0) INTEGER" }
          + ["ZCOLUMNS BLOB"]
          + (0..<tombstoneCount).map { "\(Self.tombstone($0)) BLOB" }
      ),
      table(
        .transaction,
        HistoryOrigin.Field.allCases.map { "\($0.keyColumn) INTEGER" } + ["ZTIMESTAMP FLOAT"]
          + HistoryOrigin.Field.allCases.map { "\($0.column) VARCHAR" } + ["ZQUERYGEN BLOB"]
      ),
      table(.text, ["ZNAME VARCHAR"]),
    ]
  }

  private func table(_ entity: Entity, _ columns: [String]) -> String {
    let fixed = ["Z_PK INTEGER PRIMARY KEY", "Z_ENT INTEGER", "Z_OPT INTEGER"]
    return "CREATE TABLE \(entity.table) ( \(commas(fixed + columns)) )"
  }

  private var indexes: [String] {
    ["CREATE INDEX ACHANGE_ZTRANSACTIONID_INDEX ON ACHANGE (ZTRANSACTIONID)"]
      + HistoryOrigin.Field.allCases.map {
        "CREATE INDEX ATRANSACTION_\($0.keyColumn)_INDEX ON ATRANSACTION (\($0.keyColumn))"
      }
      + [
        "CREATE INDEX Z_TRANSACTION_TransactionAuthorIndex"
          + " ON ATRANSACTION (ZAUTHOR COLLATE BINARY ASC)",
        "CREATE INDEX Z_TRANSACTION_TransactionTimestampIndex"
          + " ON ATRANSACTION (ZTIMESTAMP COLLATE BINARY ASC)",
        "CREATE UNIQUE INDEX Z_TRANSACTIONSTRING_UNIQUE_NAME"
          + " ON ATRANSACTIONSTRING (ZNAME COLLATE BINARY ASC)",
      ]
  }

  /// Makes the tables in a store without a history, and gives them a place among its keys.
  func make(on connection: Connection) throws(SQLiteError) {
    for statement in statements { try connection.run(statement) }
    for entity in Entity.allCases {
      try connection.run(
        """
        INSERT OR IGNORE INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) \
        VALUES (\(.integer(entity.rawValue)), \(.text(entity.name)), 0, 0)
        """
      )
    }
  }

  /// Adds columns until there are as many as the model needs.
  mutating func widen(to count: Int, on connection: Connection) throws(SQLiteError) {
    while tombstoneCount < count {
      let column = Self.tombstone(tombstoneCount)
      try connection.run("ALTER TABLE ACHANGE ADD COLUMN \(column) BLOB")
      tombstoneCount += 1
    }
  }
}
