/// A statement that adds one row; each run binds a value for each column.
package struct Insert: Hashable, Sendable {
  package var table: String
  package var columns: [String]

  package init(into table: String, columns: [String]) {
    self.table = table
    self.columns = columns
  }

  package var fragment: SQLFragment {
    let names = columns.map { SQLFragment.column($0) }.joined(separator: ", ")
    let places = columns.map { _ in SQLFragment.parameter }.joined(separator: ", ")
    return "INSERT INTO \(name: table) (\(names)) VALUES (\(places))"
  }
}
