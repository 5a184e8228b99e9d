/// A query over one table and whatever its conditions join to it.
package struct Select: Hashable, Sendable {
  package var columns: [SQLFragment]
  package var table: String
  package var alias: String
  /// The hint about how to read the table.
  package var hint: SQLFragment?
  package var joins: [SQLFragment] = []
  package var filter: SQLFragment?
  package var groups: [SQLFragment] = []
  /// Which groups; without `groups`, whether all rows together count.
  package var groupFilter: SQLFragment?
  package var order: [SQLFragment] = []
  package var isDistinct = false
  package var limit: Int?
  package var offset = 0

  package init(_ columns: [SQLFragment], from table: String, as alias: String) {
    self.columns = columns
    self.table = table
    self.alias = alias
  }

  package var fragment: SQLFragment {
    var sql: SQLFragment = isDistinct ? "SELECT DISTINCT " : "SELECT "
    sql += columns.joined(separator: ", ")
    sql += " FROM \(table: table, as: alias)"
    if let hint { sql += " \(hint)" }
    for join in joins { sql += " \(join)" }
    if let filter, !filter.isEmpty { sql += " WHERE \(filter)" }
    if !groups.isEmpty { sql += " GROUP BY \(groups.joined(separator: ", "))" }
    if let groupFilter { sql += " HAVING \(groupFilter)" }
    if !order.isEmpty { sql += " ORDER BY \(order.joined(separator: ", "))" }
    if limit != nil || offset > 0 {
      // The count is bound, not spelled, so that requests for different pages share a statement.
      sql += " LIMIT "
      sql += limit.map { .value(.integer(Int64($0))) } ?? SQLFragment(pieces: [.unlimited])
      if offset > 0 { sql += " OFFSET \(.integer(Int64(offset)))" }
    }
    return sql
  }
}
