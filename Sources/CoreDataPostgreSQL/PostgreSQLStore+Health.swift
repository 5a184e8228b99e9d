import CoreData
import CoreDataSQL
import Foundation

// MARK: - Whether the server answers

extension PostgreSQLStore: HealthTelling {
  /// Asks the server whether it has the zone, and whether it takes what is written; pages and sizes are its own affair.
  func health(checksPages: Bool, isReadOnly: Bool) -> StoreHealth {
    var health = StoreHealth()
    var takesWriting = false
    health.noteReading { _ in
      do {
        takesWriting = try pool.read(Self.askWhetherItWrites)
      } catch let error as PostgreSQLError {
        throw PostgreSQLFailure(.server(error, .reading), path: path).error()
      }
    }
    guard health.isReadable else {
      health.isWritable = isReadOnly
      return health
    }
    if isReadOnly || isLocked || takesWriting { return health }
    health.noteWriting {
      throw PostgreSQLFailure(.server(.onlyReads, .saving), path: path).error()
    }
    return health
  }

  private static func askWhetherItWrites(
    _ connection: PostgreSQLConnection
  ) throws(PostgreSQLError) -> Bool {
    let answer = try connection.integer(
      """
      SELECT CASE WHEN NOT EXISTS (SELECT 1 FROM z_zones WHERE z_zone = $1) THEN 0 \
      WHEN pg_catalog.pg_is_in_recovery() \
      OR pg_catalog.current_setting('default_transaction_read_only') = 'on' THEN 1 ELSE 2 END
      """
    )
    if answer == 0 { throw .goneZone }
    return answer == 2
  }
}

extension PostgreSQLError {
  /// The answer of such a server to a save.
  fileprivate static let onlyReads = PostgreSQLError(
    state: "25006",
    message: "the server only reads"
  )
}
