import CoreData
import CoreDataPostgreSQL
import CoreDataSQL
import CoreDataSyncCore
import CoreDataSyncCrypto
import CoreDataSyncServer

/// The large values of zones in a PostgreSQL database, in the parts in which they came.
///
/// So a device can go on at one server after it has stopped at another, and a dump of the database has everything.
struct PostgreSQLAssetStorage: AssetStorage {
  let database: SyncDatabase

  /// How far an asset is.
  private struct Standing {
    /// The size of the whole asset; as long as it is incomplete, the size that its first device has announced.
    var size = 0
    var held = 0
    var isComplete = false
  }
}

// MARK: - What is there

extension PostgreSQLAssetStorage {
  func size(of zone: String) throws -> Int {
    try database.transact(on: zone) { connection in
      Int(
        try connection.integer(
          "SELECT coalesce(sum(held), 0)::bigint FROM sync_asset WHERE zone = $1"
        ) ?? 0
      )
    }
  }

  func has(_ asset: AssetReference, zone: String) throws -> Bool {
    let standing = try standing(of: asset.hash, zone)
    return standing.isComplete && standing.size == asset.size
  }

  private func standing(of hash: ContentHash, _ zone: String) throws -> Standing {
    try database.transact(on: zone) { try Self.standing(of: hash, in: $0) }
  }

  private static func standing(
    of hash: ContentHash,
    in connection: PostgreSQLConnection,
    _ locking: SQLFragment = ""
  ) throws(PostgreSQLError) -> Standing {
    let statement = try connection.statement(
      """
      SELECT size, held, is_complete FROM sync_asset \
      WHERE zone = $1 AND hash = \(.blob(hash.bytes)) \(locking)
      """
    )
    defer { statement.reset() }
    guard try statement.step() else { return Standing() }
    return Standing(
      size: Int(statement.integer(0)),
      held: Int(statement.integer(1)),
      isComplete: statement.integer(2) != 0
    )
  }

  func part(
    of hash: ContentHash,
    _ range: ClosedRange<Int>?,
    zone: String
  ) throws -> (bytes: [UInt8], whole: Int) {
    try database.transact(on: zone) { connection in
      let standing = try Self.standing(of: hash, in: connection)
      guard standing.isComplete else { throw ServiceRefusal.missingAsset(hash) }
      let whole = standing.size
      let part = try AssetLimits.part(range, of: whole)
      return (try part.isEmpty ? [] : Self.bytes(part, of: hash, in: connection), whole)
    }
  }

  private static func bytes(
    _ range: Range<Int>,
    of hash: ContentHash,
    in connection: PostgreSQLConnection
  ) throws(PostgreSQLError) -> [UInt8] {
    let first = SQLValue.integer(Int64(range.lowerBound))
    let end = SQLValue.integer(Int64(range.upperBound))
    let statement = try connection.statement(
      """
      SELECT substr(bytes, (greatest(\(first) - start, 0) + 1)::int, \
      (least(\(end) - start, octet_length(bytes)) - greatest(\(first) - start, 0))::int) \
      FROM sync_asset_part WHERE zone = $1 AND hash = \(.blob(hash.bytes)) \
      AND start > \(first) - \(.integer(Int64(AssetLimits.part))) AND start < \(end) \
      AND start + octet_length(bytes) > \(first) ORDER BY start
      """
    )
    defer { statement.reset() }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(range.count)
    while try statement.step() { bytes += statement.blobBytes(0) }
    return bytes
  }
}

// MARK: - What comes

extension PostgreSQLAssetStorage {
  func take(
    _ part: [UInt8],
    of asset: AssetReference,
    from start: Int?,
    zone: String,
    checking check: (Int) throws -> Void
  ) throws -> Int {
    let standing = try standing(of: asset.hash, zone)
    if standing.isComplete {
      guard standing.size == asset.size else { throw ServiceRefusal.otherContent }
      return asset.size
    }
    let there = standing.held
    // The device that began it announced more.
    if there > 0, there >= asset.size {
      let isIt = try database.transact(on: zone) { try Self.settle(asset, in: $0) }
      guard isIt, there == asset.size else { throw ServiceRefusal.otherContent }
      return asset.size
    }
    guard let start, !part.isEmpty, start == there else { return there }
    guard part.count <= AssetLimits.part, part.count <= asset.size - there else {
      throw ServiceRefusal.wrongPart
    }
    // Outside of a transaction: it asks for the zone.
    try check(asset.size - there)
    if there == 0 { try makeRoom(for: zone) }
    let outcome = try database.transact(on: zone) { connection in
      try Self.add(part, of: asset, from: start, in: connection)
    }
    guard let outcome else { throw ServiceRefusal.otherContent }
    return outcome
  }

