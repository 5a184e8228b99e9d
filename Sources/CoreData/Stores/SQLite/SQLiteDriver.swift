import CoreDataSQL
import CoreDataSQLite

// SQLite as the driver of a relational store. The conformances are here, and not beside the types, so that the
// compiler sees through them when it makes its copies of the generic code.

extension Connection: SQLConnection {
  typealias Statement = CoreDataSQLite.Statement
}

extension Statement: SQLStatement {
  typealias Failure = SQLiteError
}

extension SQLiteError: SQLFailure {
  /// SQLite's code for a damaged file, in an extension that is not one of SQLite's.
  private static let beyondBoundsCode: Int32 = 11 | (200 << 8)

  static func beyondBounds(_ number: Int64, _ place: String) -> SQLiteError {
    SQLiteError(
      code: beyondBoundsCode,
      message: "\(place) is \(number), which is more than can be counted on from"
    )
  }

  /// Whether a number in the file is so large that nothing can follow it.
  var isBeyondBounds: Bool { code == Self.beyondBoundsCode }

  /// SQLite's error for a row that an index refuses.
  static func duplicate(of properties: String) -> SQLiteError {
    SQLiteError(code: 2067, message: "UNIQUE constraint failed: \(properties)")
  }
}
