import CoreDataSQL
import CoreDataSQLite
import CoreDataSyncCore

/// A server's damaged file, read around the pages that cannot be read.
///
/// It has a connection of its own: SQLite refuses to write with one that has met a damaged page.
struct DamagedZones {
  private let connection: Connection

  /// Opens a copy of the file.
  init(at path: String) throws(SQLiteError) {
    connection = try Connection(path: path, mode: .readWrite)
    try connection.tolerateDamagedSchema()
  }

  /// Copies everything that can be read into a new file with a server's tables.
  func pour(into new: Connection, _ outcome: inout ZoneSalvage.Outcome) throws(SQLiteError) {
    try new.run("BEGIN IMMEDIATE")
    for table in Self.plainTables { try copy(table, into: new) }
    outcome.tokens = Int(try new.integer("SELECT COUNT(*) FROM token") ?? 0)
    var cells = SalvagedCells(in: new)
    let known = knownNames()
    for zone in zoneNumbers(known) {
      try readCells(of: zone) { row throws(SQLiteError) in try cells.add(row, of: zone) }
    }
    let names = try names(for: cells.zones, known, new)
    let seals = try sealedZones(in: new)
    for (zone, found) in cells.zones.sorted(by: { $0.key < $1.key }) {
      guard let name = names[zone], !found.isSealed || seals.contains(zone) else {
        // A zone without its seal would be sealed by no device; a new one of its name is.
        outcome.leftOut += found.count
        try new.run("DELETE FROM cell WHERE zone = \(.integer(zone))")
        continue
      }
      outcome.zones.append((name, found.count))
      try begin(zone, name, found.head, in: new)
    }
    for zone in seals.sorted() where cells.zones[zone] == nil {
      if let name = names[zone] { try begin(zone, name, 0, in: new) }
    }
    try cells.writeWriters()
    try new.run("COMMIT")
  }

  /// Tables in the order of their own keys, with their columns.
  private static let plainTables: [(name: String, columns: SQLFragment, keyLength: Int)] = [
    ("token", "number, hash, zone, role, label, made, isRevoked", 1),
    ("replica", "zone, id, acknowledged, heard", 2), ("writer", "zone, writer, moment", 2),
    ("bound", "zone, bytes", 1), ("seal", "zone, content", 1), ("unused", "zone, hash, since", 2),
  ]

  /// Gives a zone its row, and one era that no device knows.
  private func begin(
    _ zone: Int64,
    _ name: String,
    _ last: Int64,
    in new: Connection
  ) throws(SQLiteError) {
    let known = number("SELECT head FROM zone WHERE id = \(.integer(zone))") ?? 0
    // Devices look at the number of the last change: another one has them ask.
    let head = max(known, last, 0).addingReportingOverflow(1).partialValue
    try new.run(
      "INSERT INTO zone (id, name, head, floor) VALUES (\(.integer(zone)), \(.text(name)), \(.integer(head)), 0)"
    )
    try new.run(
      """
      INSERT INTO era (zone, place, number, start) \
      VALUES (\(.integer(zone)), 0, \(.bits(.random(in: 1...UInt64.max))), 0)
      """
    )
  }

  private func sealedZones(in new: Connection) throws(SQLiteError) -> Set<Int64> {
    let rows = try new.statement("SELECT zone FROM seal" as SQLFragment)
    defer { rows.reset() }
    var zones: Set<Int64> = []
    while try rows.step() { zones.insert(rows.integer(0)) }
    return zones
  }
}

// MARK: - Names of zones

extension DamagedZones {
  /// The names of zones by their numbers, from the table and from its index.
  private func knownNames() -> [Int64: String] {
    var names: [Int64: String] = [:]
    func take(_ row: Statement) {
      let name = row.text(1)
      guard SyncAddress.isZone(name), !names.values.contains(name) else { return }
      names[row.integer(0)] = names[row.integer(0)] ?? name
    }
    for order: SQLFragment in ["ASC", "DESC"] {
      // A name that cannot be read here is perhaps in the other one, or at the other end.
      try? rows("SELECT id, name FROM zone NOT INDEXED ORDER BY id \(order)", take)
      try? rows(
        "SELECT id, name FROM zone INDEXED BY sqlite_autoindex_zone_1 ORDER BY name \(order)",
        take
      )
    }
    return names
  }

  /// The numbers that zones may have: they are given from 1 on.
  private func zoneNumbers(_ names: [Int64: String]) -> ClosedRange<Int64> {
    1...max(Self.fewest, min(names.keys.max() ?? 0, Self.most))
  }

  private static let fewest: Int64 = 64
  private static let most: Int64 = 1_000_000

  /// The known names, and that of a single zone without one, if there are tokens for a single other zone.
  private func names(
    for found: [Int64: SalvagedCells.Zone],
    _ known: [Int64: String],
    _ new: Connection
  ) throws(SQLiteError) -> [Int64: String] {
    var others: Set<String> = []
    let tokens = try new.statement("SELECT DISTINCT zone FROM token" as SQLFragment)
    defer { tokens.reset() }
    while try tokens.step() { others.insert(tokens.text(0)) }
    others = others.filter(SyncAddress.isZone).subtracting(known.values)
    let lost = found.keys.filter { known[$0] == nil }
    guard lost.count == 1, others.count == 1, let zone = lost.first, let name = others.first else {
      return known
    }
    return known.merging([zone: name]) { first, _ in first }
  }
}

