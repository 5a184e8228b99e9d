package import CoreDataSQL
package import CoreDataSyncCore
package import CoreDataSyncCrypto

/// A zone in the tables of a database, with the statements that all databases run in the same way.
package protocol SQLZoneTransaction: ZoneTransaction {
  associatedtype Rows: ZoneRows
  /// The number of the zone in the tables.
  var zone: Int64 { get }
  /// The beginning of the tables' names.
  static var prefix: String { get }
  /// The name of the function that counts the bytes of a value.
  static var byteCounter: SQLFragment { get }

  func rows(_ fragment: SQLFragment) throws -> Rows
  /// Returns the number in the first column of the first row.
  func integer(_ fragment: SQLFragment) throws -> Int64?
  /// Runs a statement, and returns how many rows it has changed.
  @discardableResult func run(_ fragment: SQLFragment) throws -> Int
}

/// A statement that reads rows.
package protocol ZoneRows: AnyObject {
  func step() throws -> Bool
  func reset()
  func integer(_ column: Int32) -> Int64
  func blobBytes(_ column: Int32) -> UnsafeRawBufferPointer
}

extension SQLValue {
  /// Numbers below 2^63 are the database's own; random ones are kept by their bits.
  package static func bits(_ number: UInt64) -> SQLValue { .integer(Int64(bitPattern: number)) }
}

extension SQLZoneTransaction {
  /// Returns the name of a table, for a statement.
  private func table(_ name: String) -> SQLFragment {
    SQLFragment(stringLiteral: Self.prefix + name)
  }

  private func number(_ fragment: SQLFragment) throws -> UInt64? {
    try integer(fragment).map { UInt64(bitPattern: $0) }
  }
}

// MARK: - Eras

extension SQLZoneTransaction {
  package func eras() throws -> [ZoneState.Era] {
    let statement = try rows(
      "SELECT number, start FROM \(table("era")) WHERE zone = \(.integer(zone)) ORDER BY place"
    )
    defer { statement.reset() }
    var eras: [ZoneState.Era] = []
    while try statement.step() {
      let number = UInt64(bitPattern: statement.integer(0))
      eras.append(.init(number: number, start: UInt64(bitPattern: statement.integer(1))))
    }
    return eras
  }

  package func forgetEras() throws {
    try run("DELETE FROM \(table("era")) WHERE zone = \(.integer(zone))")
  }

  /// Adds the last era, unless it is there.
  package func addLast(of eras: [ZoneState.Era]) throws {
    guard let era = eras.last else { return }
    try run(
      """
      INSERT INTO \(table("era")) (zone, place, number, start) VALUES (\(.integer(zone)), \
      \(.integer(Int64(eras.count - 1))), \(.bits(era.number)), \(.bits(era.start))) \
      ON CONFLICT (zone, place) DO NOTHING
      """
    )
  }
}

// MARK: - Writers and replicas

