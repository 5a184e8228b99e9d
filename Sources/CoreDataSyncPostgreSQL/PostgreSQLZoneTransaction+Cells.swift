import CoreData
import CoreDataPostgreSQL
import CoreDataSQL
import CoreDataSyncCore
import CoreDataSyncCrypto
import CoreDataSyncServer

// MARK: - Cells

extension PostgreSQLZoneTransaction {
  func put(_ cells: [KeyedCell], after number: UInt64, isMeasured: Bool) throws -> KeptCells {
    if cells.isEmpty { return KeptCells() }
    let rows = try connection.rows(
      Self.putting,
      [zone, Int64(bitPattern: number), Int64(KeyedCell.sizeWithoutPayload)],
      CellColumns(cells).all
    )
    return KeptCells(
      count: UInt64(bitPattern: rows.integer(0, 0)),
      growth: isMeasured ? Int(rows.integer(0, 1)) : 0
    )
  }

  /// The statement that keeps cells, with their columns as arrays.
  ///
  /// No other transaction changes cells of the zone at the same time, so the cells that are found are the ones that are
  /// replaced. Each cell is looked up by its key, with `LIMIT`, because a plan that was made for an empty table would
  /// read all of it for each. The server compares bytes as `Cell.loses(to:)` compares the values that they are made of.
  private static let putting = """
    WITH given AS (
      SELECT * FROM unnest($5::bytea[], $6::bytea[], $7::bytea[], $8::bigint[], $9::bytea[], \
    $10::bigint[], $11::bytea[]) WITH ORDINALITY
        AS given (object, field, rank, base, payload, is_dead, target, place)),
    kept AS (
      SELECT given.*, row_number() OVER (ORDER BY given.place) AS step, known.before
      FROM given LEFT JOIN LATERAL (
        SELECT octet_length(cell.payload) AS before,
          (cell.rank, cell.payload) < (given.rank, given.payload) AS loses
        FROM sync_cell AS cell
        WHERE cell.zone = $2 AND cell.object = given.object AND cell.field = given.field LIMIT 1
      ) AS known ON true
      WHERE known.loses IS NULL OR known.loses),
    put AS (
      INSERT INTO sync_cell (zone, object, field, number, rank, base, payload, is_dead, target)
      SELECT $2, object, field, $3 + step, rank, base, payload, is_dead <> 0, target FROM kept
      ON CONFLICT (zone, object, field) DO UPDATE SET number = excluded.number, \
    rank = excluded.rank, base = excluded.base, payload = excluded.payload, \
    is_dead = excluded.is_dead)
    SELECT count(*), \
    coalesce(sum(octet_length(payload) - coalesce(before, -$4)), 0)::bigint FROM kept
    """

  func cells(at keys: [CellKey]) throws -> [KeyedCell] {
    if keys.isEmpty { return [] }
    var objects = PostgreSQLArray(of: PostgreSQLType.bytes)
    var fields = PostgreSQLArray(of: PostgreSQLType.bytes)
    for key in keys {
      key.object.lendBytes { objects.append($0) }
      key.field.lendBytes { fields.append($0) }
    }
    let rows = try connection.rows(Self.finding, [zone], [objects, fields])
    return try (0..<rows.rowCount).map { row in
      func bytes(_ column: Int32) -> UnsafeRawBufferPointer {
        rows.bytes(row, column) ?? UnsafeRawBufferPointer(start: nil, count: 0)
      }
      let cell = try Cell(
        order: bytes(2),
        base: UInt64(bitPattern: rows.integer(row, 3)),
        payload: Array(bytes(4))
      )
      return KeyedCell(CellKey(try SyncID(row: bytes(0)), try CellKey.Field(row: bytes(1))), cell)
    }
  }

  /// The statement that finds cells by their keys, each by itself as in the other.
  private static let finding = """
    SELECT given.object, given.field, known.rank, known.base, known.payload
    FROM unnest($3::bytea[], $4::bytea[]) AS given (object, field)
    CROSS JOIN LATERAL (
      SELECT rank, base, payload FROM sync_cell AS cell
      WHERE cell.zone = $2 AND cell.object = given.object AND cell.field = given.field LIMIT 1
    ) AS known
    """

