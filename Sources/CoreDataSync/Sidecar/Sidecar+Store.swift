import CoreDataSQL
import CoreDataSQLite
import CoreDataSyncCore
import Foundation

// MARK: - The store's transactions

extension Sidecar {
  /// Remembers a transaction of the store, to know the store by it.
  func noteDrained(_ number: Int64, _ time: Date) throws {
    try connection.run(
      """
      INSERT INTO drained (number, time) VALUES (\(.integer(number)), \
      \(.real(time.timeIntervalSinceReferenceDate))) \
      ON CONFLICT (number) DO UPDATE SET time = excluded.time
      """
    )
  }

  /// Notes that the store was read up to a transaction of which nobody may know any more when it was.
  func noteDrained(_ number: Int64) throws {
    let time = Date.distantPast.timeIntervalSinceReferenceDate
    try connection.run(
      """
      INSERT INTO drained (number, time) VALUES (\(.integer(number)), \(.real(time))) \
      ON CONFLICT (number) DO NOTHING
      """
    )
  }

  /// The transactions that were read, the latest first.
  func drained(limit: Int64 = .max) throws -> [(number: Int64, time: Date)] {
    let statement = try connection.statement(
      """
      SELECT number, time FROM drained ORDER BY number DESC LIMIT \(.integer(limit))
      """ as SQLFragment
    )
    defer { statement.reset() }
    var all: [(Int64, Date)] = []
    while try statement.step() {
      let time = Date(timeIntervalSinceReferenceDate: statement.real(1))
      all.append((statement.integer(0), time))
    }
    return all
  }

  /// The last transaction that was read.
  var lastDrained: Int64? {
    get throws { try connection.integer("SELECT MAX(number) FROM drained") }
  }

  func hasDrained(_ number: Int64) throws -> Bool {
    try connection.integer("SELECT 1 FROM drained WHERE number = \(.integer(number))") != nil
  }

  func forgetDrained(after number: Int64) throws {
    try connection.run("DELETE FROM drained WHERE number > \(.integer(number))")
  }

  func forgetDrained(before number: Int64) throws {
    try connection.run("DELETE FROM drained WHERE number < \(.integer(number))")
    try connection.run("DELETE FROM goneAddress WHERE until < \(.integer(number))")
  }

  /// Forgets the save that was begun.
  func forgetPending() throws {
    try connection.run("DELETE FROM pending")
    try forgetPortion()
    try setNumber(nil, "savingPage")
  }
}

// MARK: - What has to be compared

extension Sidecar {
  package var isAnythingDirty: Bool {
    get throws { try connection.integer("SELECT 1 FROM dirty LIMIT 1") != nil }
  }

  /// Marks the objects that the store has and of which nothing is known any more: everybody has forgotten their deletion.
  func markForgottenDirty() throws {
    try connection.run(
      """
      INSERT INTO dirty (id) SELECT id FROM object WHERE address IS NOT NULL \
      AND NOT EXISTS (SELECT 1 FROM cell WHERE cell.object = object.id) ON CONFLICT DO NOTHING
      """
    )
  }

  func forgetDirty() throws { try connection.run("DELETE FROM dirty") }
}

// MARK: - Stamps

extension Sidecar {
  /// The latest moment that is not after this one, or that others have seen.
  ///
  /// The moment of a cell that was replaced here is still known, as the base of the new one; the server may have
  /// accepted it although it is ahead of its clock. Cells that came and lost here are still with others.
  func latestMoment(upTo limit: UInt64) throws -> UInt64 {
    let latest = try connection.integer(
      "SELECT MAX(moment) FROM cell WHERE moment <= \(.bits(limit)) OR isUnsent <> 1"
    )
    let tolerated = limit + (Stamp.tolerance << 16)
    let replaced = try connection.integer(
      "SELECT MAX(base) FROM cell WHERE isUnsent AND base <= \(.bits(tolerated))"
    )
    return try max(UInt64(bitPattern: max(latest ?? 0, replaced ?? 0)), latestReceived)
  }

  /// The writers of cells that were not confirmed.
  func unconfirmedWriters(limit: Int) throws -> [UInt64] {
    let statement = try connection.statement(
      "SELECT DISTINCT writer FROM cell WHERE isUnsent ORDER BY writer" as SQLFragment
    )
    defer { statement.reset() }
    var writers: [UInt64] = []
    while writers.count < limit, try statement.step() {
      writers.append(UInt64(bitPattern: statement.integer(0)))
    }
    return writers
  }

  func remove(_ key: CellKey) throws {
    try connection.run(
      """
      DELETE FROM cell WHERE object = \(.blob(key.object.bytes)) \
      AND field = \(.blob(key.field.bytes))
      """
    )
  }
}
