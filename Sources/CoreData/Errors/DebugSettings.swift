import Foundation

/// The checks and logs that were requested when the program was started.
///
/// ```
/// -com.apple.CoreData.ConcurrencyDebug 1    COREDATA_CONCURRENCY_DEBUG=1
/// -com.apple.CoreData.SQLDebug 3            COREDATA_SQL_DEBUG=3
///                                           COREDATA_SLOW_STATEMENTS=100
///                                           COREDATA_REPEATED_FAULTS=20
///                                           COREDATA_LOG_FORMAT=json
/// ```
///
/// Arguments go before the environment.
struct DebugSettings: Equatable, Sendable {
  /// Whether each access of a context and its objects is held against the context's queue.
  let checksQueues: Bool
  /// How much is logged of the statements of SQLite stores, from 0, nothing, to 4.
  let sqlLevel: Int
  /// From how many milliseconds on a statement is told as slow; nil for none.
  let slowStatements: Int?
  /// From how many statements on it is told that faults were fired one by one; nil for none.
  let repeatedFaults: Int?
  /// Whether statements and faults are logged as JSON, and not as text.
  let logsJSON: Bool

  /// This process's; read once.
  static let current = DebugSettings(
    arguments: CommandLine.arguments,
    environment: ProcessInfo.processInfo.environment
  )

  init(arguments: [String], environment: [String: String]) {
    func level(_ name: String, _ variable: String) -> Int {
      let place = arguments.lastIndex(of: "-com.apple.CoreData.\(name)")
      let argument = place.flatMap { arguments.indices.contains($0 + 1) ? arguments[$0 + 1] : nil }
      guard let text = argument ?? environment[variable] else { return 0 }
      return Int(text) ?? (["yes", "true"].contains(text.lowercased()) ? 1 : 0)
    }
    checksQueues = level("ConcurrencyDebug", "COREDATA_CONCURRENCY_DEBUG") > 0
    sqlLevel = max(0, level("SQLDebug", "COREDATA_SQL_DEBUG"))
    slowStatements = environment["COREDATA_SLOW_STATEMENTS"].flatMap(Int.init).map { max(0, $0) }
    logsJSON = environment["COREDATA_LOG_FORMAT"]?.lowercased() == "json"
    repeatedFaults = environment["COREDATA_REPEATED_FAULTS"].flatMap(Int.init).map { max(2, $0) }
  }
}
