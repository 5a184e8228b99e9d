import CoreDataSQL
import CoreDataSQLite
import Foundation

/// The persistent history in a store's file, in numbers.
///
/// ```
/// 3 transactions, 12 changes, 9 May 2024 to 11 May 2024, by "app" (2) and nobody (1)
/// ```
package struct StoredHistory: Hashable, Sendable {
  package let transactions: RowCount
  package let changes: RowCount
  package let first: Date?
  package let last: Date?
  /// The authors, most frequent first; `nil` if there are too many transactions to look at.
  package let authors: [Author]?

  package struct Author: Hashable, Sendable {
    /// Nil for transactions without an author.
    package let name: String?
    package let transactions: Int
  }

  /// Nil for a store without history.
  init?(
    on connection: Connection,
    _ tables: Set<String>,
    _ clock: CountingTime
  ) throws(SQLiteError) {
    guard tables.contains("ATRANSACTION"), tables.contains("ACHANGE") else { return nil }
    transactions = try RowCounter(table: "ATRANSACTION", hasSubentities: false)
      .counts(on: connection, clock).sum
    changes = try RowCounter(table: "ACHANGE", hasSubentities: false)
      .counts(on: connection, clock).sum
    // One at a time each is a look at the end of an index.
    first = try Self.date(connection, "SELECT MIN(ZTIMESTAMP) FROM ATRANSACTION")
    last = try Self.date(connection, "SELECT MAX(ZTIMESTAMP) FROM ATRANSACTION")
    authors = try connection.within(clock.rest) { () throws(SQLiteError) in
      try Self.authors(connection, hasStrings: tables.contains("ATRANSACTIONSTRING"))
    }
  }

  private static func date(
    _ connection: Connection,
    _ query: String
  ) throws(SQLiteError) -> Date? {
    let statement = try connection.statement(query)
    defer { statement.reset() }
    guard try statement.step(), !statement.isNull(0) else { return nil }
    return Date(timeIntervalSinceReferenceDate: statement.real(0))
  }

  /// Before iOS 12 the names stood in the transactions themselves.
  private static func authors(
    _ connection: Connection,
    hasStrings: Bool
  ) throws(SQLiteError) -> [Author] {
    let query =
      hasStrings
      ? """
      SELECT COALESCE(s.ZNAME, t.ZAUTHOR), COUNT(*) FROM ATRANSACTION t
      LEFT JOIN ATRANSACTIONSTRING s ON s.Z_PK = t.ZAUTHORTS GROUP BY 1 ORDER BY 2 DESC, 1
      """
      : "SELECT ZAUTHOR, COUNT(*) FROM ATRANSACTION GROUP BY 1 ORDER BY 2 DESC, 1"
    let statement = try connection.statement(query)
    defer { statement.reset() }
    var authors: [Author] = []
    while try statement.step() {
      authors.append(
        Author(
          name: statement.isNull(0) ? nil : statement.text(0),
          transactions: Int(statement.integer(1))
        )
      )
    }
    return authors
  }
}
