import CoreDataSQL
import CoreDataSQLite
import Foundation

/// The facts in a store's file about the model that it was made for, without its model cache.
///
///     Z_PRIMARYKEY     entities, their numbers, their superentities
///     ZNOTE            columns, and what is in them, entity by entity
///     indexes          which columns are keys; the names of properties as they were written
///     Z_METADATA       the version hashes, against which a guess can be held
struct TableFacts: Sendable {
  /// In the order of their numbers, which follow each other from 1 on.
  private(set) var entities: [Entity] = []
  private(set) var tables: [String: Table] = [:]
  private(set) var indexes: [Index] = []
  private(set) var triggers: [String] = []
  private(set) var versionHashes: [String: Data] = [:]
  /// The version of Apple's framework that wrote the file last; nil when it is not told.
  private(set) var frameworkVersion: Int?

  /// A row of `Z_PRIMARYKEY`.
  struct Entity: Hashable, Sendable {
    let number: Int
    let name: String
    /// 0 for none.
    let superNumber: Int
  }

  struct Table: Hashable, Sendable {
    let name: String
    var columns: [Column]

    subscript(name: String) -> Column? { columns.first { $0.name == name } }
  }

  struct Column: Hashable, Sendable {
    let name: String
    /// As it was declared, in upper case: `INTEGER`, `VARCHAR`.
    let type: String
    /// 1 for the first column of the primary key, 0 for a column outside of it.
    let keyPlace: Int
    /// The contents in its rows, by the number of their entity; without entries for empty ones.
    var contents: [Int: Contents] = [:]
    /// Of keys in it, how many were looked up, and how many of them are rows of which entity.
    var targets: Targets?
  }

  struct Contents: Hashable, Sendable {
    var rowCount = 0
    var valueCount = 0
    var least: Int64 = 0
    var greatest: Int64 = 0
    /// How many values have 16 bytes, as UUIDs have.
    var sixteens = 0
    /// How many begin with the byte for "in the row", or are the name of a file beside the store.
    var inlines = 0
    var references = 0
  }

  struct Targets: Hashable, Sendable {
    var keyCount = 0
    var matches: [Int: Int] = [:]
  }

  struct Index: Hashable, Sendable {
    let name: String
    let table: String
    let isUnique: Bool
    let isPartial: Bool
    /// Nil for an index on an expression.
    let columns: [String]?
    let descending: [Bool]
  }
}

// MARK: - Reading

extension TableFacts {
  init(on connection: Connection) throws(SQLiteError) {
    try readEntities(on: connection)
    try readTables(on: connection)
    try readIndexes(on: connection)
    try readMetadata(on: connection)
    for name in tables.keys.sorted() {
      try readContents(of: name, on: connection)
    }
    for name in tables.keys.sorted() where hasEntities(name) {
      try readTargets(of: name, on: connection)
    }
  }

  private mutating func readEntities(on connection: Connection) throws(SQLiteError) {
    let rows = try connection.rows(
      "SELECT Z_ENT, Z_NAME, Z_SUPER FROM Z_PRIMARYKEY ORDER BY Z_ENT"
    ) { Entity(number: Int($0.integer(0)), name: $0.text(1), superNumber: Int($0.integer(2))) }
    // The framework's own, for history and mirroring, have numbers of their own far above.
    entities = rows.filter { $0.number < Self.firstForeignNumber }
  }

  private static let firstForeignNumber = 10_000

  private mutating func readTables(on connection: Connection) throws(SQLiteError) {
    let names = try connection.rows(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'"
    ) { $0.text(0) }
    for name in names where name.hasPrefix("Z") {
      let columns = try connection.rows(
        "SELECT name, type, pk FROM pragma_table_info(\(.text(name))) ORDER BY cid"
      ) { Column(name: $0.text(0), type: $0.text(1).uppercased(), keyPlace: Int($0.integer(2))) }
      tables[name] = Table(name: name, columns: columns)
    }
    triggers = try connection.rows(
      "SELECT sql FROM sqlite_master WHERE type = 'trigger' AND sql NOT NULL"
    ) { $0.text(0) }
  }

  private mutating func readIndexes(on connection: Connection) throws(SQLiteError) {
    for table in tables.keys.sorted() {
      let list = try connection.rows(
        "SELECT name, \"unique\", partial FROM pragma_index_list(\(.text(table))) ORDER BY seq DESC"
      ) { (name: $0.text(0), isUnique: $0.integer(1) != 0, isPartial: $0.integer(2) != 0) }
      for index in list {
        let parts = try connection.rows(
          "SELECT name, \"desc\" FROM pragma_index_xinfo(\(.text(index.name))) WHERE key = 1"
        ) { (name: $0.isNull(0) ? nil : $0.text(0), isDescending: $0.integer(1) != 0) }
        let names = parts.compactMap(\.name)
        indexes.append(
          Index(
            name: index.name,
            table: table,
            isUnique: index.isUnique,
            isPartial: index.isPartial,
            columns: names.count == parts.count ? names : nil,
            descending: parts.map(\.isDescending)
          )
        )
      }
    }
  }

