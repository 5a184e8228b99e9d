import CoreDataSQLite
import Synchronization

/// The connection between the program's stores and contexts and the meters that count what they do.
///
/// Nothing is measured while no meter is connected. The environment variables `COREDATA_SLOW_STATEMENTS`, in
/// milliseconds, and `COREDATA_REPEATED_FAULTS`, a number of statements, do what
/// ``log(slowStatements:repeatedFaults:as:to:)`` does.
public enum StoreMetrics {
  /// The identifier of the request that the current task works on, for logs.
  ///
  /// ```swift
  /// let books = try await StoreMetrics.$requestID.withValue("7f3a") {
  ///   try await container.read { context in try context.count(for: Book.fetchRequest()) }
  /// }
  /// ```
  ///
  /// It reaches the measurements of statements, and the log of slow ones, also through
  /// ``NSManagedObjectContext/perform(schedule:_:)``, `write` and `read`, while a meter is connected.
  @TaskLocal public static var requestID: String?

  /// Connects a meter to all SQLite stores and all contexts of the program.
  ///
  /// Statements of PostgreSQL stores are not measured.
  ///
  /// A connection to a database that is in use reports to the meter from its next use on. A meter that is connected
  /// already gets the new limits.
  ///
  /// Call this method on any thread. While a meter is connected, SQLite reports each statement and each row, which
  /// makes them slower.
  ///
  /// - Parameters:
  ///   - meter: The meter, which is kept until it is disconnected.
  ///   - slowStatements: The time from which on a statement is reported as slow, with its plan and advice; `nil`,
  ///     which is the default, for none.
  ///   - repeatedFaults: How many statements for single faults of the same kind a context may run after a fetch
  ///     until this is reported; `nil`, which is the default, for any number. Values below 2 count as 2.
  public static func connect(
    _ meter: any StoreMeter,
    slowStatements: Duration? = nil,
    repeatedFaults: Int? = nil
  ) {
    MeterHub.ofProcess.connect(
      ConnectedMeter(
        meter: meter,
        slowStatements: slowStatements,
        repeatedFaults: repeatedFaults.map { max(2, $0) }
      )
    )
  }

  /// Disconnects a meter.
  ///
  /// The meter may still receive what is being measured at the moment.
  ///
  /// - Parameter meter: A meter; one that is not connected is ignored.
  public static func disconnect(_ meter: any StoreMeter) {
    MeterHub.ofProcess.disconnect(meter)
  }

  /// Logs slow statements, each with advice, and repeated reads object by object.
  ///
  /// Each kind of repeated faults is logged once. Call this method again to change the limits, and with `nil` for
  /// both to end the log.
  ///
  /// - Parameters:
  ///   - slowStatements: The time from which on a statement is logged; `nil` for none.
  ///   - repeatedFaults: How many statements for single faults of the same kind a context may run after a fetch;
  ///     20 is a good number while a program is developed. `nil`, which is the default, logs none.
  ///   - format: The format of a line. The default is text, or JSON if the environment variable `COREDATA_LOG_FORMAT` is
  ///     `json`.
  ///   - write: A closure that takes each line without a line break, on any thread. By default, lines of text go to
  ///     `NSLog`, and lines of JSON to standard error.
  public static func log(
    slowStatements: Duration?,
    repeatedFaults: Int? = nil,
    as format: LogFormat? = nil,
    to write: (@Sendable (String) -> Void)? = nil
  ) {
    guard slowStatements != nil || repeatedFaults != nil else { return disconnect(MeterLog.shared) }
    MeterLog.shared.set(format ?? (DebugSettings.current.logsJSON ? .json : .text), write)
    connect(MeterLog.shared, slowStatements: slowStatements, repeatedFaults: repeatedFaults)
  }

  /// The formats in which ``log(slowStatements:repeatedFaults:as:to:)`` writes.
  public enum LogFormat: String, Hashable, Sendable {
    /// A sentence.
    case text
    /// An object with the keys `time`, `level`, `event`, `message`, and for a statement `milliseconds`, `rows`, `store`,
    /// `sql`, `plan`, `advice` and `request`.
    case json
  }

  /// The number of contexts that the program has created and not deallocated yet.
  ///
  /// You can read this property on any thread, with or without a meter. If the number grows without end, something keeps
  /// contexts alive.
  public static var liveContextCount: Int { ContextCount.ofProcess.load(ordering: .relaxed) }
}

/// The contexts of the process, counted.
enum ContextCount {
  static let ofProcess = Atomic(0)

  static func change(by number: Int) {
    let count = ofProcess.add(number, ordering: .relaxed).newValue
    if MeterHub.isOn { MeterHub.ofProcess.record(.contexts(count: count)) }
  }
}
