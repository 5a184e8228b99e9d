/// A statement that sets columns of the rows a condition names; each run binds the new values.
package struct Update: Hashable, Sendable {
  package var table: String
  package var columns: [String]
  package var filter: SQLFragment

  package init(_ table: String, set columns: [String], where filter: SQLFragment) {
    self.table = table
    self.columns = columns
    self.filter = filter
  }

  package var fragment: SQLFragment {
    let assignments = columns.map { "\(column: $0) = \(SQLFragment.parameter)" as SQLFragment }
    let rows: SQLFragment = "\(SQLFragment.ownRows)\(filter)"
    return "UPDATE \(name: table) SET \(assignments.joined(separator: ", ")) WHERE \(rows)"
  }
}
