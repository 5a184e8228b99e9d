import CoreDataSQL
import Foundation

/// What became of a transaction whose COMMIT was not answered.
enum CommitOutcome {
  case happened
  case didNotHappen
  /// The server cannot be asked, or does not know any more.
  case unknown

  /// The number of the transaction, and the timeline that it is of.
  ///
  /// A standby that takes over begins a timeline, and gives numbers again that it has not heard of.
  static let ownNumber = "SELECT CAST(pg_current_xact_id() AS TEXT) || ' ' || \(timeline)"

  private static let timeline = "substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8)"

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
      // Of another timeline the answer would be about another transaction; that is no answer that is known here.
      let timeline = SQLFragment(stringLiteral: Self.timeline)
      let statement = try connection.statement(
        """
        SELECT CASE WHEN \(timeline) = split_part(\(.text(number)), ' ', 2) \
        THEN pg_xact_status(CAST(split_part(\(.text(number)), ' ', 1) AS xid8)) \
        ELSE 'of another timeline' END
        """ as SQLFragment
      )
      defer { statement.reset() }
      return try statement.step() ? statement.text(0) : ""
    }
  }
}
