package import CoreDataSQL

/// One open connection to a database, as relational stores use it: one thread at a time.
///
/// ```
/// PlanWriter, RowDecoder, HistoryReader …   know SQLConnection, SQLStatement and SQLFailure
///     SQLite/SQLiteDriver.swift             says that SQLite's connection is one
/// ```
///
/// Users of a connection are generic over it, so that the compiler makes a copy for each driver and no call in a loop
/// over rows has to look up which database it is.
package protocol SQLConnection: AnyObject {
  associatedtype Statement: SQLStatement
  /// The error of the database when it refuses.
  typealias Failure = Statement.Failure

  /// The statement for a text in the database's own spelling, compiled at its first use.
  @_disfavoredOverload
  func statement(_ sql: String) throws(Statement.Failure) -> Statement
  /// The statement for this fragment, its values bound.
  func statement(_ fragment: SQLFragment) throws(Statement.Failure) -> Statement
  /// Runs a statement to its end, without looking at rows.
  func run(_ fragment: SQLFragment) throws(Statement.Failure)
  /// The first column of the first row; `nil` if it is NULL, or there is no row.
  func integer(_ fragment: SQLFragment) throws(Statement.Failure) -> Int64?
  /// The number of rows that the last statement changed.
  var changeCount: Int { get }
  var isInTransaction: Bool { get }
}

/// A compiled statement: bind, step through the rows, read columns, reset.
///
/// Columns are counted from 0, places for values from 1.
package protocol SQLStatement: AnyObject {
  associatedtype Failure: SQLFailure

  /// Moves to the next row; false at the end. A failed statement is reset before the error leaves.
  func step() throws(Failure) -> Bool
  /// Says of which types the first columns have to be, nil for any.
  ///
  /// If somebody may have changed them, the step that runs the statement checks them, and throws.
  func expect(_ types: [ColumnType?])
  /// Makes the statement ready to run again; bound values stay.
  func reset()
  /// Runs a statement that gives no rows, and makes it ready to run again.
  func run() throws(Failure)

  // A value that the database does not take is thrown by the next step.
  func bindNull(at index: Int32)
  func bind(_ value: Int64, at index: Int32)
  func bind(_ value: Double, at index: Int32)
  func bind(_ value: SQLValue, at index: Int32)
  /// Binds UTF-8 that stays where it is until the statement is reset or bound again.
  func bindText(inPlace bytes: UnsafeRawBufferPointer, at index: Int32)
  /// Binds bytes that stay where they are until the statement is reset or bound again.
  func bindBlob(inPlace bytes: UnsafeRawBufferPointer, at index: Int32)

  /// How many places for values the statement has.
  var parameterCount: Int32 { get }
  var columnCount: Int32 { get }
  func isNull(_ column: Int32) -> Bool
  func integer(_ column: Int32) -> Int64
  func real(_ column: Int32) -> Double
  func text(_ column: Int32) -> String
  /// The column's UTF-8, valid until the next step or reset.
  func textBytes(_ column: Int32) -> UnsafeRawBufferPointer
  /// The column's bytes, valid until the next step or reset.
  func blobBytes(_ column: Int32) -> UnsafeRawBufferPointer
  func value(_ column: Int32) -> SQLValue
}

extension SQLStatement {
  /// Does nothing if each value names its own type.
  func expect(_ types: [ColumnType?]) {}
}

/// The error of a database that refuses, with two refusals that are ours.
package protocol SQLFailure: Error {
  /// A stored number is so large that nothing can follow it.
  static func beyondBounds(_ number: Int64, _ place: String) -> Self
  /// A row has values that another one has already, and that must be unique.
  static func duplicate(of properties: String) -> Self
  /// Whether the row was refused as a duplicate.
  var isDuplicate: Bool { get }
  /// The database's message.
  var message: String { get set }
}

extension SQLFailure {
  /// The same of a row of a batch, counted from 1.
  package func ofRow(_ number: Int) -> Self {
    var failure = self
    failure.message = "\(message) (row \(number) of the batch)"
    return failure
  }
}
