import CoreDataSQL
import CoreDataSQLite
import CoreDataSyncCore
import Foundation
import Synchronization

/// The zones of a server in one SQLite file.
///
/// ```
/// zone     a row for each zone: head, floor
/// cell     a row for each cell, with the number of its last change; no log, so nothing to compact
/// damaged  cells that did not have their checksum any more when they were read
/// writer   the latest stamp that came from each writer
/// replica  the number that each device has acknowledged, and the time when it was last heard of
/// era      the server's runs
/// bound    how many bytes a zone may keep, if somebody has set it
/// size     how many bytes its cells have, if that is known
/// seal     the bytes by which the devices of an encrypted zone recognise its key
/// unused   assets that no cell refers to, and since when that is known
/// token    the tokens, by hashes of their texts
/// ```
package final class SQLiteZoneStorage: ZoneStorage, Sendable {
  let connection: Mutex<Lent<Connection>>

  /// Opens the file, which is made if it is missing; `:memory:` keeps nothing.
  package init(path: String, isDurable: Bool = true) throws {
    let connection = try Connection(path: path)
    connection.setBusyTimeout(milliseconds: 10_000)
    try connection.setJournalMode("WAL")
    try connection.run(isDurable ? "PRAGMA synchronous = FULL" : "PRAGMA synchronous = OFF")
    try connection.run("PRAGMA cache_size = -32000")
    // Pages that a large exchange writes again and again then go from the log to the file once.
    try connection.run("PRAGMA wal_autocheckpoint = 4000")
    try connection.keepLogShort()
    connection.refuseOtherFiles()
    try SQLiteZoneTables.make(in: connection)
    self.connection = Mutex(Lent(connection))
  }

  package func transact<Result>(
    on zone: String,
    _ work: (any ZoneTransaction) throws -> Result
  ) throws -> Result {
    try connection.withLock { lent in
      let connection = lent.value
      try connection.run("BEGIN IMMEDIATE")
      do {
        let result = try work(try SQLiteZoneTransaction(zone, connection))
        try connection.commit()
        return result
      } catch {
        // The first failure is the one to report.
        if connection.isInTransaction { try? connection.run("ROLLBACK") }
        throw error
      }
    }
  }

  package func settle() throws {
    try connection.withLock { try $0.value.run("PRAGMA wal_checkpoint(TRUNCATE)") }
  }

  package func zones() throws -> [String] {
    try connection.withLock { lent in
      let statement = try lent.value.statement(
        "SELECT name FROM zone ORDER BY name" as SQLFragment
      )
      defer { statement.reset() }
      var names: [String] = []
      while try statement.step() { names.append(statement.text(0)) }
      return names
    }
  }
}
