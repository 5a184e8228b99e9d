import CoreData
import CoreDataModel
import CoreDataSQL

/// The statements that make the tables of a model, for the rows of all zones.
///
/// ```
/// "ZNOTE" ( z_zone, "Z_PK", "Z_ENT", "Z_OPT", "ZTITLE" …, PRIMARY KEY (z_zone, "Z_PK") )
/// "Z_2TAGS" ( z_zone, "Z_2NOTES", "Z_3TAGS", PRIMARY KEY (z_zone, "Z_2NOTES", "Z_3TAGS") )
///
/// z_model   one row: what the tables are of          z_zones   one row for each zone
/// z_keys    for each zone and tree of entities the last key that was handed out
/// ```
///
/// Tables and columns are called as in SQLite files, and each key and index begins with the zone: so that
/// a server can be divided by zones, and one statement looks at one zone.
struct PostgreSQLSchema {
  let map: TableMap
  private static let spelling = SQLSpelling.postgreSQL

  static let version: Int64 = 1

  var statements: [String] {
    let tables = map.tables.map(Self.statement) + map.joinTables.map(Self.statement)
    let indexes = map.tables.flatMap(\.indexes).map(Self.statement)
    let functions = ServerFunction.all.map(\.statement)
    return Self.bookkeeping + tables + indexes + TextsInPostgreSQL.collations + functions
  }

  private static let bookkeeping = [
    """
    CREATE TABLE z_model (z_version BIGINT PRIMARY KEY, z_plist BYTEA NOT NULL, \
    z_content BYTEA NOT NULL, \(TablesMark.columnDefinition.rendered(for: .postgreSQL).sql))
    """,
    """
    CREATE TABLE z_zones (z_zone TEXT COLLATE "C" PRIMARY KEY, z_uuid TEXT NOT NULL, \
    z_plist BYTEA NOT NULL)
    """,
    """
    CREATE TABLE z_keys (z_zone TEXT COLLATE "C" NOT NULL, z_ent INTEGER NOT NULL, \
    z_last BIGINT NOT NULL, PRIMARY KEY (z_zone, z_ent))
    """,
  ]

  /// The tables that must be there, all of them or none.
  var tableNames: [String] {
    ["z_model", "z_zones", "z_keys"] + map.tables.map(\.name) + map.joinTables.map(\.name)
  }
}

// MARK: - Tables

extension PostgreSQLSchema {
  static func statement(for table: Table) -> String {
    let fixed = [
      "z_zone TEXT COLLATE \"C\" NOT NULL", "\"Z_PK\" BIGINT NOT NULL",
      "\"Z_ENT\" INTEGER NOT NULL",
      "\"Z_OPT\" BIGINT NOT NULL",
    ]
    let own = table.columns.map { "\(spelling.quote($0.name)) \(type(of: $0))" }
    return
      "CREATE TABLE \(spelling.quote(table.name)) (\(commas(fixed + own)), PRIMARY KEY (z_zone, \"Z_PK\"))"
  }

  static func type(of column: Column) -> String {
    column.type == .text ? "TEXT COLLATE \"C\"" : column.type.inPostgreSQL
  }

  static func statement(for table: JoinTable) -> String {
    let pair = [table.masterColumn, table.otherColumn].map(spelling.quote)
    let orders = [table.masterOrderColumn, table.otherOrderColumn].compactMap { $0 }
      .map(spelling.quote)
    let columns =
      ["z_zone TEXT COLLATE \"C\" NOT NULL"] + pair.map { "\($0) BIGINT NOT NULL" }
      + orders.map { "\($0) BIGINT" }
    return
      "CREATE TABLE \(spelling.quote(table.name)) (\(commas(columns)), PRIMARY KEY (z_zone, \(commas(pair))))"
  }
}

// MARK: - Indexes

extension PostgreSQLSchema {
  static func statement(for index: TableIndex) -> String {
    let elements = ["z_zone"] + index.elements.map { spelling.quote($0.column) + order($0.order) }
    let condition = index.quotedCondition.map { " WHERE \($0)" } ?? ""
    return "CREATE\(index.isUnique ? " UNIQUE" : "") INDEX \(spelling.quote(indexName(index)))"
      + " ON \(spelling.quote(index.table)) (\(commas(elements)))" + condition
  }

  /// Nulls must be in the place that fetches ask for, or the index does not help them.
  private static func order(_ order: TableIndex.Order) -> String {
    switch order {
    case .unspecified: ""
    case .ascending: " ASC NULLS FIRST"
    case .descending: " DESC NULLS LAST"
    }
  }

  /// The server cuts names at 63 bytes, which must not make two names one.
  private static func indexName(_ index: TableIndex) -> String {
    guard index.name.utf8.count > 60 else { return index.name }
    return String(decoding: index.name.utf8.prefix(50), as: UTF8.self).filter { $0 != "\u{FFFD}" }
      + "_" + hash(index.name)
  }

  /// Some letters and digits that another text has not.
  static func hash(_ text: String) -> String {
    var hash: UInt32 = 2_166_136_261
    for byte in text.utf8 { hash = (hash ^ UInt32(byte)) &* 16_777_619 }
    return String(hash, radix: 36)
  }
}

// MARK: - Names

extension PostgreSQLSchema {
  /// A name that the server would cut, so that two could become one; `nil` if all are short enough.
  var tooLongName: String? {
    let columns =
      map.tables.flatMap { $0.columns.map(\.name) }
      + map.joinTables.flatMap {
        [$0.masterColumn, $0.otherColumn]
          + [$0.masterOrderColumn, $0.otherOrderColumn].compactMap { $0 }
      }
    return (tableNames + columns).first { $0.utf8.count > Self.longestName }
  }

  private static let longestName = 63
}
