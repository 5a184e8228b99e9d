import CoreDataSQL

/// What a query in SQL gives: rows of values, and what they are called.
struct SQLAnswer: Sendable {
  let columns: [String]
  var rows: [[SQLValue]] = []
}
