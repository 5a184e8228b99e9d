import CoreDataSQL
import CoreDataSQLite
import Foundation

// MARK: - Reading the history

extension SQLiteStore: HistoricStore {
  var hasHistory: Bool { history != nil }

  func excerpt(
    _ plan: HistoryPlan,
    of store: NSPersistentStore,
    withChanges: Bool
  ) throws -> HistoryExcerpt {
    try readingHistory(plan, of: store) { reader, connection in
      try reader.excerpt(withChanges: withChanges, on: connection)
    }
  }

  func changedObjects(
    _ plan: HistoryPlan,
    of store: NSPersistentStore
  ) throws -> [NSManagedObjectID] {
    try readingHistory(plan, of: store) { try $0.objects(on: $1) }
  }

  func changeCount(_ plan: HistoryPlan, of store: NSPersistentStore) throws -> Int {
    try readingHistory(plan, of: store) { try $0.changeCount(on: $1) }
  }

  /// The number of the last transaction; nil where there is no history.
  func lastTransactionNumber() throws -> Int64? {
    if history == nil { return nil }
    return try translatingHistory {
      try pool.read { try HistoryKeys($0, schema.queries.dialect).lastTransaction() }
    }
  }

  private func readingHistory<Result>(
    _ plan: HistoryPlan,
    of store: NSPersistentStore,
    _ body: (HistoryReader, Connection) throws -> Result
  ) throws -> Result {
    guard let history else { throw HistoryFailure.notKept(store: path).error }
    let (number, identifier) = (store.number, store.identifier ?? "")
    let reader = HistoryReader(plan, history, store: number, identifier: identifier)
    return try translatingHistory { try pool.read { try body(reader, $0) } }
  }

  private func translatingHistory<Result>(_ body: () throws -> Result) throws -> Result {
    try StoreFailure.translatingPredicates(path: path) {
      do {
        return try body()
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
    if isLocked { throw SaveFailure.readOnlyForHistory(store: path).error }
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
      remoteChanges?.noteOwnWrite()
      return count
    } catch let error as SQLiteError {
      throw StoreFailure(.saving(error), path: path).error()
    }
  }
}
