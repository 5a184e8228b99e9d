/// A statement that removes the rows a condition names.
package struct Delete: Hashable, Sendable {
  package var table: String
  package var filter: SQLFragment

  package init(from table: String, where filter: SQLFragment) {
    self.table = table
    self.filter = filter
  }

  package var fragment: SQLFragment {
    "DELETE FROM \(name: table) WHERE \(SQLFragment.ownRows)\(filter)"
  }
}
