import CoreData
import CoreDataSQL
import Foundation
import Synchronization

/// The zone of a store that is being copied, which the transaction makes that writes the rows.
///
/// ```
/// BEGIN ─▶ INSERT INTO z_zones ─▶ keys, rows, history ─▶ COMMIT
/// ```
///
/// So nobody sees it before it is whole, a program that opens it before that waits for the COMMIT, and a copy that
/// fails does not leave anything to tidy up. If another program was quicker to make the zone, it is that program's.
final class PendingZone: Sendable {
  private let isMade = Atomic(false)

  /// Makes the zone in the transaction of a connection, with the row of its history.
  func make(
    on connection: PostgreSQLConnection,
    keepingHistory: Bool
  ) throws(PostgreSQLError) {
    if isMade.load(ordering: .relaxed) { return }
    let history = PostgreSQLRequest(PostgreSQLHistory.beginning, zone: connection.zone)
    let requests = [try Self.insertion(on: connection)] + (keepingHistory ? [history] : [])
    guard try connection.run(requests)[0].rowCount == 1 else {
      throw PostgreSQLError(
        state: PostgreSQLError.zoneTakenState,
        message: "another program has made the zone meanwhile"
      )
    }
  }

  /// Notes that the transaction was committed.
  func noteMade() { isMade.store(true, ordering: .relaxed) }
}

// MARK: - Its row

extension PendingZone {
  /// Adds the zone and returns a row, or no rows if the zone exists.
  static func insertion(
    on connection: PostgreSQLConnection
  ) throws(PostgreSQLError) -> PostgreSQLRequest {
    try connection.request(
      """
      INSERT INTO z_zones (z_zone, z_uuid, z_plist) VALUES ($1, $2, $3) \
      ON CONFLICT DO NOTHING RETURNING z_uuid
      """,
      [PostgreSQLType.text, PostgreSQLType.bytes],
      [.text(UUID().uuidString), .blob(emptyList)]
    )
  }

  /// The future row of the zone, in place of the table of all.
  static var row: SQLFragment {
    """
    (SELECT CAST($1 AS TEXT) z_zone, CAST(\(.text(UUID().uuidString)) AS TEXT) z_uuid, \
    CAST(\(.blob(emptyList)) AS BYTEA) z_plist)
    """
  }

  /// A property list with an empty dictionary.
  private static let emptyList = [UInt8]("<plist version=\"1.0\"><dict/></plist>".utf8)
}
