import CoreData
import CoreDataSQL

/// The tables of a schema as a migration compares them with its models.
extension FileShape {
  init(_ connection: PostgreSQLConnection) throws(PostgreSQLError) {
    let columns = try Self.columns(connection)
    let indexes = try Self.indexes(connection)
    var tables: [String: TableShape] = [:]
    for (name, columns) in columns {
      tables[name] = TableShape(columns: columns, sql: "", indexes: indexes[name] ?? [])
    }
    self.init(tables: tables)
  }

  private static func columns(
    _ connection: PostgreSQLConnection
  ) throws(PostgreSQLError) -> [String: [String]] {
    let statement = try connection.statement(
      """
      SELECT CAST(c.relname AS TEXT), CAST(a.attname AS TEXT) FROM pg_catalog.pg_attribute a \
      JOIN pg_catalog.pg_class c ON c.oid = a.attrelid \
      JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace \
      WHERE n.nspname = current_schema() AND c.relkind IN ('r', 'p') \
      AND a.attnum > 0 AND NOT a.attisdropped ORDER BY c.relname, a.attnum
      """ as SQLFragment
    )
    defer { statement.reset() }
    var columns: [String: [String]] = [:]
    while try statement.step() { columns[statement.text(0), default: []].append(statement.text(1)) }
    return columns
  }

  /// The indexes besides those of primary keys, each without the zone that it begins with.
  ///
  /// Those of words are left out: the server keeps them in step with their tables and columns, and opening a store
  /// rebuilds them.
  private static func indexes(
    _ connection: PostgreSQLConnection
  ) throws(PostgreSQLError) -> [String: [IndexShape]] {
    let statement = try connection.statement(
      """
      SELECT CAST(t.relname AS TEXT), CAST(i.relname AS TEXT), CAST(x.indisunique AS INTEGER), \
      pg_get_expr(x.indpred, x.indrelid), CAST(a.attname AS TEXT), \
      CAST(x.indoption[CAST(k.n AS INTEGER) - 1] & 1 AS INTEGER) FROM pg_catalog.pg_index x \
      JOIN pg_catalog.pg_class t ON t.oid = x.indrelid \
      JOIN pg_catalog.pg_class i ON i.oid = x.indexrelid \
      JOIN pg_catalog.pg_namespace n ON n.oid = t.relnamespace \
      CROSS JOIN LATERAL unnest(x.indkey) WITH ORDINALITY k (attnum, n) \
      LEFT JOIN pg_catalog.pg_attribute a ON a.attrelid = t.oid AND a.attnum = k.attnum \
      WHERE n.nspname = current_schema() AND NOT x.indisprimary AND k.n <= x.indnkeyatts \
      AND NOT starts_with(CAST(i.relname AS TEXT), \(.text(KeptWords.indexPrefix))) ORDER BY t.relname, i.relname, k.n
      """ as SQLFragment
    )
    defer { statement.reset() }
    var found: [IndexInCatalog] = []
    while try statement.step() {
      if found.last?.name != statement.text(1) {
        found.append(
          IndexInCatalog(
            table: statement.text(0),
            name: statement.text(1),
            isUnique: statement.integer(2) != 0,
            condition: statement.isNull(3) ? nil : statement.text(3)
          )
        )
      }
      let name = statement.isNull(4) ? nil : statement.text(4)
      if name == "z_zone" { continue }
      found[found.count - 1].columns.append(
        IndexShape.Column(
          name: name,
          isDescending: statement.integer(5) != 0,
          collation: "BINARY"
        )
      )
    }
    return Dictionary(grouping: found, by: \.table).mapValues { $0.map(\.shape) }
  }
}

/// An index as the server's catalog describes it, column by column.
private struct IndexInCatalog {
  let table: String
  let name: String
  let isUnique: Bool
  let condition: String?
  var columns: [FileShape.IndexShape.Column] = []

  var shape: FileShape.IndexShape {
    FileShape.IndexShape(name: name, columns: columns, isUnique: isUnique, condition: condition)
  }
}
