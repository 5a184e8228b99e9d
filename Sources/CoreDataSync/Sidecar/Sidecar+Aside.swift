import CoreDataSQL
import CoreDataSQLite
package import CoreDataSyncCore

// MARK: - Cells whose payload the server lacks

/// They are not merged: nothing vouches for a cell whose payload nobody has seen, and the cell that it would replace is
/// still there. Their payload refers to the one that is missing.
extension Sidecar {
  /// Keeps a cell as it came, by the key that it has here.
  ///
  /// - Returns: The known cell in its place, which the server has; `nil` for none, and if the server was put back: then
  ///   nobody knows what it has.
  package func putAside(_ keyed: KeyedCell, as key: CellKey) throws -> Cell? {
    let cell = keyed.cell
    try connection.run(
      """
      INSERT OR REPLACE INTO aside (object, field, givenObject, givenField, epoch, moment, writer, base, payload, turn) \
      VALUES (\(.blob(key.object.bytes)), \(.blob(key.field.bytes)), \(.blob(keyed.key.object.bytes)), \
      \(.blob(keyed.key.field.bytes)), \(.integer(Int64(cell.epoch))), \(.bits(cell.stamp.moment)), \
      \(.bits(cell.stamp.writer)), \(.bits(cell.base)), \(.blob(KeptPayload.bytes(of: cell.payload))), 0)
      """
    )
    // Cells that wait to be sent, or that a restored server lacks, would count as sent if they seemed to come from
    // there.
    if try mode == .rewound { return nil }
    return try isUnsent(key) ? nil : cells(of: key.object)?[key.field]
  }

  /// Some of those cells, as they came; the next time come others, as long as there are any.
  package func takeTurn(ofCellsAside limit: Int) throws -> [KeyedCell] {
    guard let last = try connection.integer("SELECT MAX(turn) FROM aside") else { return [] }
    let chosen: SQLFragment =
      "SELECT object, field FROM aside ORDER BY turn, object, field LIMIT \(.integer(Int64(limit)))"
    let cells = try keyedCells(
      """
      SELECT givenObject, givenField, epoch, moment, writer, base, payload FROM aside \
      WHERE (object, field) IN (\(chosen))
      """
    )
    try connection.run(
      "UPDATE aside SET turn = \(.integer(last &+ 1)) WHERE (object, field) IN (\(chosen))"
    )
    return cells
  }

  /// Notes that the server may have been put back to a time before it had the cells that are aside now.
  func doubtWhatIsAside() throws {
    if try asideCount > 0 { try setNumber(1, Self.doubt) }
  }

  /// Marks for sending what was put aside and is known now, where the server may have been put back to before it had that.
  func sendWhatCameLate() throws {
    guard try mode == .rewound || number(Self.doubt) == 1 else { return }
    try connection.run(
      """
      UPDATE cell SET isUnsent = 2 WHERE NOT isUnsent AND EXISTS (SELECT 1 FROM aside \
      WHERE aside.object = cell.object AND aside.field = cell.field \
      AND aside.moment = cell.moment AND aside.writer = cell.writer)
      """
    )
  }

  private static let doubt = "isAsideInDoubt"

  /// The cell that was put aside by a key; nil for none.
  func cellAside(at key: CellKey) throws -> Cell? {
    try keyedCells(
      """
      SELECT object, field, epoch, moment, writer, base, payload FROM aside \
      WHERE object = \(.blob(key.object.bytes)) AND field = \(.blob(key.field.bytes))
      """
    ).first?.cell
  }

  /// Forgets the lost values that the inbox reports: they are conflicts now.
  func forgetLostAsideInInbox() throws {
    try connection.run(
      """
      DELETE FROM aside WHERE \(Self.isLost) AND EXISTS (SELECT 1 FROM inbox \
      WHERE inbox.object = aside.object AND inbox.field = aside.field)
      """
    )
  }

  /// Forgets the values that have lost, were written before a time in milliseconds, and were asked for in vain.
  func forgetLostAside(before time: UInt64) throws {
    try connection.run(
      "DELETE FROM aside WHERE \(Self.isLost) AND turn > 0 AND moment < \(.bits(time << 16))"
    )
  }

  /// Whether a cell is a value that has lost: the number of a field's kind is its first byte.
  private static let isLost: SQLFragment = "substr(aside.field, 1, 1) = x'04'"

  /// Forgets those that came since, that something later has replaced, or whose object is gone.
  func forgetNeedlessAside() throws {
    try connection.run(
      """
      DELETE FROM aside WHERE NOT EXISTS (SELECT 1 FROM cell WHERE cell.object = aside.object) \
      OR EXISTS (SELECT 1 FROM cell WHERE cell.object = aside.object AND cell.field = x'00' \
      AND cell.epoch > aside.epoch) \
      OR EXISTS (SELECT 1 FROM cell WHERE cell.object = aside.object AND cell.field = aside.field \
      AND (cell.epoch, cell.moment, cell.writer) >= (aside.epoch, aside.moment, aside.writer))
      """
    )
    if try asideCount == 0 { try setNumber(nil, Self.doubt) }
  }

  var asideCount: Int {
    get throws { Int(try connection.integer("SELECT COUNT(*) FROM aside") ?? 0) }
  }

  /// The number of objects and values that wait for something: for the store to accept them, or for the server.
  var quarantineCount: Int {
    get throws { try Int(connection.integer("SELECT COUNT(*) FROM held") ?? 0) + asideCount }
  }

  func asideReasons() throws -> [(CellKey, String)] {
    let statement = try connection.statement(
      "SELECT object, field FROM aside ORDER BY object, field" as SQLFragment
    )
    defer { statement.reset() }
    var all: [(CellKey, String)] = []
    while try statement.step() {
      let key = try statement.key(0)
      if case .lost = key.field {
        all.append((key, Self.absenceOfLost))
      } else {
        all.append((key, Self.absence))
      }
    }
    return all
  }

  private static let absenceOfLost = """
    The server has lost this large value, which another device has written, and in whose place somebody has written another \
    one without having seen it. This device asks for it again every ten minutes, for thirty days; once it is there, it is \
    among the conflicts. If the server was restored, restore its folder assets too, or look for the value on the device that \
    has written it.
    """

  private static let absence = """
    The server has lost this large value, which another device has written. This device asks for it again every ten \
    minutes, and until then keeps the value that it has. If the server was restored, restore its folder assets too, or write \
    the value again on a device that shows it.
    """
}
