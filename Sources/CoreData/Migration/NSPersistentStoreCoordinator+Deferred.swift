import CoreDataSQL
import CoreDataSQLite
import Foundation

// MARK: - What a migration has left for later

extension NSPersistentStoreCoordinator {
  /// Performs the steps that lightweight migrations have postponed in the stores of the
  /// coordinator.
  ///
  /// Runs one transaction for each column, which rewrites the rows of its table. Other writers wait until it ends.
  ///
  /// - Throws: The error of a store that cannot be written. Its contents are then unchanged.
  public func finishDeferredLightweightMigration() throws {
    while try finishTask() {}
  }

  /// Performs the first postponed step of a lightweight migration, if there is one: removes one
  /// column.
  ///
  /// - Throws: The error of a store that cannot be written. Its contents are then unchanged.
  public func finishDeferredLightweightMigrationTask() throws {
    _ = try finishTask()
  }

  /// Whether there was anything to do.
  private func finishTask() throws -> Bool {
    for store in persistentStores {
      guard let backend = store.backend as? any DeferringStore else { continue }
      let left = SuperfluousColumn.noted(in: metadata(for: store))
      guard let column = left.first else { continue }
      if store.isReadOnly { throw store.readOnlyError }
      var metadata = metadata(for: store)
      SuperfluousColumn.note(Array(left.dropFirst()), in: &metadata)
      try backend.remove(column, noting: metadata)
      store.noteWritten(metadata)
      return true
    }
    return false
  }
}

extension SQLiteStore: DeferringStore {
  func remove(_ column: SuperfluousColumn, noting metadata: [String: Any]) throws {
    let transaction = try begin()
    do {
      try transaction.translating {
        if try isThere(column, on: transaction.connection) {
          try transaction.connection.run(column.removal)
        }
      }
      try transaction.setMetadata(metadata)
      try transaction.commit()
    } catch {
      transaction.rollback()
      throw error
    }
  }

  private func isThere(_ column: SuperfluousColumn, on connection: Connection) throws -> Bool {
    guard let table = schema.tables.tables.first(where: { $0.name == column.table }),
      !table.columns.contains(where: { $0.name == column.name })
    else { return false }
    let count = try connection.integer(
      """
      SELECT COUNT(*) FROM pragma_table_info(\(.text(column.table))) \
      WHERE name = \(.text(column.name))
      """
    )
    return count == 1
  }
}
