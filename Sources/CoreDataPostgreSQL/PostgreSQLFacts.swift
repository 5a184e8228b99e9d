package import CoreData
package import CoreDataModel
import CoreDataSQL
import Foundation

/// The facts in a PostgreSQL database about itself and one zone, for tools without its model.
package struct PostgreSQLFacts {
  /// The address and the zone, without a password.
  package let address: String
  /// The server's version, as in `15.4`.
  package let server: String
  /// The zone's metadata, and those of the tables.
  package let metadata: [String: Any]
  /// The model that the tables were made for; `nil` if it cannot be read.
  package let schema: ModelSchema?
  /// All zones of the database.
  package let zones: [String]
  /// How many rows of each entity the zone has, itself alone, in the order of their numbers.
  package let entities: [(name: String, rows: Int)]
  /// The number of the last transaction in the zone's history; `nil` if it does not keep one.
  package let lastTransaction: Int?
  /// The size of all tables, with those of other zones.
  package let bytes: Int

  /// Looks at a database without changing anything.
  ///
  /// Throws 259 if there is no store of that zone.
  package init(at url: URL, options: [AnyHashable: Any]?) throws {
    let database = try PostgreSQLKind.registered().database(at: url, options)
    let metadata = try database.metadata()
    let found = try database.translating { () throws(PostgreSQLError) in
      try database.pool.read { connection throws(PostgreSQLError) in try Found(connection) }
    }
    address = database.pool.address.description
    server = found.server
    self.metadata = metadata
    schema = found.schema
    zones = found.zones
    entities = found.entities
    lastTransaction = found.lastTransaction
    bytes = found.bytes
  }
}

extension PostgreSQLFacts {
  /// The model of the tables; `nil` if there is no store, or its model cannot be read.
  package static func schema(at url: URL, options: [AnyHashable: Any]?) throws -> ModelSchema? {
    try PostgreSQLKind.registered().database(at: url, options).tablesModel()?.schema
  }

  /// The version hashes of the tables' entities; `nil` if there is no store, or they cannot be read.
  package static func versionHashes(
    at url: URL,
    options: [AnyHashable: Any]?
  ) throws -> [String: Data]? {
    try PostgreSQLKind.registered().database(at: url, options).tablesModel()?.hashes
  }
}

// MARK: - Looking

private struct Found {
  let server: String
  let schema: ModelSchema?
  var zones: [String] = []
  var entities: [(name: String, rows: Int)] = []
  let lastTransaction: Int?
  let bytes: Int

  init(_ connection: PostgreSQLConnection) throws(PostgreSQLError) {
    server = connection.wire.parameter("server_version") ?? "unknown"
    schema = try PostgreSQLDatabase.tablesModel(on: connection)?.schema
    let tables = try FileShape(connection).tableNames
    lastTransaction =
      tables.contains(PostgreSQLHistory.marker)
      ? try connection.integer(PostgreSQLHistory.lastTransaction).map { Int(clamping: $0) } : nil
    bytes = Int(clamping: try connection.integer(Self.size) ?? 0)
    let statement = try connection.statement(
      "SELECT z_zone FROM z_zones ORDER BY 1" as SQLFragment
    )
    while try statement.step() { zones.append(statement.text(0)) }
    statement.reset()
    guard let map = schema.map({ TableMap($0) }) else { return }
    var rows: [Int: Int] = [:]
    for table in map.tables where tables.contains(table.name) {
      rows.merge(try Self.rows(in: table.name, connection)) { $0 + $1 }
    }
    entities = map.entities.map { ($0.name, rows[$0.number] ?? 0) }
  }

  private static func rows(
    in table: String,
    _ connection: PostgreSQLConnection
  ) throws(PostgreSQLError) -> [Int: Int] {
    let statement = try connection.statement(
      """
      SELECT \(column: "Z_ENT"), COUNT(*) FROM \(table: table) GROUP BY \(column: "Z_ENT")
      """ as SQLFragment
    )
    defer { statement.reset() }
    var rows: [Int: Int] = [:]
    while try statement.step() { rows[Int(statement.integer(0))] = Int(statement.integer(1)) }
    return rows
  }

  private static let size: SQLFragment = """
    SELECT CAST(COALESCE(SUM(pg_total_relation_size(c.oid)), 0) AS BIGINT) \
    FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace \
    WHERE n.nspname = current_schema() AND c.relkind IN ('r', 'p')
    """
}
