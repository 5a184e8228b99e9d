import CoreDataSQL

/// The result of a query in SQL: rows of values, and the names of the columns.
struct SQLAnswer: Sendable {
  let columns: [String]
  var rows: [[SQLValue]] = []
}
