import CoreData
import CoreDataPostgreSQL
import CoreDataSQL
import CoreDataSyncCore
import CoreDataSyncCrypto
import CoreDataSyncServer

/// One zone of a database, whose row is locked until the transaction ends.
final class PostgreSQLZoneTransaction: ZoneTransaction {
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

extension SQLValue {
  /// Numbers below 2^63 are the server's own; random ones are kept by their bits.
  static func bits(_ number: UInt64) -> SQLValue { .integer(Int64(bitPattern: number)) }
}

// MARK: - The zone

extension PostgreSQLZoneTransaction {
  func state() throws -> ZoneState {
    var state = ZoneState()
    (state.head, state.floor) = (head, floor)
    let eras = try connection.statement(
      "SELECT number, start FROM sync_era WHERE zone = \(.integer(zone)) ORDER BY place"
    )
    defer { eras.reset() }
    while try eras.step() {
      let number = UInt64(bitPattern: eras.integer(0))
      state.eras.append(.init(number: number, start: UInt64(bitPattern: eras.integer(1))))
    }
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
    for (place, era) in state.eras.enumerated().suffix(1) {
      try connection.run(
        """
        INSERT INTO sync_era (zone, place, number, start) VALUES (\(.integer(zone)), \
        \(.integer(Int64(place))), \(.bits(era.number)), \(.bits(era.start))) \
        ON CONFLICT (zone, place) DO NOTHING
        """
      )
    }
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

  func countSize() throws -> Int {
    let size = try connection.integer(
      """
      SELECT COUNT(*) * \(.integer(Int64(KeyedCell.sizeWithoutPayload))) + \
      coalesce(SUM(octet_length(payload)), 0) FROM sync_cell WHERE zone = \(.integer(zone))
      """
    )
    return try Int(size ?? 0) + countNames(upTo: .max) * ZoneHolding.sizeOfName
  }

  func countNames(upTo limit: Int) throws -> Int {
    let count = try connection.integer(
      """
      SELECT COUNT(*) FROM (SELECT 1 FROM sync_writer WHERE zone = \(.integer(zone)) UNION ALL \
      SELECT 1 FROM sync_replica WHERE zone = \(.integer(zone)) \
      LIMIT \(.integer(Int64(limit)))) AS names
      """
    )
    return Int(count ?? 0)
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

  func latestWatermark() throws -> Stamp? {
    let statement = try connection.statement(
      """
      SELECT writer, moment FROM sync_writer WHERE zone = \(.integer(zone)) \
      ORDER BY moment DESC LIMIT 1
      """
    )
    defer { statement.reset() }
    guard try statement.step() else { return nil }
    return Stamp(
      moment: UInt64(bitPattern: statement.integer(1)),
      writer: UInt64(bitPattern: statement.integer(0))
    )
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

  func acknowledgement(of replica: SyncID) throws -> UInt64? {
    try connection.integer(
      """
      SELECT acknowledged FROM sync_replica \
      WHERE zone = \(.integer(zone)) AND id = \(.blob(replica.bytes))
      """
    ).map { UInt64(bitPattern: $0) }
  }

  func setAcknowledgement(_ number: UInt64, of replica: SyncID, at time: UInt64) throws {
    try connection.run(
      """
      INSERT INTO sync_replica (zone, id, acknowledged, heard) VALUES (\(.integer(zone)), \
      \(.blob(replica.bytes)), \(.bits(number)), \(.bits(time))) \
      ON CONFLICT (zone, id) DO UPDATE SET acknowledged = excluded.acknowledged, \
      heard = excluded.heard
      """
    )
  }

  func lastHeard() throws -> UInt64? {
    try connection.integer("SELECT MAX(heard) FROM sync_replica WHERE zone = \(.integer(zone))")
      .map { UInt64(bitPattern: $0) }
  }

  func limitHeard(to time: UInt64) throws {
    try connection.run(
      """
      UPDATE sync_replica SET heard = \(.bits(time)) \
      WHERE zone = \(.integer(zone)) AND heard > \(.bits(time))
      """
    )
  }

  func forgetReplicas(silentSince time: UInt64) throws -> Int {
    try connection.run(
      "DELETE FROM sync_replica WHERE zone = \(.integer(zone)) AND heard < \(.bits(time))"
    )
    return connection.changeCount
  }

  func smallestAcknowledgement() throws -> UInt64? {
    try connection.integer(
      "SELECT MIN(acknowledged) FROM sync_replica WHERE zone = \(.integer(zone))"
    ).map { UInt64(bitPattern: $0) }
  }
}
