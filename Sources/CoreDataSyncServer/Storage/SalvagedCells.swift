import CoreDataSQL
import CoreDataSQLite
import CoreDataSyncCore

/// Writes the cells of a damaged file into a new one, without those that something has changed.
struct SalvagedCells {
  private let new: Connection
  private(set) var zones: [Int64: Zone] = [:]
  /// The latest moment of each writer of a zone: the table of them may be damaged.
  private var moments: [Writer: UInt64] = [:]

  struct Zone {
    var count = 0
    /// The largest number of a cell.
    var head: Int64 = 0
    var isSealed = false
  }

  private struct Writer: Hashable {
    let zone: Int64
    let number: UInt64
  }

  init(in new: Connection) { self.new = new }

  /// Takes a row with the columns of ``SQLiteZoneTransaction/columns``, `isDead` and `target`.
  mutating func add(_ row: Statement, of zone: Int64) throws(SQLiteError) {
    // The life of an object without the right number comes again with the other cells of its device.
    guard let cell = try? SQLiteZoneTransaction.cell(of: row) else { return }
    let number = row.integer(0)
    try new.run(
      """
      INSERT OR IGNORE INTO cell (zone, object, field, number, rank, base, payload, isDead, target, checksum) \
      VALUES (\(.integer(zone)), \(row.value(1)), \(row.value(2)), \(.integer(number)), \(row.value(3)), \
      \(row.value(4)), \(row.value(5)), \(row.value(7)), \(row.value(8)), \(.integer(Int64(cell.keyed.checksum))))
      """
    )
    guard new.changeCount > 0 else { return }
    var known = zones[zone] ?? Zone()
    known.count += 1
    known.head = max(known.head, number)
    if cell.keyed.key.field == .life {
      known.isSealed = cell.keyed.cell.payload.first == CellValue.Envelope.seal
    }
    zones[zone] = known
    let stamp = cell.keyed.cell.stamp
    let writer = Writer(zone: zone, number: stamp.writer)
    moments[writer] = max(moments[writer] ?? 0, stamp.moment)
  }

  /// Notes the latest stamps of writers that the table does not have.
  func writeWriters() throws(SQLiteError) {
    for (writer, moment) in moments {
      try new.run(
        """
        INSERT INTO writer (zone, writer, moment) \
        VALUES (\(.integer(writer.zone)), \(.bits(writer.number)), \(.bits(moment))) \
        ON CONFLICT (zone, writer) DO UPDATE SET moment = excluded.moment \
        WHERE moment < excluded.moment
        """
      )
    }
  }
}
