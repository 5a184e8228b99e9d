import CoreDataSQL
import CoreDataSQLite
import CoreDataSyncCore
import Foundation

/// The data with which a device keeps a store in step: a SQLite file of its own beside the store.
///
/// It has all cells, with their values, so that the store can be derived from it. The store itself and
/// its model stay as they are.
///
/// Used by one thread at a time.
package final class Sidecar {
  let connection: Connection
  let statements: SidecarStatements
  /// The token of the store's history as it was read or written last: its archive takes longer than a query.
  var knownToken: KnownToken?

  package init(path: String, isDurable: Bool = true) throws {
    connection = try Connection(path: path)
    connection.setBusyTimeout(milliseconds: 10_000)
    // A file that a later program has written stays as it is.
    let known = try SidecarTables.version(in: connection)
    guard known ?? 0 <= SidecarTables.version else { throw SyncFailure.newerSidecar(path) }
    // Pages that an exchange no longer needs are given back; only a new file can be told so.
    if known == nil { try connection.run("PRAGMA auto_vacuum = INCREMENTAL") }
    try connection.setJournalMode("WAL")
    try connection.run(isDurable ? "PRAGMA synchronous = FULL" : "PRAGMA synchronous = OFF")
    try connection.run("PRAGMA cache_size = -16384")
    // Pages that a large exchange writes again and again then go from the log to the file once.
    try connection.run("PRAGMA wal_autocheckpoint = 4000")
    try connection.keepLogShort()
    connection.refuseOtherFiles()
    if let known, known < SidecarTables.oldestReadable {
      try connection.transact { [connection] in try SidecarTables.makeAnew(in: connection) }
    } else {
      try SidecarTables.make(in: connection)
    }
    statements = try SidecarStatements(connection)
    // A program that only reads does not wait for the one that writes.
    if known == SidecarTables.version { return }
    try transact {
      if known == SidecarTables.oldestReadable { try SidecarTables.compress(in: connection) }
      try setNumber(SidecarTables.version, "version")
    }
    if known != nil { compact() }
  }

  /// Makes the file as small as it can be, and a file that gives pages back; on a full disk, it stays as it is.
  private func compact() {
    do {
      try connection.run("PRAGMA auto_vacuum = INCREMENTAL")
      try connection.run("VACUUM")
    } catch {
      // Nothing but room is lost.
    }
  }

  /// Sees a sidecar as it is without the transaction that is under way.
  init(asCommitted other: Sidecar) throws {
    connection = try Connection(path: other.connection.path, mode: .readOnly)
    connection.setBusyTimeout(milliseconds: 10_000)
    statements = try SidecarStatements(connection)
  }

  /// Looks at a sidecar as it is at this moment, and changes nothing; the program that has it may be running.
  ///
  /// Throws a sentence where an earlier or a later program has written it, or it cannot be read.
  package init(reading path: String, _ reading: Reading) throws {
    do {
      connection = try Connection(path: path, mode: reading.mode(for: path))
      connection.setBusyTimeout(milliseconds: 10_000)
      try connection.run("BEGIN")
      let version = try connection.integer("SELECT value FROM fact WHERE name = 'version'")
      guard version ?? 0 <= SidecarTables.version else { throw SyncFailure.newerSidecar(path) }
      guard let version, version >= SidecarTables.oldestReadable,
        try SidecarTables.areCurrent(in: connection)
      else {
        throw SyncFailure.olderSidecar(path)
      }
      statements = try SidecarStatements(connection)
    } catch let error as SQLiteError {
      throw SyncFailure.unreadableSidecar(path, error.message)
    }
  }

  /// How a sidecar is read by who does not write to it.
  package enum Reading {
    /// In the program whose engine has it open.
    case besideEngine
    /// In another program, which makes no file beside it if nobody has it open.
    case fromOutside

    fileprivate func mode(for path: String) -> Connection.Mode {
      switch self {
      case .besideEngine: .readOnly
      case .fromOutside:
        FileManager.default.fileExists(atPath: "\(path)-wal") ? .readOnly : .immutable
      }
    }
  }

  /// Throws a sentence if a program has begun to write to a sidecar that was read as one that nobody has open.
  func checkIsUnchanged() throws {
    if connection.isOutdated { throw SyncFailure.changedSidecar(connection.path) }
  }

  /// Makes all of the changes, or none.
  package func transact<Result>(_ work: () throws -> Result) throws -> Result {
    try connection.transact(work)
  }
}

extension Connection {
  fileprivate func transact<Result>(_ work: () throws -> Result) throws -> Result {
    try run("BEGIN IMMEDIATE")
    do {
      let result = try work()
      try commit()
      return result
    } catch {
      // The first failure is the one to report.
      if isInTransaction { try? run("ROLLBACK") }
      throw error
    }
  }
}

// MARK: - Facts

extension Sidecar {
  func number(_ name: String) throws -> Int64? {
    try connection.integer("SELECT value FROM fact WHERE name = \(.text(name))")
  }

  func setNumber(_ value: Int64?, _ name: String) throws {
    try set(value.map { .integer($0) } ?? .null, name)
  }

  func text(_ name: String) throws -> String? {
    try connection.text("SELECT value FROM fact WHERE name = \(.text(name))")
  }

  func bytes(_ name: String) throws -> [UInt8]? {
    let statement = try connection.statement(
      "SELECT value FROM fact WHERE name = \(.text(name))" as SQLFragment
    )
    defer { statement.reset() }
    guard try statement.step(), !statement.isNull(0) else { return nil }
    return Array(statement.blobBytes(0))
  }

  func set(_ value: SQLValue, _ name: String) throws {
    try connection.run(
      """
      INSERT INTO fact (name, value) VALUES (\(.text(name)), \(value)) \
      ON CONFLICT (name) DO UPDATE SET value = excluded.value
      """
    )
  }
}
