import CoreDataSQL
import CoreDataSQLite

/// The tables of a server's file, and which version of them it has.
///
/// The version is the file's `user_version`; files of before there were versions have 0, and the tables of the first.
enum SQLiteZoneTables {
  /// Makes the tables in a new file, and those that are missing in an older one; refuses a newer one, and one that
  /// cannot be written.
  static func make(in connection: Connection) throws {
    if try isCurrent(connection) { return try requireWriting(in: connection) }
    // Of servers and commands that begin at once one makes them.
    try connection.run("BEGIN IMMEDIATE")
    do {
      if try !isCurrent(connection) {
        for statement in statements { try connection.run(statement) }
        if try !hasChecksums(connection) {
          try connection.run("ALTER TABLE cell ADD COLUMN checksum INTEGER" as SQLFragment)
        }
        for statement in afterColumns { try connection.run(statement) }
        try connection.run("PRAGMA user_version = \(StorageVersion.current)" as String)
      }
      try connection.run("COMMIT")
    } catch {
      // The first failure is the one to report.
      if connection.isInTransaction { try? connection.run("ROLLBACK") }
      throw error
    }
  }

  /// Begins to write, and takes it back: a file that nobody can write would be served until the first device sends
  /// something.
  private static func requireWriting(in connection: Connection) throws {
    // SQLite begins a transaction of a file that is only read as one that only reads.
    guard !connection.isReadOnly else {
      throw SQLiteError(code: 8, message: "\(connection.path) can only be read")
    }
    try connection.run("BEGIN IMMEDIATE")
    try connection.run("ROLLBACK")
  }

  private static func isCurrent(_ connection: Connection) throws -> Bool {
    let version = try connection.integer("PRAGMA user_version" as SQLFragment) ?? 0
    return try StorageVersion.isCurrent(version) && hasChecksums(connection)
  }

  /// Whether the cells of a file have checksums, which came to version 1 later.
  private static func hasChecksums(_ connection: Connection) throws -> Bool {
    try connection.integer("SELECT 1 FROM pragma_table_info('cell') WHERE name = 'checksum'") != nil
  }

  /// A server of before there were checksums may write to the file again, and leaves those that there are.
  private static let afterColumns: [SQLFragment] = [
    """
    CREATE TRIGGER IF NOT EXISTS cell_unchecked AFTER UPDATE OF payload ON cell
    WHEN NEW.checksum IS OLD.checksum AND NEW.checksum IS NOT NULL
    BEGIN UPDATE cell SET checksum = NULL
      WHERE zone = NEW.zone AND object = NEW.object AND field = NEW.field; END
    """
  ]

  private static let statements: [SQLFragment] = [
    """
    CREATE TABLE IF NOT EXISTS zone (
      id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE,
      head INTEGER NOT NULL, floor INTEGER NOT NULL)
    """,
    """
    CREATE TABLE IF NOT EXISTS cell (
      zone INTEGER NOT NULL, object BLOB NOT NULL, field BLOB NOT NULL,
      number INTEGER NOT NULL, rank BLOB NOT NULL, base INTEGER NOT NULL, payload BLOB NOT NULL,
      isDead INTEGER NOT NULL, target BLOB,
      PRIMARY KEY (zone, object, field)) WITHOUT ROWID
    """,
    "CREATE UNIQUE INDEX IF NOT EXISTS cell_number ON cell (zone, number)",
    "CREATE INDEX IF NOT EXISTS cell_dead ON cell (zone, number) WHERE isDead",
    "CREATE INDEX IF NOT EXISTS cell_target ON cell (zone, target) WHERE target IS NOT NULL",
    """
    CREATE TABLE IF NOT EXISTS damaged (
      number INTEGER, object BLOB, field BLOB, rank BLOB, base INTEGER, payload BLOB,
      checksum INTEGER, zone INTEGER)
    """,
    """
    CREATE TABLE IF NOT EXISTS writer (
      zone INTEGER NOT NULL, writer INTEGER NOT NULL, moment INTEGER NOT NULL,
      PRIMARY KEY (zone, writer)) WITHOUT ROWID
    """,
    """
    CREATE TABLE IF NOT EXISTS replica (
      zone INTEGER NOT NULL, id BLOB NOT NULL, acknowledged INTEGER NOT NULL, heard INTEGER NOT NULL,
      PRIMARY KEY (zone, id)) WITHOUT ROWID
    """,
    """
    CREATE TABLE IF NOT EXISTS era (
      zone INTEGER NOT NULL, place INTEGER NOT NULL, number INTEGER NOT NULL, start INTEGER NOT NULL,
      PRIMARY KEY (zone, place)) WITHOUT ROWID
    """,
    "CREATE TABLE IF NOT EXISTS bound (zone INTEGER PRIMARY KEY, bytes INTEGER NOT NULL)",
    "CREATE TABLE IF NOT EXISTS size (zone INTEGER PRIMARY KEY, bytes INTEGER NOT NULL)",
    "CREATE TABLE IF NOT EXISTS seal (zone INTEGER PRIMARY KEY, content BLOB NOT NULL)",
    """
    CREATE TABLE IF NOT EXISTS unused (
      zone INTEGER NOT NULL, hash BLOB NOT NULL, since INTEGER NOT NULL,
      PRIMARY KEY (zone, hash)) WITHOUT ROWID
    """,
    """
    CREATE TABLE IF NOT EXISTS token (
      number INTEGER PRIMARY KEY, hash BLOB NOT NULL UNIQUE, zone TEXT NOT NULL,
      role TEXT NOT NULL, label TEXT NOT NULL, made INTEGER NOT NULL, isRevoked INTEGER NOT NULL)
    """,
  ]
}
