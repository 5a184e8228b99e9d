import CoreDataSQL

/// The numbers of a file that are counted on from: keys, versions, places in orders.
///
/// ```
/// Z_MAX 41          the next object gets 42
/// Z_MAX 2⁶³ − 1     no number is left: an error that names the place, instead of a program that stops
/// ```
///
/// No program comes near the bound by counting; a larger number was put there in some other way.
package enum StoredNumber {
  /// Half of what an integer holds, so that counting on and adding up always have room.
  package static let greatest = Int64.max / 2

  /// The last key that was given to an entity: the one in the file's table of keys, or a larger one of a row.
  ///
  /// Throws if `count` others cannot follow.
  static func lastKey<Connection: SQLConnection>(
    of number: Int64,
    named name: String,
    in table: String,
    leavingRoomFor count: Int64,
    on connection: Connection
  ) throws(Connection.Failure) -> Int64 {
    let statement = try connection.statement(
      """
      SELECT (SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = \(.integer(number))), \
      (SELECT MAX(Z_PK) FROM \(name: table))
      """
    )
    defer { statement.reset() }
    guard try statement.step() else { return 0 }
    let (told, used) = (statement.integer(0), statement.integer(1))
    guard told <= greatest - count else {
      throw Connection.Failure.beyondBounds(told, "the last key (Z_MAX) of \(name)")
    }
    guard used <= greatest - count else {
      throw Connection.Failure.beyondBounds(used, "the largest key (Z_PK) in \(table)")
    }
    return max(told, used, 0)
  }
}