// MARK: - Reading

extension DamagedZones {
  private func number(_ query: SQLFragment) -> Int64? {
    // A value that cannot be read is lost.
    (try? connection.integer(query)) ?? nil
  }

  /// Tells of rows until one cannot be read.
  private func rows(
    _ query: SQLFragment,
    _ take: (Statement) throws(SQLiteError) -> Void
  ) throws(SQLiteError) {
    let statement = try connection.statement(query)
    defer { statement.reset() }
    while try statement.step() { try take(statement) }
  }

  /// Copies a table from the front until a page cannot be read, and then from the back.
  private func copy(
    _ table: (name: String, columns: SQLFragment, keyLength: Int),
    into new: Connection
  ) throws(SQLiteError) {
    for order: SQLFragment in ["ASC", "DESC"] {
      do throws(SQLiteError) {
        let key: SQLFragment =
          table.keyLength == 1 ? "1 \(order)" : "1 \(order), 2 \(order)"
        try rows("SELECT \(table.columns) FROM \(name: table.name) NOT INDEXED ORDER BY \(key)") {
          row throws(SQLiteError) in
          try written { () throws(SQLiteError) in
            let values = (0..<row.columnCount).map { "\(row.value($0))" as SQLFragment }
            try new.run(
              """
              INSERT OR IGNORE INTO \(name: table.name) (\(table.columns)) \
              VALUES (\(values.joined(separator: ", ")))
              """
            )
          }
        }
        return
      } catch {
        guard error.isOfUnreadable else { throw error }
      }
    }
  }

  /// A failure of the new file does not count as damage of the old one.
  private func written(_ body: () throws(SQLiteError) -> Void) throws(SQLiteError) {
    do throws(SQLiteError) {
      try body()
    } catch {
      guard error.isOfUnreadable else { throw error }
      throw SQLiteError(code: 10, message: "the new file cannot be written: \(error.message)")
    }
  }

  /// Tells of all cells of a zone that can be read, in the order of their keys.
  private func readCells(
    of zone: Int64,
    _ take: (Statement) throws(SQLiteError) -> Void
  ) throws(SQLiteError) {
    var start: UInt64? = 0
    while let low = start {
      guard let failure = try firstFailure(in: zone, from: low, take) else { return }
      start = nextReadable(in: zone, after: failure)
    }
  }

  /// The first half of an identity, by which cells are found.
  private static func half(of row: Statement) -> UInt64? {
    let object = row.blobBytes(1)
    return object.count == 16
      ? UInt64(bigEndian: object.loadUnaligned(fromByteOffset: 0, as: UInt64.self)) : nil
  }

  private func query(_ zone: Int64, from low: UInt64, limit: SQLFragment) -> SQLFragment {
    let bytes = (0..<8).map { UInt8(truncatingIfNeeded: low >> (56 - 8 * $0)) }
    return """
      SELECT \(SQLiteZoneTransaction.columns), isDead, target FROM cell NOT INDEXED \
      WHERE zone = \(.integer(zone)) AND object >= \(.blob(bytes)) ORDER BY zone, object, field \(limit)
      """
  }

  /// Tells of cells until one cannot be read, and returns the place of the last one then; `nil` at the end.
  private func firstFailure(
    in zone: Int64,
    from low: UInt64,
    _ take: (Statement) throws(SQLiteError) -> Void
  ) throws(SQLiteError) -> UInt64? {
    var place = low
    do throws(SQLiteError) {
      let statement = try connection.statement(query(zone, from: low, limit: ""))
      defer { statement.reset() }
      while try statement.step() {
        // A damaged page may have rows that belong elsewhere.
        guard let half = Self.half(of: statement), half >= place else { return place }
        try written { () throws(SQLiteError) in try take(statement) }
        place = half
      }
      return nil
    } catch {
      guard error.isOfUnreadable else { throw error }
      return place
    }
  }

  /// The first place behind one, from which a cell can be read again: looked for in steps that double, and then between
  /// the last two.
  private func nextReadable(in zone: Int64, after place: UInt64) -> UInt64? {
    var low = place
    for shift in 0..<64 {
      let (next, isBeyond) = place.addingReportingOverflow(1 << UInt64(shift))
      guard !isBeyond else { return nil }
      if !isReadable(in: zone, at: next) {
        low = next
        continue
      }
      var high = next
      while high - low > 1 {
        let middle = low + (high - low) / 2
        if isReadable(in: zone, at: middle) { high = middle } else { low = middle }
      }
      return high
    }
    return nil
  }

  private func isReadable(in zone: Int64, at place: UInt64) -> Bool {
    // Any failure means that it is not.
    let isRead: Void? = try? rows(query(zone, from: place, limit: "LIMIT 1")) { _ in }
    return isRead != nil
  }
}

extension SQLiteError {
  /// Whether something of a damaged file cannot be read, or is not in it.
  fileprivate var isOfUnreadable: Bool { isOfDamagedFile || message.hasPrefix("no such table") }
}
