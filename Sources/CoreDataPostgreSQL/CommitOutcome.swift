import CoreData
import CoreDataSQL
import Foundation

/// The fate of a transaction whose COMMIT was not answered.
enum CommitOutcome {
  case happened
  case didNotHappen
  /// The server cannot be asked, or does not know any more.
  case unknown

  /// The number of the transaction, and the life of the server in which it was given.
  static let ownNumber = "SELECT CAST(pg_current_xact_id() AS TEXT) || ' ' || \(life)"

  /// Changes when numbers may be given again: after a failover, because the standby begins a timeline and may lack
  /// some of them, and after a crash, which resets the server's statistics.
  private static let life = """
    (substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) || coalesce(to_char( \
    pg_stat_get_bgwriter_stat_reset_time() AT TIME ZONE 'UTC', 'YYYYMMDDHH24MISSUS'), ''))
    """

  /// How long it is asked; a standby takes over within half of it.
  private static let patience = Duration.seconds(60)

  /// Asks the server, which may have to be started again first.
  init(of number: String, in pool: PostgreSQLPool) {
    pool.forgetIdle()
    let start = ContinuousClock.now
    while ContinuousClock.now - start < Self.patience {
      do throws(PostgreSQLError) {
        switch try Self.answer(number, pool) {
        case "committed": self = .happened
        case "aborted": self = .didNotHappen
        case "in progress":
          usleep(250_000)
          continue
        case _: self = .unknown
        }
        return
      } catch {
        // A server that is not there yet, or still takes over, is asked again.
        guard error.isLoss || Self.passing.contains(error.state) else { break }
        usleep(250_000)
      }
    }
    self = .unknown
  }

  /// Failures that pass: a crowd, a standby that takes over, a pooler or a server that is slow to answer.
  private static let passing = [
    "53300", "55000", PostgreSQLError.noneLentState, PostgreSQLError.overdueState,
  ]

  private static func answer(
    _ number: String,
    _ pool: PostgreSQLPool
  ) throws(PostgreSQLError) -> String {
    try pool.once { connection throws(PostgreSQLError) in
      // Of another life the answer would be about another transaction.
      let life = SQLFragment(stringLiteral: Self.life)
      let statement = try connection.statement(
        """
        SELECT CASE WHEN \(life) = split_part(\(.text(number)), ' ', 2) \
        THEN pg_xact_status(CAST(split_part(\(.text(number)), ' ', 1) AS xid8)) \
        ELSE 'of another life' END
        """ as SQLFragment
      )
      let answer = try statement.step() ? statement.text(0) : ""
      statement.reset()
      // A commit of a history has not waited for the disk.
      if answer == "committed" { try connection.run(plain: PostgreSQLHistory.flushIfNeeded) }
      return answer
    }
  }
}
