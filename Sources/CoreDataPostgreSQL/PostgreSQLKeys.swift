import CoreData
import CoreDataSQL
import Synchronization

/// The keys of new rows: taken from the server in blocks, so that no save waits for another one's keys.
///
/// ```
/// z_keys   default, 2, 300      the keys up to 300 of the entity 2 belong to somebody
/// here     217 … 300            what is left of the block that this store has
/// ```
///
/// One thread takes a block, and others that need keys of the tree wait for it. Blocks that are used up within a second
/// grow. A block is taken outside of any transaction; the keys of a store that is copied are taken in the one that writes
/// it. The rest of a block is never used once the store is closed. The first block that a store takes begins behind
/// the largest key that a row has, too: a table may have been restored, or filled by somebody, without `z_keys`. No
/// transaction of this program is open then: if one had rows of the table, and somebody waited to alter that, looking
/// at the table would mean waiting for both.
final class PostgreSQLKeys: Sendable {
  /// A connection of its own, because all of the store's may be held by threads that wait for a key.
  private let pool: PostgreSQLPool
  private let left = Mutex<[Int32: Block]>([:])
  /// One thread takes blocks at a time; the pool has one connection anyway.
  private let taking = Mutex(())
  private let tables: TableMap
  /// The trees of entities whose rows were looked at.
  private let looked = Mutex<Set<Int32>>([])

  static let block = 100
  private static let largestBlock: Int64 = 12_800

  /// Keys that belong to this store.
  private struct Block {
    var keys: Range<Int64>
    let size: Int64
    let taken: ContinuousClock.Instant

    /// The size for the block after this one.
    var nextSize: Int64 {
      ContinuousClock.now - taken < .seconds(1)
        ? min(size * 2, largestBlock) : max(Int64(PostgreSQLKeys.block), size / 2)
    }
  }

  init(_ address: PostgreSQLAddress, through door: PostgreSQLDoor, of tables: TableMap) {
    self.tables = tables
    pool = PostgreSQLPool(address, through: door, limit: 1)
  }

  /// Reserves keys that follow each other, and gives the first.
  ///
  /// Looks at the rows, if nobody has, only if no transaction is open.
  func reserve(
    _ count: Int,
    root: Int32,
    inTransaction isOpen: Bool
  ) throws(PostgreSQLError) -> Int64 {
    if let first = takeLeft(count, root) { return first }
    return try taking.withLock { _ throws(PostgreSQLError) in
      // Another thread may have taken a block while this one waited.
      if let first = takeLeft(count, root) { return first }
      return try takeBlock(for: count, root, inTransaction: isOpen)
    }
  }

  private func takeBlock(
    for count: Int,
    _ root: Int32,
    inTransaction isOpen: Bool
  ) throws(PostgreSQLError) -> Int64 {
    let usual = left.withLock { $0[root]?.nextSize } ?? Int64(Self.block)
    let size = max(Int64(count), usual)
    let looks = !isOpen && !hasLooked(root)
    let last = try pool.read { connection throws(PostgreSQLError) in
      try advance(by: size, root, behind: looks ? used(root) : "0", on: connection)
    }
    if looks { looked.withLock { _ = $0.insert(root) } }
    // If the answer was lost, a block was taken for nobody; that does no harm.
    let first = last - size + 1
    let keys = first + Int64(count)..<last + 1
    left.withLock { $0[root] = Block(keys: keys, size: usual, taken: .now) }
    return first
  }

  /// Has a block ready that begins behind the rows, for a transaction that comes.
  func prepare(root: Int32) throws(PostgreSQLError) {
    if hasLooked(root) { return }
    left.withLock { $0[root] = nil }
    _ = try reserve(0, root: root, inTransaction: false)
  }

  private func hasLooked(_ root: Int32) -> Bool { looked.withLock { $0.contains(root) } }

  private func takeLeft(_ count: Int, _ root: Int32) -> Int64? {
    left.withLock { left in
      guard let range = left[root]?.keys, range.count >= count else { return nil }
      left[root]?.keys = range.dropFirst(count)
      return range.lowerBound
    }
  }

  /// Takes keys in the transaction of a connection; no block, and none that the store has left.
  func advance(
    by size: Int64,
    _ root: Int32,
    behind used: SQLFragment = "0",
    on connection: PostgreSQLConnection
  ) throws(PostgreSQLError) -> Int64 {
    let (number, size) = (SQLValue.integer(Int64(root)), SQLValue.integer(size))
    let last = try connection.integer(
      """
      INSERT INTO z_keys (z_zone, z_ent, z_last) VALUES ($1, \(number), \(used) + \(size)) \
      ON CONFLICT (z_zone, z_ent) DO UPDATE \
      SET z_last = GREATEST(z_keys.z_last + \(size), excluded.z_last) \
      WHERE z_keys.z_last < \(.integer(StoredNumber.greatest)) RETURNING z_last
      """
    )
    guard let last, last <= StoredNumber.greatest else {
      throw PostgreSQLError.beyondBounds(
        last ?? StoredNumber.greatest,
        "the last key (z_keys.z_last) of the entity \(root)"
      )
    }
    return last
  }

  /// The largest key that a row of the zone has.
  private func used(_ root: Int32) -> SQLFragment {
    guard let table = tables[number: Int(root)]?.tableName else { return "0" }
    return """
      LEAST(COALESCE((SELECT MAX(\(column: "Z_PK")) FROM \(name: table) WHERE z_zone = $1), 0), \
      \(.integer(StoredNumber.greatest)))
      """
  }

  /// The last key that belongs to somebody.
  static func last(
    _ root: Int32,
    on connection: PostgreSQLConnection
  ) throws(PostgreSQLError) -> Int64 {
    let sql: SQLFragment = """
      SELECT z_last FROM z_keys WHERE z_zone = $1 AND z_ent = \(.integer(Int64(root)))
      """
    return try connection.integer(sql) ?? 0
  }

  func close() {
    pool.close()
  }
}
