import CoreData
import CoreDataPostgreSQL
package import CoreDataSyncServer
package import Foundation

extension ServerStorage {
  /// A PostgreSQL database, in which missing tables are made, unless it must have them already.
  ///
  /// Several servers may have the same one. Events of the database are passed to `report`, in sentences for the
  /// server's owner.
  package static func postgreSQL(
    at url: URL,
    makingTables makesTables: Bool = true,
    report: @escaping @Sendable (String) -> Void = { _ in }
  ) throws -> ServerStorage {
    let address = try PostgreSQLAddress(url, options: nil)
    if address.isLentByTransaction {
      let need = "a server of zones needs connections that a pooler lends for a session"
      throw PostgreSQLError(state: "0A000", message: "\(need); give the address past the pooler")
    }
    let wire = try PostgreSQLShell.connect(address)
    let connection = PostgreSQLConnection(wire, zone: "", namesStatements: false)
    if makesTables {
      try SyncTables.make(in: connection)
    } else {
      try SyncTables.require(in: connection)
    }
    let database = SyncDatabase(address, connections: 8, report: report)
    return ServerStorage(
      zones: PostgreSQLZoneStorage(database, PostgreSQLZoneNews(address, report: report)),
      tokens: PostgreSQLTokenStorage(database: database),
      // Of its own: a push asks for assets while it holds a connection.
      assets: PostgreSQLAssetStorage(
        database: SyncDatabase(address, connections: 4, report: report)
      )
    )
  }
}
