import CoreDataSQL
import CoreDataSQLite
import CoreDataSyncCore

// MARK: - What was sent, and not heard of again

extension Sidecar {
  /// Notes values that were sent to the server, which may have later ones in their places.
  ///
  /// The server does not say which. Until a page shows its cells in their places, nobody may have seen the values.
  /// Values that were sent with their new object do not have others in their places, unless others may make the same
  /// object.
  func noteTold(_ cells: [KeyedCell]) throws {
    let begun = cells.begunObjects
    for keyed in cells where begun[keyed.key.object] != keyed.cell.stamp {
      guard case .value = keyed.key.field else { continue }
      try connection.run(
        """
        INSERT INTO told (object, field, moment, writer) VALUES (\(.blob(keyed.key.object.bytes)), \
        \(.blob(keyed.key.field.bytes)), \(.bits(keyed.cell.stamp.moment)), \
        \(.bits(keyed.cell.stamp.writer))) ON CONFLICT (object, field) DO UPDATE SET \
        moment = excluded.moment, writer = excluded.writer
        """
      )
    }
  }

  /// Whether a value of this device's was sent, and no page has told what the server has in its place; or was not sent.
  func isUnheard(_ keyed: KeyedCell) throws -> Bool {
    let told = try connection.integer(
      """
      SELECT 1 FROM told WHERE object = \(.blob(keyed.key.object.bytes)) \
      AND field = \(.blob(keyed.key.field.bytes)) AND moment = \(.bits(keyed.cell.stamp.moment)) \
      AND writer = \(.bits(keyed.cell.stamp.writer))
      """
    )
    return try told != nil || isUntold(keyed)
  }

  /// The values that were sent, as far as they are still known.
  func unheardCells() throws -> [KeyedCell] {
    try keyedCells(
      """
      SELECT cell.object, cell.field, epoch, cell.moment, cell.writer, base, payload FROM told \
      JOIN cell ON cell.object = told.object AND cell.field = told.field \
      AND cell.moment = told.moment AND cell.writer = told.writer
      """
    )
  }

  /// Notes that all pages were merged that were there after the last value was sent, except for late cells.
  func forgetTold() throws {
    try connection.run(
      "DELETE FROM told WHERE (object, field) NOT IN (SELECT object, field FROM aside)"
    )
  }
}
