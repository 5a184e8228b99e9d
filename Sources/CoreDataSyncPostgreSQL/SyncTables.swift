import CoreData
import CoreDataPostgreSQL
import CoreDataSQL
import CoreDataSyncServer

/// The tables of a server's zones in a database, beside any other tables.
///
/// ```
/// sync_zone        a row for each zone, locked by each transaction on the zone: head, floor
/// sync_cell        a row for each cell, with the number of its last change; no log, so nothing to compact
/// sync_writer      the latest stamp that came from each writer
/// sync_replica     what each device has acknowledged, and when it was last heard of
/// sync_era         from which number on which database was written to
/// sync_unused      assets that no cell refers to, and since when that is known
/// sync_token       the tokens, by hashes of their texts
/// sync_asset       large values: how much of each is there; sync_asset_part has their bytes
/// sync_version     which version of these tables it is; databases of before there were versions do not have it
/// ```
enum SyncTables {
  /// Makes the tables if they are missing, and updates those of an older server; refuses those of a newer one.
  static func make(in connection: PostgreSQLConnection) throws {
    if try isCurrent(connection) { return }
    // Of servers that begin at once one makes them, and the others are to see that, whatever the user's usual level.
    try connection.run(plain: "BEGIN ISOLATION LEVEL READ COMMITTED")
    try connection.run("SELECT pg_advisory_xact_lock(\(.integer(lock)))")
    if try !isCurrent(connection) {
      if try !isThere("sync_zone", in: connection) {
        for statement in statements { try connection.run(plain: statement) }
      }
      for statement in versioning { try connection.run(plain: statement) }
    }
    try connection.run(plain: "COMMIT")
  }

  /// Refuses a database that no server has used, and brings the tables of an older one up.
  static func require(in connection: PostgreSQLConnection) throws {
    guard try isThere("sync_zone", in: connection) else {
      throw PostgreSQLError(
        state: "42P01",
        message:
          "no server has used it: it has no table sync_zone; name the server's database, or start one there first"
      )
    }
    try make(in: connection)
  }

  private static func isThere(
    _ table: String,
    in connection: PostgreSQLConnection
  ) throws(PostgreSQLError) -> Bool {
    try connection.integer(
      "SELECT count(*) FROM pg_class WHERE oid = to_regclass(\(.text(table)))"
    ) == 1
  }

  private static func isCurrent(_ connection: PostgreSQLConnection) throws -> Bool {
    guard try isThere("sync_version", in: connection) else { return false }
    let version = try connection.integer("SELECT max(number) FROM sync_version") ?? 0
    return try StorageVersion.isCurrent(version)
  }

  /// The statements that turn tables without a version into those of the first.
  private static let versioning = [
    "CREATE TABLE IF NOT EXISTS sync_version (number bigint NOT NULL)",
    "INSERT INTO sync_version (number) VALUES (\(StorageVersion.current))",
  ]

  private static let lock: Int64 = 0x636f_7265_7379_6e63

  /// A value that changes with a restart of the database, and when tables were made again, as from a dump: then the
  /// latest writes may be missing.
  static let mark: SQLFragment = """
    extract(epoch FROM pg_postmaster_start_time())::text || ' ' || pg_relation_filenode('sync_cell')::text
    """

  private static let statements = [
    """
    CREATE TABLE sync_zone (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name text NOT NULL UNIQUE,
      head bigint NOT NULL, floor bigint NOT NULL, mark text NOT NULL,
      bound bigint, size bigint, seal bytea)
    """,
    """
    CREATE TABLE sync_cell (
      zone bigint NOT NULL, object bytea NOT NULL, field bytea NOT NULL,
      number bigint NOT NULL, rank bytea NOT NULL, base bigint NOT NULL, payload bytea NOT NULL,
      is_dead boolean NOT NULL, target bytea,
      PRIMARY KEY (zone, object, field))
    """,
    "CREATE UNIQUE INDEX sync_cell_number ON sync_cell (zone, number)",
    "CREATE INDEX sync_cell_dead ON sync_cell (zone, number) WHERE is_dead",
    "CREATE INDEX sync_cell_target ON sync_cell (zone, target) WHERE target IS NOT NULL",
    """
    CREATE TABLE sync_writer (
      zone bigint NOT NULL, writer bigint NOT NULL, moment bigint NOT NULL,
      PRIMARY KEY (zone, writer))
    """,
    """
    CREATE TABLE sync_replica (
      zone bigint NOT NULL, id bytea NOT NULL, acknowledged bigint NOT NULL, heard bigint NOT NULL,
      PRIMARY KEY (zone, id))
    """,
    """
    CREATE TABLE sync_era (
      zone bigint NOT NULL, place bigint NOT NULL, number bigint NOT NULL, start bigint NOT NULL,
      PRIMARY KEY (zone, place))
    """,
    """
    CREATE TABLE sync_unused (
      zone bigint NOT NULL, hash bytea NOT NULL, since bigint NOT NULL, PRIMARY KEY (zone, hash))
    """,
    """
    CREATE TABLE sync_token (
      number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, hash bytea NOT NULL UNIQUE,
      zone text NOT NULL, role text NOT NULL, label text NOT NULL, made bigint NOT NULL,
      is_revoked boolean NOT NULL)
    """,
    """
    CREATE TABLE sync_asset (
      zone text NOT NULL, hash bytea NOT NULL, size bigint NOT NULL, held bigint NOT NULL,
      is_complete boolean NOT NULL, touched timestamptz NOT NULL, PRIMARY KEY (zone, hash))
    """,
    """
    CREATE TABLE sync_asset_part (
      zone text NOT NULL, hash bytea NOT NULL, start bigint NOT NULL, bytes bytea NOT NULL,
      PRIMARY KEY (zone, hash, start),
      FOREIGN KEY (zone, hash) REFERENCES sync_asset ON DELETE CASCADE)
    """,
    // Some bytes of a part are read without reading all of it.
    "ALTER TABLE sync_asset_part ALTER COLUMN bytes SET STORAGE EXTERNAL",
  ]
}
