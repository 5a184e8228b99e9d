import CoreDataModel
import CoreDataSQL
import CoreDataSQLite
import Foundation

/// How the file of a new store is filled.
extension SQLiteFile {
  /// Makes the tables of an empty store, in one transaction, and gives the tables that are there then:
  /// another program may have been quicker.
  func create(_ layout: ModelLayout, in pool: Pool) throws -> FileTables {
    let tables = TablesWriter(TableMap(layout.schema))
    let metadata = try StoreMetadata(for: layout.schema, in: place.configuration).binary
    let cache = try ModelCache.encode(layout.schema)
    return try pool.write { connection in
      try translating(connection) { connection throws(SQLiteError) in
        try connection.run("PRAGMA auto_vacuum = 2")
        try connection.run("BEGIN EXCLUSIVE")
        do throws(SQLiteError) {
          if try StoreTables.names(on: connection).isEmpty {
            try fill(connection, tables, metadata: metadata, cache: cache)
          }
          try connection.run("COMMIT")
        } catch {
          // The error that matters is the first; a rollback that fails has nothing to add.
          try? connection.run("ROLLBACK")
          throw error
        }
        return try FileTables(on: connection)
      }
    }
  }

  private func fill(
    _ connection: Connection,
    _ tables: TablesWriter,
    metadata: Data,
    cache: Data
  ) throws(SQLiteError) {
    for statement in tables.statements { try connection.run(statement) }
    for row in tables.primaryKeyRows {
      try connection.run(
        """
        INSERT INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES (\
        \(.integer(Int64(row.entity))), \(.text(row.name)), \
        \(.integer(Int64(row.superentity))), \(.integer(row.last)))
        """
      )
    }
    let uuid = UUID().uuidString
    try connection.run(
      """
      INSERT INTO Z_METADATA (Z_VERSION, Z_UUID, Z_PLIST) VALUES \
      (1, \(.text(uuid)), \(.blob([UInt8](metadata))))
      """
    )
    try connection.run("INSERT INTO Z_MODELCACHE (Z_CONTENT) VALUES (\(.blob([UInt8](cache))))")
  }
}
