public import Foundation

/// A receiver of measurements from the stores and contexts of the program.
///
/// ```swift
/// final class Printer: StoreMeter {
///   func record(_ measurement: StoreMeasurement) {
///     if case .statement(let statement) = measurement { print(statement.time, statement.sql) }
///   }
/// }
/// StoreMetrics.connect(Printer())
/// ```
///
/// Connect a meter with ``StoreMetrics/connect(_:slowStatements:repeatedFaults:)``.
public protocol StoreMeter: AnyObject, Sendable {
  /// Receives a measurement.
  ///
  /// Called on any thread, in the middle of what is measured, and by several threads at once. It should do no
  /// more than count, and must not use contexts or stores.
  ///
  /// - Parameter measurement: The event and its measures.
  func record(_ measurement: StoreMeasurement)
}

/// A measurement of something that a store or a context has done.
public enum StoreMeasurement: Sendable {
  /// A SQL statement has run to its end.
  case statement(StatementMeasurement)
  /// A SQL statement has taken longer than the limit of the meter.
  ///
  /// The measurement follows the ``statement(_:)`` of the same statement. It has the database's plan and advice, such as
  /// a missing index.
  case slowStatement(StatementMeasurement, plan: [String], advice: [String])
  /// A thread has waited for a free connection of a SQLite store.
  case wait(Duration, toWrite: Bool, store: URL)
  /// The row of a fault was looked up in the row cache, and was there (`isHit`) or not.
  case rowCache(isHit: Bool, entity: String)
  /// A statement has read a single object, or the members of one relationship of a single object.
  case fault(entity: String, relationship: String?)
  /// A context has read object by object what a fetch could have read together.
  case repeatedFaults(RepeatedFaults)
  /// A context was created or deallocated; `count` is the number of contexts in the program afterwards.
  case contexts(count: Int)
}

/// A measurement of one run of a SQL statement.
public struct StatementMeasurement: Sendable {
  /// The statement, without the values that were bound to it.
  ///
  /// Statements that went to a PostgreSQL server in one message are one measurement; a semicolon separates them.
  public let sql: String
  /// The location of the store: its file, or the address of its database without a password.
  public let store: URL
  /// The time from the first step to the last, including the time that the program spent between two rows.
  public let time: Duration
  /// The time until the first row, or until the end if the statement returned no row.
  public let timeToFirstRow: Duration
  /// The number of rows that the statement returned.
  public let rowCount: Int
  /// A Boolean value that indicates whether the statement returns rows.
  public let isQuery: Bool
  /// The identifier of the request for which the statement ran; see ``StoreMetrics/requestID``.
  public let requestID: String?
}

/// Objects, or the members of a relationship, that were read one by one.
public struct RepeatedFaults: Hashable, Sendable {
  /// The entity of the objects that were read, or the one that has the relationship.
  public let entity: String
  /// The relationships by which the objects were reached, such as `Note.folder`; empty if none is known.
  public let relationships: [String]
  /// The name of the context, if it has one.
  public let contextName: String?
  /// The number of such statements since the context's last fetch.
  public let count: Int
  /// A text for developers that says what happened and what helps.
  public let sentence: String
}
