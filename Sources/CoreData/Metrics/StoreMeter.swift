public import Foundation

/// Receives what the stores and contexts of the program do, to be counted.
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
  /// Takes a measurement.
  ///
  /// Called on any thread, in the middle of what is measured, and by several threads at once. It should do no
  /// more than count, and must not use contexts or stores.
  ///
  /// - Parameter measurement: What has happened.
  func record(_ measurement: StoreMeasurement)
}

/// Something that a store or a context has done.
public enum StoreMeasurement: Sendable {
  /// A SQL statement has run to its end.
  case statement(StatementMeasurement)
  /// A SQL statement took longer than the meter wants. Follows the same statement's ``statement(_:)``.
  case slowStatement(StatementMeasurement, plan: [String], advice: [String])
  /// Somebody waited until a connection of a SQLite store was free.
  case wait(Duration, toWrite: Bool, store: URL)
  /// The row of a fault was wanted, and was in the row cache (`isHit`), or was not.
  case rowCache(isHit: Bool, entity: String)
  /// A statement has read a single object, or the members of one relationship of a single object.
  case fault(entity: String, relationship: String?)
  /// A context has read object by object what a fetch could have read together.
  case repeatedFaults(RepeatedFaults)
  /// A context was created, or is gone: how many there are now in the program.
  case contexts(count: Int)
}

/// One run of a SQL statement.
public struct StatementMeasurement: Sendable {
  /// The statement, without the values that were bound to it.
  public let sql: String
  /// The file of the store.
  public let store: URL
  /// The time from the first step to the last, what the program did between two rows included.
  public let time: Duration
  /// The time until the first row was there, or the end.
  public let timeToFirstRow: Duration
  /// How many rows it gave.
  public let rowCount: Int
  /// Whether the statement gives rows, as a query does.
  public let isQuery: Bool
}

/// Objects, or the members of a relationship, that were read one by one.
public struct RepeatedFaults: Hashable, Sendable {
  /// The entity of the objects that were read, or the one that has the relationship.
  public let entity: String
  /// The relationships by which the objects were reached, such as `Note.folder`; empty if none is known.
  public let relationships: [String]
  /// The name of the context, if it has one.
  public let contextName: String?
  /// How many statements there were since the context's last fetch.
  public let count: Int
  /// What happened and what helps, as a text for developers.
  public let sentence: String
}