  private mutating func readMetadata(on connection: Connection) throws(SQLiteError) {
    guard try StoreTables.names(on: connection).contains("Z_METADATA") else { return }
    let lists = try connection.rows("SELECT Z_PLIST FROM Z_METADATA") { Data($0.blobBytes(0)) }
    // Metadata that cannot be read are left out; the tables are enough.
    let metadata = lists.first.flatMap(StoreMetadata.dictionary) ?? [:]
    versionHashes = metadata[NSStoreModelVersionHashesKey] as? [String: Data] ?? [:]
    frameworkVersion = (metadata["NSPersistenceFrameworkVersion"] as? NSNumber)?.intValue
  }
}

extension TableFacts {
  var fileTables: FileTables {
    FileTables(
      names: Set(tables.keys),
      columns: tables.mapValues { $0.columns.map(\.name) }
    )
  }
}

// MARK: - Looking into rows

extension TableFacts {
  /// Whether the table has rows of objects.
  func hasEntities(_ table: String) -> Bool {
    let columns = tables[table]?.columns.map(\.name) ?? []
    return Set(["Z_PK", "Z_ENT"]).isSubset(of: columns)
  }

  /// One walk through the table finds the contents of each column, entity by entity.
  private mutating func readContents(
    of table: String,
    on connection: Connection
  ) throws(SQLiteError) {
    guard hasEntities(table), var columns = tables[table]?.columns else { return }
    let wanted = columns.indices.filter { !RowDecoder.keyColumns.contains(columns[$0].name) }
    let questions = wanted.map { Self.questions(about: columns[$0]) }
    let query: SQLFragment =
      """
      SELECT \((["Z_ENT", "COUNT(*)"] + questions.flatMap { $0 }).joined(separator: ", ")) \
      FROM \(name: table) GROUP BY Z_ENT
      """
    let statement = try connection.statement(query)
    defer { statement.reset() }
    while try statement.step() {
      let (entity, rowCount) = (Int(statement.integer(0)), Int(statement.integer(1)))
      var place: Int32 = 2
      for (index, questions) in zip(wanted, questions) {
        let answers = questions.indices.map { statement.integer(place + Int32($0)) }
        place += Int32(questions.count)
        columns[index].contents[entity] = Contents(rowCount, answers, of: columns[index])
      }
    }
    tables[table]?.columns = columns
  }

  private static func questions(about column: Column) -> [SQLFragment] {
    let name = SQLFragment.column(column.name)
    let count: SQLFragment = "COUNT(\(name))"
    switch column.type {
    case "INTEGER":
      return [count, "MIN(\(name))", "MAX(\(name))"]
    case "BLOB":
      let first: SQLFragment = "hex(substr(\(name), 1, 1))"
      return [
        count, "SUM(length(\(name)) = 16)", "SUM(\(first) = '01')",
        "SUM(\(first) = '02' AND length(\(name)) = 38)",
      ]
    case _:
      return [count]
    }
  }

  /// Of the columns that may be keys, which rows their keys are of.
  private mutating func readTargets(
    of table: String,
    on connection: Connection
  ) throws(SQLiteError) {
    guard let columns = tables[table]?.columns else { return }
    let places = tables.keys.sorted().filter(hasEntities)
    for (index, column) in columns.enumerated() where isIndexed(column, in: table) {
      let keys: SQLFragment =
        """
        (SELECT DISTINCT \(column: column.name) AS \(name: "key") FROM \(name: table) \
        WHERE \(column: column.name) IS NOT NULL LIMIT \(.integer(Self.sampleSize)))
        """
      var targets = Targets()
      targets.keyCount = Int(try connection.integer("SELECT COUNT(*) FROM \(keys)") ?? 0)
      if targets.keyCount > 0 {
        for place in places {
          let found = try connection.rows(
            """
            SELECT Z_ENT, COUNT(*) FROM \(name: place) WHERE Z_PK IN (SELECT \(name: "key") \
            FROM \(keys)) GROUP BY Z_ENT
            """
          ) { (entity: Int($0.integer(0)), count: Int($0.integer(1))) }
          for (entity, count) in found { targets.matches[entity, default: 0] += count }
        }
      }
      tables[table]?.columns[index].targets = targets
    }
  }

  /// How many keys of a column are looked up.
  private static let sampleSize: Int64 = 1000

  /// Whether a column has the index that keys have.
  func isIndexed(_ column: Column, in table: String) -> Bool {
    let name = "\(table)_\(column.name)_INDEX"
    return column.type == "INTEGER" && column.name != "Z_ENT"
      && indexes.contains { $0.name == name && $0.columns == [column.name] }
  }
}

extension TableFacts.Contents {
  /// `nil` if no row has a value.
  fileprivate init?(_ rowCount: Int, _ answers: [Int64], of column: TableFacts.Column) {
    self.rowCount = rowCount
    valueCount = Int(answers[0])
    guard valueCount > 0 || rowCount > 0 else { return nil }
    switch column.type {
    case "INTEGER":
      (least, greatest) = (answers[1], answers[2])
    case "BLOB":
      sixteens = Int(answers[1])
      inlines = Int(answers[2])
      references = Int(answers[3])
    case _:
      break
    }
  }
}

extension Connection {
  /// All rows of a query, each as the value that is made of it.
  fileprivate func rows<Row>(
    _ query: SQLFragment,
    _ make: (Statement) -> Row
  ) throws(SQLiteError) -> [Row] {
    let statement = try statement(query)
    defer { statement.reset() }
    var rows: [Row] = []
    while try statement.step() { rows.append(make(statement)) }
    return rows
  }
}