  func cells(after number: UInt64, limit: Int, bytes: Int) throws -> [NumberedCell] {
    let overhead = SQLValue.integer(Int64(KeyedCell.sizeWithoutPayload))
    let statement = try connection.statement(
      """
      SELECT number, object, field, rank, base, payload FROM (
        SELECT *, sum(octet_length(payload) + \(overhead)) OVER (ORDER BY number) \
      - octet_length(payload) - \(overhead) AS before FROM (
          SELECT number, object, field, rank, base, payload FROM sync_cell \
      WHERE zone = \(.integer(zone)) AND number > \(.bits(number)) \
      ORDER BY number LIMIT \(.integer(Int64(limit)))) AS following) AS counted \
      WHERE before < \(.integer(Int64(bytes))) ORDER BY number
      """
    )
    defer { statement.reset() }
    var cells: [NumberedCell] = []
    while try statement.step() {
      let object = try SyncID(row: statement.blobBytes(1))
      let key = CellKey(object, try CellKey.Field(row: statement.blobBytes(2)))
      let cell = try Cell(
        order: statement.blobBytes(3),
        base: UInt64(bitPattern: statement.integer(4)),
        payload: Array(statement.blobBytes(5))
      )
      let number = UInt64(bitPattern: statement.integer(0))
      cells.append(NumberedCell(number, KeyedCell(key, cell)))
    }
    return cells
  }
}

/// Cells as columns, for a statement that takes all of them at once.
private struct CellColumns {
  private var objects = PostgreSQLArray(of: PostgreSQLType.bytes)
  private var fields = PostgreSQLArray(of: PostgreSQLType.bytes)
  private var ranks = PostgreSQLArray(of: PostgreSQLType.bytes)
  private var bases = PostgreSQLArray(of: PostgreSQLType.int64)
  private var payloads = PostgreSQLArray(of: PostgreSQLType.bytes)
  private var deaths = PostgreSQLArray(of: PostgreSQLType.int64)
  private var targets = PostgreSQLArray(of: PostgreSQLType.bytes)

  init(_ cells: [KeyedCell]) {
    for keyed in cells {
      keyed.key.object.lendBytes { objects.append($0) }
      keyed.key.field.lendBytes { fields.append($0) }
      keyed.cell.lendOrder { ranks.append($0) }
      bases.append(Int64(bitPattern: keyed.cell.base))
      payloads.append(keyed.cell.payload)
      deaths.append(keyed.isDeath ? 1 : 0 as Int64)
      if let target = keyed.key.field.target {
        target.lendBytes { targets.append($0) }
      } else {
        targets.appendNull()
      }
    }
  }

  var all: [PostgreSQLArray] { [objects, fields, ranks, bases, payloads, deaths, targets] }
}

// MARK: - Forgetting

extension PostgreSQLZoneTransaction {
  func purge(upTo number: UInt64) throws -> Int {
    // Byte 6 of an identity begins with its version; of version 8 the life stays.
    try connection.run(
      """
      DELETE FROM sync_cell USING (
        SELECT life.object FROM sync_cell AS life \
      WHERE life.zone = \(.integer(zone)) AND life.is_dead AND life.field = '\\x00' \
      AND life.number <= \(.bits(number)) \
      AND NOT EXISTS (SELECT 1 FROM sync_cell AS other \
      WHERE other.zone = life.zone AND other.object = life.object \
      AND other.number > \(.bits(number))) \
      AND NOT EXISTS (SELECT 1 FROM sync_cell AS other \
      WHERE other.zone = life.zone AND other.target = life.object \
      AND (other.number > \(.bits(number)) \
      OR substr(other.field, 1, 1) = '\\x02' AND NOT other.is_dead))) AS gone \
      WHERE sync_cell.zone = \(.integer(zone)) AND sync_cell.object = gone.object \
      AND NOT (field = '\\x00' AND get_byte(sync_cell.object, 6) >> 4 = 8)
      """
    )
    let ofObjects = connection.changeCount
    try connection.run(
      """
      DELETE FROM sync_cell WHERE zone = \(.integer(zone)) AND is_dead \
      AND substr(field, 1, 1) IN ('\\x02', '\\x04') AND number <= \(.bits(number))
      """
    )
    return ofObjects + connection.changeCount
  }
}

// MARK: - Assets

extension PostgreSQLZoneTransaction {
  func setUnusedAssets(_ assets: [ContentHash: UInt64]) throws {
    try connection.run("DELETE FROM sync_unused WHERE zone = \(.integer(zone))")
    if assets.isEmpty { return }
    var hashes = PostgreSQLArray(of: PostgreSQLType.bytes)
    for hash in assets.keys { hashes.append(hash.bytes) }
    _ = try connection.rows(
      """
      INSERT INTO sync_unused (zone, hash, since) \
      SELECT $2, given.* FROM unnest($3::bytea[], $4::bigint[]) AS given
      """,
      [zone],
      [hashes, .numbers(assets.values)]
    )
  }
}
