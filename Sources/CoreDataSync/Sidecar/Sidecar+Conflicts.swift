import CoreDataSQL
import CoreDataSQLite
package import CoreDataSyncCore

// MARK: - Conflicts

extension Sidecar {
  /// Keeps a value that lost against another, and was not seen by its writer.
  func keepConflict(_ keyed: KeyedCell, at time: UInt64) throws {
    try connection.run(
      """
      INSERT INTO conflict (object, field, epoch, moment, writer, payload, time) VALUES (\
      \(.blob(keyed.key.object.bytes)), \(.blob(keyed.key.field.bytes)), \
      \(.integer(Int64(keyed.cell.epoch))), \(.bits(keyed.cell.stamp.moment)), \
      \(.bits(keyed.cell.stamp.writer)), \(.blob(KeptPayload.bytes(of: keyed.cell.payload))), \
      \(.bits(time))) ON CONFLICT (object, field, moment, writer) DO NOTHING
      """
    )
  }

  /// The values that lost, the latest first, with their numbers.
  package func keptConflicts() throws -> [(number: Int64, keyed: KeyedCell)] {
    let cells = try keyedCells(
      """
      SELECT object, field, epoch, moment, writer, 0, payload FROM conflict ORDER BY moment DESC, id
      """
    )
    let statement = try connection.statement(
      "SELECT id FROM conflict ORDER BY moment DESC, id" as SQLFragment
    )
    defer { statement.reset() }
    var numbers: [Int64] = []
    while try statement.step() { numbers.append(statement.integer(0)) }
    return zip(numbers, cells).map { (number: $0, keyed: $1) }
  }

  var conflictCount: Int {
    get throws { Int(try connection.integer("SELECT COUNT(*) FROM conflict") ?? 0) }
  }

  package func forgetConflict(_ number: Int64) throws {
    try connection.run("DELETE FROM conflict WHERE id = \(.integer(number))")
  }

  /// Counts values that seem to have lost later than now as such that have lost now: the clock was wrong when they were
  /// noted.
  func boundConflicts(by now: UInt64) throws {
    try connection.run("UPDATE conflict SET time = \(.bits(now)) WHERE time > \(.bits(now))")
  }

  func forgetConflicts(before time: UInt64) throws {
    try connection.run("DELETE FROM conflict WHERE time < \(.bits(time))")
  }
}

// MARK: - What the store refuses

extension Sidecar {
  /// The values and objects that are held back, with the reasons.
  func heldReasons() throws -> [(object: SyncID, property: PropertyID?, reason: String)] {
    let statement = try connection.statement(
      "SELECT object, property, sentence FROM held ORDER BY time, object, property" as SQLFragment
    )
    defer { statement.reset() }
    var all: [(object: SyncID, property: PropertyID?, reason: String)] = []
    while try statement.step() {
      let number = UInt64(bitPattern: statement.integer(1))
      let property = number == 0 ? nil : PropertyID(number: number)
      let object = try SyncID(bytes: Array(statement.blobBytes(0)))
      all.append((object: object, property: property, reason: statement.text(2)))
    }
    return all
  }
}
