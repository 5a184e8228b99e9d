package import CoreDataSQL

/// The future content of a column of a row, expressed by the present content of the row.
///
/// ```
/// .column("ZNAME")                  the value stays, in whatever column it is
/// .filled(.column("ZSTARS"), 3)     the default if there is no value
/// .renumbered("Z3_OWNER")           the new number of the entity whose old number is there
/// ```
package indirect enum ColumnContent: Hashable {
  case null
  case value(SQLValue)
  case column(String)
  case filled(ColumnContent, SQLValue)
  case renumbered(String)
  /// Bytes that get the byte in front which says that they are in the row.
  case marked(ColumnContent)
  /// Bytes that lose that byte, and are fetched from their file if they are in one.
  case unmarked(ColumnContent)

  /// The column whose values are what the cell holds, or what it is made of.
  var base: String? {
    switch self {
    case .null, .value: nil
    case .column(let column), .renumbered(let column): column
    case .filled(let cell, _), .marked(let cell), .unmarked(let cell): cell.base
    }
  }

  /// The expression, for a column of a type; `name` returns the name that a column of the source has at that time.
  func sql(
    _ type: ColumnType,
    _ dialect: any MigrationDialect,
    renumbering numbers: [(old: Int, new: Int)],
    name: (String) -> String
  ) -> SQLFragment {
    func inner(_ cell: ColumnContent) -> SQLFragment {
      cell.sql(type, dialect, renumbering: numbers, name: name)
    }
    switch self {
    case .null:
      return dialect.null(in: type)
    case .value(let value):
      return dialect.value(value, in: type)
    case .column(let column):
      return .column(name(column))
    case .filled(let cell, let value):
      return "COALESCE(\(inner(cell)), \(dialect.value(value, in: type)))"
    case .renumbered(let column):
      return Self.renumbered(.column(name(column)), numbers)
    case .marked(let cell):
      return dialect.marked(inner(cell))
    case .unmarked(let cell):
      return dialect.unmarked(inner(cell))
    }
  }

  /// `CASE "Z_ENT" WHEN 2 THEN 3 WHEN 3 THEN 4 END`; the column itself if no number changes.
  package static func renumbered(
    _ column: SQLFragment,
    _ numbers: [(old: Int, new: Int)]
  ) -> SQLFragment {
    guard numbers.contains(where: { $0.old != $0.new }) else { return column }
    let cases = numbers.map { pair -> SQLFragment in
      "WHEN \(.number(pair.old)) THEN \(.number(pair.new))"
    }
    return "CASE \(column) \(cases.joined(separator: " ")) END"
  }
}
