package import CoreDataSQL

/// The result of a query in SQL: rows of values, and the names of the columns.
package struct SQLAnswer: Sendable {
  let columns: [String]
  var rows: [[SQLValue]] = []

  package init(columns: [String], rows: [[SQLValue]] = []) {
    self.columns = columns
    self.rows = rows
  }
}
