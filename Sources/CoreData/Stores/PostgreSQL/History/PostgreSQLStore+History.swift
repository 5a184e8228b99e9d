import CoreDataSQL
import Foundation

// MARK: - Reading

extension PostgreSQLStore: HistoricStore {
  var hasHistory: Bool { history != nil }

  func excerpt(
    _ plan: HistoryPlan,
    of store: NSPersistentStore,
    withChanges: Bool
  ) throws -> HistoryExcerpt {
    try readingHistory(plan, of: store) { try $0.excerpt(withChanges: withChanges, on: $1) }
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

  func lastTransactionNumber() throws -> Int64? {
    if history == nil { return nil }
    return try atOneMoment { try HistoryKeys($0, schema.queries.dialect).lastTransaction() }
  }

  private func readingHistory<Result>(
    _ plan: HistoryPlan,
    of store: NSPersistentStore,
    _ body: (HistoryReader, PostgreSQLConnection) throws -> Result
  ) throws -> Result {
    guard let history else { throw HistoryFailure.notKept(store: path).error }
    let reader = HistoryReader(
      plan,
      history,
      store: store.number,
      identifier: store.identifier ?? ""
    )
    return try translatingPredicates { try atOneMoment { try body(reader, $0) } }
  }

  /// Runs something that only reads; once more, on another connection, where the first was lost.
  private func atOneMoment<Result>(
    _ body: (PostgreSQLConnection) throws -> Result
  ) throws -> Result {
    do {
      do {
        return try onceAtOneMoment(body)
      } catch let error as PostgreSQLError where error.isLoss || error.isStalePlan {
        pool.forgetIdle()
        return try onceAtOneMoment(body)
      }
    } catch let error as PostgreSQLError {
      throw StoreFailure(.server(error, .reading), path: path).error()
    }
  }

  private func onceAtOneMoment<Result>(
    _ body: (PostgreSQLConnection) throws -> Result
  ) throws -> Result {
    let connection = try pool.take()
    defer { pool.giveBack(connection) }
    try connection.run(plain: "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
    do {
      let result = try body(connection)
      try connection.run(plain: "COMMIT")
      return result
    } catch {
      // The error that matters is the first; nothing was written.
      try? connection.run(plain: "ROLLBACK")
      throw error
    }
  }
}

// MARK: - Purging

extension PostgreSQLStore {
  func purge(_ purge: HistoryPurge) throws -> Int {
    let transaction = try begin()
    do {
      let count = try transaction.run(repeatedly: true) { connection in
        try HistoryCleaner(connection, schema.queries.dialect).perform(purge)
      }
      try transaction.commit()
      return count
    } catch {
      transaction.rollback()
      throw error
    }
  }
}
