import CoreDataSQL
import CoreDataSQLite

/// The tables of a server's file.
enum SQLiteZoneTables {
  static func make(in connection: Connection) throws {
    for statement in statements { try connection.run(statement) }
  }

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
  ]
}
