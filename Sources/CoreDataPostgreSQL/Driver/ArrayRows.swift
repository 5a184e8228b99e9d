import CoreData
import CoreDataSQL

/// Rows that travel as one array for each column, and that a statement reads side by side.
///
/// ```
/// unnest($2, $3) "w" ("c0", "c1")
/// unnest((SELECT $2), (SELECT $3)) "w" ("c0", "c1")
/// ```
enum ArrayRows {
  /// From how many rows on the server plans a statement each time that it runs.
  static let many = 100

  /// The table of as many columns, which is called `w`.
  static func source(_ count: Int) -> SQLFragment {
    source(count, .parameter)
  }

  /// The same, for a statement that looks for a row of a table for each of the rows.
  ///
  /// If the server sees an array before it plans, it counts its elements, and for some thousand reads the whole
  /// table. Behind a query of its own it does not see them, and takes the index of the keys.
  static func wanted(_ count: Int, for rows: Int) -> SQLFragment {
    source(count, rows < many ? .parameter : "(SELECT \(.parameter))")
  }

  private static func source(_ count: Int, _ array: SQLFragment) -> SQLFragment {
    let arrays = [SQLFragment](repeating: array, count: count).joined(separator: ", ")
    let names = (0..<count).map { SQLFragment.column("c\($0)") }.joined(separator: ", ")
    return "unnest(\(arrays)) \(name: "w") (\(names))"
  }

  /// A value of such a row, as a column takes it.
  static func value(_ index: Int, _ column: BoundColumn? = nil) -> SQLFragment {
    let value: SQLFragment = "\(column: "c\(index)", of: "w")"
    return column?.kind == .decimal ? "CAST(\(value) AS NUMERIC)" : value
  }

  static func arrays(_ columns: [BoundColumn], of snapshots: [Snapshot]) -> [PostgreSQLArray] {
    columns.map { column in
      var array = PostgreSQLArray(for: column)
      array.reserve(snapshots.count)
      for snapshot in snapshots { array.append(column, of: snapshot.bytes) }
      return array
    }
  }

  /// Inserts rows of an entity: key, version, then the columns.
  ///
  /// The filled columns take no array.
  static func insertion(
    of layout: EntityLayout,
    into table: SQLFragment,
    _ columns: [StoredColumn],
    filling filled: [FilledColumn]
  ) -> SQLFragment {
    let names = (["Z_PK", "Z_ENT", "Z_OPT"] + columns.map(\.name) + filled.map(\.name))
      .map { SQLFragment.column($0) }.joined(separator: ", ")
    let values =
      [value(0), "\(SQLFragment(stringLiteral: String(layout.number)))", value(1)]
      + columns.enumerated().map { value($0.offset + 2, BoundColumn($0.element)) }
      + filled.map(\.literal)
    return """
      INSERT INTO \(table) (z_zone, \(names)) \
      SELECT $1, \(values.joined(separator: ", ")) FROM \(source(columns.count + 2))
      """
  }

  static func request(
    _ sql: SQLFragment,
    _ arrays: [PostgreSQLArray],
    zone: String
  ) -> PostgreSQLRequest {
    request(sql.rendered(for: .postgreSQL).sql, arrays, zone: zone)
  }

  /// The same of a text that is kept.
  static func request(
    _ sql: String,
    _ arrays: [PostgreSQLArray],
    zone: String
  ) -> PostgreSQLRequest {
    var values = PostgreSQLValues()
    let sizes = arrays.map { $0.byteCount + PostgreSQLArray.headSize + 1 }
    values.reserve(sizes.reduce(zone.utf8.count + 1, +))
    values.append(text: zone)
    for array in arrays { values.append(array) }
    var request = PostgreSQLRequest(sql: sql, types: arrays.map(\.type), values: values)
    request.isPlannedEachTime = arrays.contains { $0.count >= many }
    return request
  }
}
