import CoreDataSQL
import CoreDataSQLite
import CoreDataSyncCore

/// Cells of a zone do not have the checksums with which they were kept.
package struct DamagedCells: Error {
  package init() {}
}

// MARK: - Cells that something has changed

extension SQLiteZoneTransaction {
  /// Reads a cell from the columns number, object, field, rank, base, payload and checksum, and compares its checksum.
  ///
  /// Cells that an earlier server has kept have none.
  static func cell(of row: Statement) throws -> NumberedCell {
    let keyed: KeyedCell
    do {
      let object = try SyncID(row: row.blobBytes(1))
      let cell = try Cell(
        order: row.blobBytes(3),
        base: UInt64(bitPattern: row.integer(4)),
        payload: Array(row.blobBytes(5))
      )
      keyed = KeyedCell(CellKey(object, try CellKey.Field(row: row.blobBytes(2))), cell)
    } catch {
      throw DamagedCells()
    }
    guard row.isNull(6) || row.integer(6) == Int64(keyed.checksum) else { throw DamagedCells() }
    return NumberedCell(UInt64(bitPattern: row.integer(0)), keyed)
  }

  static let columns: SQLFragment = "number, object, field, rank, base, payload, checksum"

  /// Moves the cells of the zone without their checksums to the table `damaged`, and returns their number.
  func putDamagedAside() throws -> Int {
    var keys: [(object: [UInt8], field: [UInt8])] = []
    let rows = try connection.statement(
      "SELECT \(Self.columns) FROM cell WHERE zone = \(.integer(zone))" as SQLFragment
    )
    do {
      defer { rows.reset() }
      while try rows.step() {
        do {
          _ = try Self.cell(of: rows)
        } catch is DamagedCells {
          keys.append((Array(rows.blobBytes(1)), Array(rows.blobBytes(2))))
        }
      }
    }
    for key in keys {
      let place: SQLFragment = """
        zone = \(.integer(zone)) AND object = \(.blob(key.object)) AND field = \(.blob(key.field))
        """
      try connection.run(
        "INSERT INTO damaged SELECT \(Self.columns), zone FROM cell WHERE \(place)"
      )
      try connection.run("DELETE FROM cell WHERE \(place)")
      // A key that has changed is not where it is looked for.
      guard connection.changeCount == 1 else {
        throw SQLiteError(code: 11, message: "the keys of \(connection.path) are damaged")
      }
    }
    return keys.count
  }
}
