import CoreDataSQL
import CoreDataSQLite
import Foundation

// MARK: - Reading

extension SQLiteStore: TabledHistory {
  func readingHistory<Result>(_ body: (Connection) throws -> Result) throws -> Result {
    try StoreFailure.translatingPredicates(path: path) {
      do {
        return try pool.read(body)
      } catch let error as SQLiteError {
        throw StoreFailure(.reading(error), path: path).error()
      }
    }
  }
}

// MARK: - Purging

extension SQLiteStore {
  /// Removes the older part of the history, and gives the number of changes that went.
  func purge(_ purge: HistoryPurge) throws -> Int {
    if isLocked { throw WriteFailure.readOnlyForHistory(store: path).error }
    do {
      let count = try pool.write { connection in
        try connection.run("BEGIN IMMEDIATE")
        do {
          let count = try HistoryCleaner(connection, schema.queries.dialect).perform(purge)
          try connection.run("COMMIT")
          return count
        } catch {
          // The error that matters is the first; a rollback that fails has nothing to add.
          try? connection.run("ROLLBACK")
          throw error
        }
      }
      listener?.noteOwnWrite(nil, isSave: false)
      return count
    } catch let error as SQLiteError {
      throw StoreFailure(.saving(error), path: path).error()
    }
  }
}
