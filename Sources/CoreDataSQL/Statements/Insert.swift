/// A statement that adds one row; each run binds a value for each column.
package struct Insert: Hashable, Sendable {
  package var table: String
  package var columns: [String]
  /// The columns that get the same value in each row.
  package var filled: [FilledColumn]

  package init(into table: String, columns: [String], filling filled: [FilledColumn] = []) {
    self.table = table
    self.columns = columns
    self.filled = filled
  }

  package var fragment: SQLFragment {
    let names = (columns + filled.map(\.name)).map { SQLFragment.column($0) }
    let places = columns.map { _ in SQLFragment.parameter } + filled.map(\.literal)
    return """
      INSERT INTO \(name: table) (\(names.joined(separator: ", "))) \
      VALUES (\(places.joined(separator: ", ")))
      """
  }
}

/// A column that gets the same value in each new row.
package struct FilledColumn: Hashable, Sendable {
  package let name: String
  /// The value as a literal of SQL.
  package let literal: SQLFragment

  package init(name: String, literal: SQLFragment) {
    self.name = name
    self.literal = literal
  }
}
