import CoreDataSQL
import Foundation

/// What became of a transaction whose COMMIT was not answered.
enum CommitOutcome {
  case happened
  case didNotHappen
  /// The server cannot be asked, or does not know any more.
  case unknown

  /// How long it is asked; a standby takes over within half of it.
  private static let patience = Duration.seconds(60)

  /// Asks the server, which may have to be started again first.
  init(of number: String, in pool: PostgreSQLPool) {
    pool.forgetIdle()
    let start = ContinuousClock.now
    while ContinuousClock.now - start < Self.patience {
      // A server that is not there yet is asked again.
      switch try? Self.answer(number, pool) {
      case "committed"?: self = .happened
      case "aborted"?: self = .didNotHappen
      case nil, "in progress"?:
        usleep(250_000)
        continue
      case _: self = .unknown
      }
      return
    }
    self = .unknown
  }

  private static func answer(
    _ number: String,
    _ pool: PostgreSQLPool
  ) throws(PostgreSQLError) -> String {
    try pool.once { connection throws(PostgreSQLError) in
      let statement = try connection.statement(
        "SELECT pg_xact_status(CAST(\(.text(number)) AS xid8))"
      )
      defer { statement.reset() }
      return try statement.step() ? statement.text(0) : ""
    }
  }
}
