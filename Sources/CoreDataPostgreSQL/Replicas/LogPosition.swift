import CoreData
import CoreDataSQL

/// How far the log of a database had come when its server was asked.
///
/// ```
/// the primary, asked when a block begins:  written up to 50465200, on the line 00000001
/// a replica, asked behind it:              replayed up to 50465200, on the line 00000001: it knows everything
/// ```
struct LogPosition: Hashable, Sendable {
  /// The server's system, the database and the table of the model, by the numbers that all copies of a server have in
  /// common: similar ones elsewhere have others.
  let tables: String
  /// A server that takes over begins a new one, in which places of the log are given once more.
  let timeline: String
  /// How many bytes of the log are behind it.
  let place: Int64
}

/// The facts that a server reports about itself, which may follow another one.
struct ReplicaState: Hashable, Sendable {
  /// Whether it follows one, and has not taken over.
  let isReplica: Bool
  /// The position that it has replayed; `nil` if it does not replay a log.
  let position: LogPosition?
  /// The life of the server, from its start to its end.
  let life: String
}

/// The fitness of a replica for a read that needs all commits.
enum ReplicaFitness: Hashable, Sendable {
  case knowsAll
  /// It will know.
  case behind
  case unfit(Misfit)

  enum Misfit: Hashable, Sendable {
    case isNoReplica
    case hasOtherTables
    case isOnAnotherTimeline
    /// It has the lock or the model of a migration, before or behind the primary's.
    case migrates
    case cannotBeAsked(String)
  }
}

extension LogPosition {
  /// Whether a replica knows everything in the log up to here.
  func fitness(of replica: ReplicaState) -> ReplicaFitness {
    guard replica.isReplica else { return .unfit(.isNoReplica) }
    guard let replayed = replica.position, replayed.tables == tables else {
      return .unfit(.hasOtherTables)
    }
    guard replayed.timeline == timeline else { return .unfit(.isOnAnotherTimeline) }
    return replayed.place >= place ? .knowsAll : .behind
  }
}

// MARK: - Asking a server

extension LogPosition {
  /// The end of the log in memory, and not on the disk: a save that does not wait for the disk has been announced as
  /// well.
  ///
  /// The timeline is that of what is being written; the last checkpoint may be of an older one.
  private static let ofPrimary: SQLFragment = """
    SELECT \(tableNumbers), substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8), \
    CAST(pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0') AS BIGINT) WHERE NOT pg_is_in_recovery()
    """

  /// Null if the database does not have a table of that name.
  fileprivate static let tableNumbers: SQLFragment = """
    (SELECT CAST(system_identifier AS TEXT) FROM pg_control_system()) || ' ' || \
    (SELECT CAST(oid AS TEXT) FROM pg_database WHERE datname = current_database()) || ' ' || \
    CAST(CAST(to_regclass('z_model') AS OID) AS TEXT)
    """

  /// How far a server has written; nil for one that only follows.
  static func written(
    by connection: PostgreSQLConnection
  ) throws(PostgreSQLError) -> LogPosition? {
    let statement = try connection.statement(ofPrimary)
    defer { statement.reset() }
    guard try statement.step() else { return nil }
    return LogPosition(statement, at: 0)
  }

  fileprivate init?(_ statement: PostgreSQLStatement, at column: Int32) {
    if (column..<column + 3).contains(where: statement.isNull) { return nil }
    tables = statement.text(column)
    timeline = statement.text(column + 1)
    place = statement.integer(column + 2)
  }
}

extension ReplicaState {
  /// A replica is on the newest timeline that its control file knows, or on a newer one.
  ///
  /// After a failover the file shows it late; the receiver of the replica, which some users may see, shows it at
  /// once.
  private static let question: SQLFragment = """
    SELECT pg_is_in_recovery(), \(lifeExpression), \(LogPosition.tableNumbers), \
    (SELECT upper(lpad(to_hex(greatest(timeline_id, min_recovery_end_timeline, \
    (SELECT received_tli FROM pg_stat_wal_receiver))), 8, '0')) \
    FROM pg_control_checkpoint(), pg_control_recovery()), \
    CAST(pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0') AS BIGINT)
    """

  private static let lifeExpression: SQLFragment =
    "CAST(extract(epoch FROM pg_postmaster_start_time()) AS TEXT)"

  init(of connection: PostgreSQLConnection) throws(PostgreSQLError) {
    let statement = try connection.statement(Self.question)
    defer { statement.reset() }
    let isThere = try statement.step()
    isReplica = isThere && statement.integer(0) == 1
    life = isThere ? statement.text(1) : ""
    position = isThere ? LogPosition(statement, at: 2) : nil
  }
}

// MARK: - Asking the same server

extension ReplicaState {
  /// Converts a text that is not a number if another server answers: a pooler may lend a connection to each.
  ///
  /// Runs in the transaction of what is read.
  var checkOfServer: String {
    """
    SELECT CAST(CASE WHEN \(Self.lifeExpression.rendered(for: .postgreSQL).sql) = '\(digitsOfLife)' \
    THEN '1' ELSE '\(Self.refusal)' END AS INTEGER)
    """
  }

  /// Only the digits of the server's answer go into a statement.
  private var digitsOfLife: String { life.filter { $0.isASCII && ($0.isNumber || $0 == ".") } }

  private static let refusal = "coredata_other_server"

  /// Whether the server has said so, in whatever language.
  static func isRefusal(_ error: PostgreSQLError) -> Bool {
    error.state == "22P02" && error.message.contains(refusal)
  }
}
