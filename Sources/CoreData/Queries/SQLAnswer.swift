package import CoreDataSQL

/// What a query in SQL gives: rows of values, and what they are called.
package struct SQLAnswer: Sendable {
  let columns: [String]
  var rows: [[SQLValue]] = []

  package init(columns: [String], rows: [[SQLValue]] = []) {
    self.columns = columns
    self.rows = rows
  }
}
