import CoreDataSQL

extension SpatialIndex {
  /// Has the tree hold every row, as its triggers would have.
  var filling: SQLFragment {
    let bounds = ["Z_PK"] + columns.flatMap { ["\($0)_MIN", "\($0)_MAX"] }
    let values = ["Z_PK"] + columns.flatMap { [$0, $0] }
    return """
      INSERT INTO \(name: name) (\(bounds.map { SQLFragment.column($0) }.joined(separator: ", "))) \
      SELECT \(values.map { SQLFragment.column($0) }.joined(separator: ", ")) FROM \(name: table)
      """
  }
}
