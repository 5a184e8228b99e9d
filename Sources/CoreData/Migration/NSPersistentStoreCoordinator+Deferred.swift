import CoreDataSQL
import CoreDataSQLite
import Foundation

// MARK: - What a migration has left for later

extension NSPersistentStoreCoordinator {
  /// Does everything that migrations with
  /// `NSPersistentStoreDeferredLightweightMigrationOptionKey` have left in the coordinator's stores.
  ///
  /// A transaction for each column, which goes through the rows of its table; others wait meanwhile and
  /// find everything as it was if it fails. Throws when a store may not be written.
  public func finishDeferredLightweightMigration() throws {
    while try finishTask() {}
  }

  /// Does the first thing of what is left, if anything is: removes one column.
  ///
  /// Throws when the store may not be written.
  public func finishDeferredLightweightMigrationTask() throws {
    _ = try finishTask()
  }

  /// Whether there was anything to do.
  private func finishTask() throws -> Bool {
    for store in persistentStores {
      guard let rows = store.rows as? SQLiteStore else { continue }
      let left = SuperfluousColumn.noted(in: metadata(for: store))
      guard let column = left.first else { continue }
      if store.isReadOnly { throw store.readOnlyFailure.error }
      var metadata = metadata(for: store)
      SuperfluousColumn.note(Array(left.dropFirst()), in: &metadata)
      try rows.remove(column, noting: metadata)
      store.noteWritten(metadata)
      return true
    }
    return false
  }
}

extension SQLiteStore {
  /// Removes a column, unless the model has one of that name again, and says so in the metadata.
  fileprivate func remove(_ column: SuperfluousColumn, noting metadata: [String: Any]) throws {
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