  private func makeRoom(for zone: String) throws {
    let begun = try database.transact(on: zone) { connection in
      try Self.forgetBegunLongAgo(in: connection)
      return try connection.integer(
        "SELECT count(*) FROM sync_asset WHERE zone = $1 AND NOT is_complete"
      )
    }
    guard begun ?? 0 < AssetLimits.unfinished else { throw ServiceRefusal.tooManyAssets }
  }

  /// Adds a part where it still begins where the last one has ended; says how far the asset is then, and nil for one
  /// that is thrown away because its content is another one.
  private static func add(
    _ part: [UInt8],
    of asset: AssetReference,
    from start: Int,
    in connection: PostgreSQLConnection
  ) throws(PostgreSQLError) -> Int? {
    let hash = SQLValue.blob(asset.hash.bytes)
    try connection.run(
      """
      INSERT INTO sync_asset (zone, hash, size, held, is_complete, touched) \
      VALUES ($1, \(hash), \(.integer(Int64(asset.size))), 0, false, now()) \
      ON CONFLICT (zone, hash) DO NOTHING
      """
    )
    let standing = try Self.standing(of: asset.hash, in: connection, "FOR UPDATE")
    // Another server was quicker.
    guard standing.held == start, !standing.isComplete else { return standing.held }
    try connection.run(
      """
      INSERT INTO sync_asset_part (zone, hash, start, bytes) \
      VALUES ($1, \(hash), \(.integer(Int64(start))), \(.blob(part)))
      """
    )
    let held = start + part.count
    try connection.run(
      """
      UPDATE sync_asset SET held = \(.integer(Int64(held))), touched = now() \
      WHERE zone = $1 AND hash = \(hash)
      """
    )
    if held < asset.size { return held }
    return try Self.settle(asset, in: connection) ? held : nil
  }

  /// Looks at an asset that is complete, and throws it away if it does not have its hash.
  private static func settle(
    _ asset: AssetReference,
    in connection: PostgreSQLConnection
  ) throws(PostgreSQLError) -> Bool {
    let hash = SQLValue.blob(asset.hash.bytes)
    guard try Self.hash(of: asset.hash, in: connection) == asset.hash else {
      try connection.run("DELETE FROM sync_asset WHERE zone = $1 AND hash = \(hash)")
      return false
    }
    try connection.run(
      """
      UPDATE sync_asset SET size = held, is_complete = true WHERE zone = $1 AND hash = \(hash)
      """
    )
    return true
  }

  /// The hash of the content that is kept under a hash: nobody is believed.
  private static func hash(
    of name: ContentHash,
    in connection: PostgreSQLConnection
  ) throws(PostgreSQLError) -> ContentHash {
    var hasher = ContentHasher()
    var next: Int64 = 0
    while true {
      let statement = try connection.statement(
        """
        SELECT start, bytes FROM sync_asset_part WHERE zone = $1 AND hash = \(.blob(name.bytes)) \
        AND start >= \(.integer(next)) ORDER BY start LIMIT 4
        """
      )
      defer { statement.reset() }
      var isEnd = true
      while try statement.step() {
        isEnd = false
        let piece = statement.blobBytes(1)
        hasher.update(piece)
        next = statement.integer(0) + Int64(piece.count)
      }
      if isEnd { return hasher.finish() }
    }
  }
}

// MARK: - What nobody needs

extension PostgreSQLAssetStorage {
  func hashes(of zone: String) throws -> [ContentHash] {
    try database.transact(on: zone) { connection in
      let statement = try connection.statement(
        "SELECT hash FROM sync_asset WHERE zone = $1 AND is_complete"
      )
      defer { statement.reset() }
      var hashes: [ContentHash] = []
      while try statement.step() {
        if let hash = ContentHash(Array(statement.blobBytes(0))) { hashes.append(hash) }
      }
      return hashes
    }
  }

  func delete(_ hash: ContentHash, zone: String) throws {
    try database.transact(on: zone) { connection in
      try connection.run(
        "DELETE FROM sync_asset WHERE zone = $1 AND hash = \(.blob(hash.bytes)) AND is_complete"
      )
    }
  }

  func forgetBegun(of zone: String) throws {
    try database.transact(on: zone) { try Self.forgetBegunLongAgo(in: $0) }
  }

  private static func forgetBegunLongAgo(
    in connection: PostgreSQLConnection
  ) throws(PostgreSQLError) {
    try connection.run(
      """
      DELETE FROM sync_asset WHERE zone = $1 AND NOT is_complete \
      AND extract(epoch FROM now() - touched) > \(.real(AssetLimits.patience))
      """
    )
  }
}
