import CoreDataSQL
import CoreDataSQLite
import Foundation

/// The history in a store's file: found, made, or left alone.
extension SQLiteFile {
  /// Whether writes go into a history.
  var keepsHistory: Bool { place.flag(NSPersistentHistoryTrackingKey) }

  /// Whether a file with these tables must not be written, although it could be: its history would have
  /// gaps.
  func isLocked(_ tables: Set<String>) -> Bool {
    !keepsHistory && !place.isReadOnly && HistoryTables.isAmong(tables)
  }

  /// The history's tables, which are made if they are wanted and missing; `nil` if the file is left without them.
  func history(
    in pool: Pool,
    for layout: ModelLayout,
    among tables: Set<String>
  ) throws -> HistoryTables? {
    let mayWrite = keepsHistory && isWritable
    let known = try look(pool, among: tables)
    let wanted = layout.preservedCount
    guard mayWrite, (known?.tombstoneCount ?? -1) < wanted else { return known }
    return try pool.write { connection in
      try translating(connection) { connection throws(SQLiteError) in
        try connection.run("BEGIN IMMEDIATE")
        do throws(SQLiteError) {
          // Another program may have been quicker.
          let names = try StoreTables.names(on: connection)
          let found = try HistoryTables(on: connection, among: names)
          var made = found ?? .new(tombstoneCount: wanted)
          if found == nil { try made.make(on: connection) }
          try made.widen(to: wanted, on: connection)
          try connection.run("COMMIT")
          return made
        } catch {
          // The error that matters is the first; a rollback that fails has nothing to add.
          try? connection.run("ROLLBACK")
          throw error
        }
      }
    }
  }

  private func look(_ pool: Pool, among tables: Set<String>) throws -> HistoryTables? {
    guard HistoryTables.isAmong(tables) else { return nil }
    return try pool.read { connection in
      try translating(connection) { connection throws(SQLiteError) in
        try HistoryTables(on: connection, among: tables)
      }
    }
  }
}
