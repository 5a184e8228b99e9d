package import CoreDataSQL

/// What a column of a row will hold, told by what the row holds now.
///
/// ```
/// .column("ZNAME")                  the value stays, wherever it stands
/// .filled(.column("ZSTARS"), 3)     the default where there is none
/// .renumbered("Z3_OWNER")           the new number of the entity whose old number is there
/// ```
package indirect enum ColumnContent: Hashable {
  case null
  case value(SQLValue)
  case column(String)
  case filled(ColumnContent, SQLValue)
  case renumbered(String)
  /// Bytes that get the byte before them which says that they stand in the row.
  case marked(ColumnContent)
  /// Bytes that lose it, fetched from their file where they stand in one.
  case unmarked(ColumnContent)

  /// The column whose values are what the cell holds, or what it is made of.
  var base: String? {
    switch self {
    case .null, .value: nil
    case .column(let column), .renumbered(let column): column
    case .filled(let cell, _), .marked(let cell), .unmarked(let cell): cell.base
    }
  }

  /// The expression, for a column of a type; `name` says what a column of the source is called by then.
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

  /// `CASE "Z_ENT" WHEN 2 THEN 3 WHEN 3 THEN 4 END`; the column itself where no number changes.
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
