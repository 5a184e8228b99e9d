import CoreData
import CoreDataPostgreSQL
import CoreDataSQL

/// The tables, columns and indexes of a server's database, according to its catalog.
struct ServerCatalog {
  let file: FileSchema
  /// The type of each column, by table and column, in the server's words.
  private let types: [String: [String: String]]
  private let brokenIndexes: [String]

  init(_ ask: DatabaseChecker.Ask) throws {
    var types: [String: [String: String]] = [:]
    for row in try ask(Self.columns, "") {
      guard let table = row[0].string, let column = row[1].string else { continue }
      types[table, default: [:]][column] = row[2].string
    }
    self.types = types
    var indexes: [FileIndex] = []
    var broken: [String] = []
    for row in try ask(Self.indexes, "") {
      guard let table = row[0].string, let name = row[1].string else { continue }
      guard row[3].number == 1 else {
        broken.append(name)
        continue
      }
      indexes.append(
        FileIndex(
          name: name,
          table: table,
          columns: row[4].string.map { $0.split(separator: "\u{1f}").map(String.init) } ?? [],
          isUnique: row[2].number == 1,
          coversAllRows: true,
          isAutomatic: false
        )
      )
    }
    brokenIndexes = broken
    file = FileSchema(tables: types.mapValues { Set($0.keys) }, indexes: indexes)
  }

  private static let columns: SQLFragment = """
    SELECT CAST(c.relname AS TEXT), CAST(a.attname AS TEXT), format_type(a.atttypid, NULL) \
    FROM pg_catalog.pg_attribute a JOIN pg_catalog.pg_class c ON c.oid = a.attrelid \
    JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace \
    WHERE n.nspname = current_schema() AND c.relkind IN ('r', 'p') \
    AND a.attnum > 0 AND NOT a.attisdropped
    """

  /// The columns of each index without the zone, which all begin with.
  private static let indexes: SQLFragment = """
    SELECT CAST(t.relname AS TEXT), CAST(i.relname AS TEXT), CAST(x.indisunique AS INTEGER), \
    CAST(x.indisvalid AS INTEGER), string_agg(CAST(a.attname AS TEXT), chr(31) ORDER BY k.n) \
    FILTER (WHERE a.attname <> 'z_zone') FROM pg_catalog.pg_index x \
    JOIN pg_catalog.pg_class t ON t.oid = x.indrelid \
    JOIN pg_catalog.pg_class i ON i.oid = x.indexrelid \
    JOIN pg_catalog.pg_namespace n ON n.oid = t.relnamespace \
    CROSS JOIN LATERAL unnest(x.indkey) WITH ORDINALITY k (attnum, n) \
    LEFT JOIN pg_catalog.pg_attribute a ON a.attrelid = t.oid AND a.attnum = k.attnum \
    WHERE n.nspname = current_schema() AND k.n <= x.indnkeyatts GROUP BY 1, 2, 3, 4 ORDER BY 1, 2
    """
}

// MARK: - Against the model

extension ServerCatalog {
  func findings(against map: TableMap) -> [Finding] {
    let fixed = ["z_model", "z_zones", "z_keys"].filter { types[$0] == nil }.map(missing)
    let entities = map.tables.flatMap { table in
      let own = table.columns.map { ($0.name, $0.type.inPostgreSQL.lowercased()) }
      let all = [("Z_PK", "bigint"), ("Z_ENT", "integer"), ("Z_OPT", "bigint")] + own
      return findings(of: table.name, all)
    }
    let pairs = map.joinTables.flatMap { table in
      let orders = [table.masterOrderColumn, table.otherOrderColumn].compactMap(\.self)
      let all = [table.masterColumn, table.otherColumn] + orders
      return findings(of: table.name, all.map { ($0, "bigint") })
    }
    let indexes = map.tables.flatMap(\.indexes).compactMap(finding)
    return fixed + entities + pairs + indexes + brokenFindings
  }

  private func missing(_ table: String) -> Finding {
    var finding = Finding(.error, .table, .table(table), "the table is missing")
    finding.advice = "restore it from a backup of the database"
    return finding
  }

  private func findings(of table: String, _ columns: [(name: String, type: String)]) -> [Finding] {
    guard let there = types[table] else { return [missing(table)] }
    let known = [("z_zone", "text")] + columns
    let lacking = known.compactMap { name, type -> Finding? in
      guard let found = there[name] else {
        return Finding(.error, .column, .table(table), "the column \(name) is missing")
      }
      if found == type { return nil }
      let words = "the column \(name) has the type \(found), and the model's values are of \(type)"
      return Finding(.error, .column, .table(table), words)
    }
    let others = Set(there.keys).subtracting(known.map(\.0)).sorted()
    if others.isEmpty { return lacking }
    let note = Finding(
      .note,
      .column,
      .table(table),
      count: others.count,
      .names(Array(others.prefix(Finding.Examples.limit))),
      "\(others.count.of("column is", "columns are")) not of the model"
    )
    return lacking + [note]
  }

  /// Without its index nothing keeps values unique, and two programs can save the same.
  private func finding(_ index: TableIndex) -> Finding? {
    guard types[index.table] != nil, file.index(like: index) == nil else { return nil }
    let columns = index.elements.map(\.column).joined(separator: ", ")
    return index.isUnique
      ? Finding(
        .error,
        .index,
        .table(index.table),
        "the unique index on \(columns) is missing, so that values can come twice"
      )
      : Finding(
        .note,
        .index,
        .table(index.table),
        "the index on \(columns) is missing, so that fetches may be slow"
      )
  }

  private var brokenFindings: [Finding] {
    if brokenIndexes.isEmpty { return [] }
    var finding = Finding(
      .warning,
      .index,
      .database,
      count: brokenIndexes.count,
      .names(Array(brokenIndexes.prefix(Finding.Examples.limit))),
      "\(brokenIndexes.count.of("index is", "indexes are")) not whole, so that nothing uses them"
    )
    finding.advice = "REINDEX makes them anew"
    return [finding]
  }
}
