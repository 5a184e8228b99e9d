import CoreData
import CoreDataPostgreSQL
import CoreDataSQL
import CoreDataSyncCore
import CoreDataSyncCrypto
import CoreDataSyncServer

/// One zone of a database, whose row is locked until the transaction ends.
final class PostgreSQLZoneTransaction: SQLZoneTransaction {
  static let prefix = "sync_"
  static let byteCounter: SQLFragment = "octet_length"

  let connection: PostgreSQLConnection
  let zone: Int64
  private var head: UInt64
  private var floor: UInt64
  /// Whether the database has not been put back since something was written to the zone.
  private let isAsItWas: Bool

  init(_ connection: PostgreSQLConnection) throws(PostgreSQLError) {
    self.connection = connection
    let row: Row
    if let known = try Self.lockedRow(connection) {
      row = known
    } else {
      try connection.run(
        """
        INSERT INTO sync_zone (name, head, floor, mark) VALUES ($1, 0, 0, '') \
        ON CONFLICT (name) DO NOTHING
        """
      )
      guard let made = try Self.lockedRow(connection) else {
        throw PostgreSQLError(state: "", message: "a zone was deleted as it was made")
      }
      row = made
    }
    (zone, head, floor, isAsItWas) = row
  }

  private typealias Row = (id: Int64, head: UInt64, floor: UInt64, isAsItWas: Bool)

  private static func lockedRow(
    _ connection: PostgreSQLConnection
  ) throws(PostgreSQLError) -> Row? {
    let statement = try connection.statement(
      "SELECT id, head, floor, mark = \(SyncTables.mark) FROM sync_zone WHERE name = $1 FOR UPDATE"
    )
    defer { statement.reset() }
    guard try statement.step() else { return nil }
    return (
      statement.integer(0), UInt64(bitPattern: statement.integer(1)),
      UInt64(bitPattern: statement.integer(2)), statement.integer(3) != 0
    )
  }
}

// MARK: - Statements

extension PostgreSQLZoneTransaction {
  func rows(_ fragment: SQLFragment) throws -> PostgreSQLStatement {
    try connection.statement(fragment)
  }

  func integer(_ fragment: SQLFragment) throws -> Int64? { try connection.integer(fragment) }

  func run(_ fragment: SQLFragment) throws -> Int {
    try connection.run(fragment)
    return connection.changeCount
  }
}

extension PostgreSQLStatement: ZoneRows {}

// MARK: - The zone

extension PostgreSQLZoneTransaction {
  func state() throws -> ZoneState {
    var state = ZoneState()
    (state.head, state.floor) = (head, floor)
    state.eras = try eras()
    return state
  }

  func setState(_ state: ZoneState) throws {
    // Forgetting writes nothing that belongs to an era.
    let mark: SQLFragment = state.head == head ? "mark" : SyncTables.mark
    try connection.run(
      """
      UPDATE sync_zone SET head = \(.bits(state.head)), floor = \(.bits(state.floor)), \
      mark = \(mark) WHERE id = \(.integer(zone))
      """
    )
    try addLast(of: state.eras)
    if state.head != head { try notify(of: state.head) }
    (head, floor) = (state.head, state.floor)
  }

  private func notify(of number: UInt64) throws(PostgreSQLError) {
    try connection.run(PostgreSQLZoneNews.notification(of: number))
  }

  /// Servers write in turns, so an era goes on whichever of them writes.
  func era(ofRun run: UInt64, in state: ZoneState) -> UInt64 {
    if isAsItWas, let last = state.eras.last { return last.number }
    let isTaken = state.eras.contains { $0.number == run }
    return isTaken ? UInt64.random(in: 1...UInt64.max) : run
  }
}

// MARK: - Encryption and sizes

extension PostgreSQLZoneTransaction {
  func seal() throws -> [UInt8]? {
    let statement = try connection.statement(
      "SELECT seal FROM sync_zone WHERE id = \(.integer(zone))"
    )
    defer { statement.reset() }
    guard try statement.step(), !statement.isNull(0) else { return nil }
    return Array(statement.blobBytes(0))
  }

  func setSeal(_ seal: [UInt8]) throws {
    try connection.run(
      "UPDATE sync_zone SET seal = \(.blob(seal)) WHERE id = \(.integer(zone))"
    )
  }

  func limit() throws -> Int? { try number("bound") }
  func setLimit(_ bytes: Int?) throws { try set("bound", bytes) }
  func size() throws -> Int? { try number("size") }
  func setSize(_ bytes: Int?) throws { try set("size", bytes) }

  private func number(_ column: SQLFragment) throws(PostgreSQLError) -> Int? {
    try connection.integer("SELECT \(column) FROM sync_zone WHERE id = \(.integer(zone))")
      .map { Int($0) }
  }

  private func set(_ column: SQLFragment, _ bytes: Int?) throws(PostgreSQLError) {
    let value: SQLFragment =
      bytes.map { "\(.integer(Int64($0)))" as SQLFragment } ?? "NULL"
    try connection.run("UPDATE sync_zone SET \(column) = \(value) WHERE id = \(.integer(zone))")
  }
}

// MARK: - Writers and replicas

extension PostgreSQLZoneTransaction {
  func watermarks(of writers: [UInt64]) throws -> [UInt64: Stamp] {
    if writers.isEmpty { return [:] }
    let rows = try connection.rows(
      "SELECT writer, moment FROM sync_writer WHERE zone = $2 AND writer = ANY ($3)",
      [zone],
      [.numbers(writers)]
    )
    var stamps: [UInt64: Stamp] = [:]
    for row in 0..<rows.rowCount {
      let writer = UInt64(bitPattern: rows.integer(row, 0))
      stamps[writer] = Stamp(moment: UInt64(bitPattern: rows.integer(row, 1)), writer: writer)
    }
    return stamps
  }

  func raiseWatermarks(_ stamps: [Stamp]) throws {
    if stamps.isEmpty { return }
    _ = try connection.rows(
      """
      INSERT INTO sync_writer (zone, writer, moment) \
      SELECT $2, given.* FROM unnest($3::bigint[], $4::bigint[]) AS given \
      ON CONFLICT (zone, writer) DO UPDATE SET moment = excluded.moment \
      WHERE sync_writer.moment < excluded.moment
      """,
      [zone],
      [.numbers(stamps.map(\.writer)), .numbers(stamps.map(\.moment))]
    )
  }
}