extension SQLZoneTransaction {
  package func latestWatermark() throws -> Stamp? {
    let statement = try rows(
      """
      SELECT writer, moment FROM \(table("writer")) WHERE zone = \(.integer(zone)) \
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

  package func acknowledgement(of replica: SyncID) throws -> UInt64? {
    try number(
      """
      SELECT acknowledged FROM \(table("replica")) \
      WHERE zone = \(.integer(zone)) AND id = \(.blob(replica.bytes))
      """
    )
  }

  package func setAcknowledgement(
    _ number: UInt64,
    of replica: SyncID,
    at time: UInt64
  ) throws {
    try run(
      """
      INSERT INTO \(table("replica")) (zone, id, acknowledged, heard) VALUES (\(.integer(zone)), \
      \(.blob(replica.bytes)), \(.bits(number)), \(.bits(time))) \
      ON CONFLICT (zone, id) DO UPDATE SET acknowledged = excluded.acknowledged, \
      heard = excluded.heard
      """
    )
  }

  package func lastHeard() throws -> UInt64? {
    try number("SELECT MAX(heard) FROM \(table("replica")) WHERE zone = \(.integer(zone))")
  }

  package func limitHeard(to time: UInt64) throws {
    try run(
      """
      UPDATE \(table("replica")) SET heard = \(.bits(time)) \
      WHERE zone = \(.integer(zone)) AND heard > \(.bits(time))
      """
    )
  }

  package func forgetReplicas(silentSince time: UInt64) throws -> Int {
    try run(
      "DELETE FROM \(table("replica")) WHERE zone = \(.integer(zone)) AND heard < \(.bits(time))"
    )
  }

  package func smallestAcknowledgement() throws -> UInt64? {
    try number("SELECT MIN(acknowledged) FROM \(table("replica")) WHERE zone = \(.integer(zone))")
  }
}

// MARK: - Sizes

extension SQLZoneTransaction {
  package func countSize() throws -> Int {
    let size = try integer(
      """
      SELECT COUNT(*) * \(.integer(Int64(KeyedCell.sizeWithoutPayload))) + \
      coalesce(SUM(\(Self.byteCounter)(payload)), 0) \
      FROM \(table("cell")) WHERE zone = \(.integer(zone))
      """
    )
    return try Int(size ?? 0) + countNames(upTo: .max) * ZoneHolding.sizeOfName
  }

  package func countNames(upTo limit: Int) throws -> Int {
    let count = try integer(
      """
      SELECT COUNT(*) FROM (SELECT 1 FROM \(table("writer")) WHERE zone = \(.integer(zone)) \
      UNION ALL SELECT 1 FROM \(table("replica")) WHERE zone = \(.integer(zone)) \
      LIMIT \(.integer(Int64(limit)))) AS names
      """
    )
    return Int(count ?? 0)
  }
}

// MARK: - Assets

extension SQLZoneTransaction {
  package func assets() throws -> Set<ContentHash> {
    let statement = try rows(
      """
      SELECT payload FROM \(table("cell")) WHERE zone = \(.integer(zone)) \
      AND \(Self.byteCounter)(payload) = \(.integer(Int64(AssetReference.payloadSize))) \
      AND substr(payload, 1, 1) = \(.blob([CellValue.Envelope.asset]))
      """
    )
    defer { statement.reset() }
    var hashes: Set<ContentHash> = []
    while try statement.step() {
      let asset = AssetReference(payload: Array(statement.blobBytes(0)))
      if let asset { hashes.insert(asset.hash) }
    }
    return hashes
  }

  package func renumber(
    valuesWith isWanted: (AssetReference) throws -> Bool,
    after number: UInt64
  ) throws -> UInt64 {
    var count: UInt64 = 0
    for (object, field) in try values(with: isWanted) {
      count += 1
      try run(
        """
        UPDATE \(table("cell")) SET number = \(.bits(number + count)) WHERE zone = \(.integer(zone)) \
        AND object = \(.blob(object)) AND field = \(.blob(field))
        """
      )
    }
    return count
  }

  /// The keys of the values, other than those that have lost, that refer to some assets.
  private func values(
    with isWanted: (AssetReference) throws -> Bool
  ) throws -> [(object: [UInt8], field: [UInt8])] {
    let statement = try rows(
      """
      SELECT object, field, payload FROM \(table("cell")) WHERE zone = \(.integer(zone)) \
      AND \(Self.byteCounter)(payload) = \(.integer(Int64(AssetReference.payloadSize))) \
      AND substr(payload, 1, 1) = \(.blob([CellValue.Envelope.asset])) \
      AND substr(field, 1, 1) = \(.blob([1]))
      """
    )
    defer { statement.reset() }
    var keys: [(object: [UInt8], field: [UInt8])] = []
    while try statement.step() {
      guard let asset = AssetReference(payload: Array(statement.blobBytes(2))),
        try isWanted(asset)
      else { continue }
      keys.append((Array(statement.blobBytes(0)), Array(statement.blobBytes(1))))
    }
    return keys
  }

  package func unusedAssets() throws -> [ContentHash: UInt64] {
    let statement = try rows(
      "SELECT hash, since FROM \(table("unused")) WHERE zone = \(.integer(zone))"
    )
    defer { statement.reset() }
    var assets: [ContentHash: UInt64] = [:]
    while try statement.step() {
      guard let hash = ContentHash(Array(statement.blobBytes(0))) else { continue }
      assets[hash] = UInt64(bitPattern: statement.integer(1))
    }
    return assets
  }
}
