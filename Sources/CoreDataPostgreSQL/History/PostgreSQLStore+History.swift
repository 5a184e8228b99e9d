import CoreData
import CoreDataSQL
import Foundation

// MARK: - Reading

extension PostgreSQLStore: TabledHistory {
  func readingHistory<Result>(_ body: (PostgreSQLConnection) throws -> Result) throws -> Result {
    try translatingPredicates {
      do {
        if let moment {
          let result = try moment.readHistory(body)
          try flushIfNeeded()
          return result
        }
        return try atOneMoment(body)
      } catch let error as PostgreSQLError {
        throw PostgreSQLFailure(.server(error, .reading), path: path).error()
      }
    }
  }

  private func flushIfNeeded() throws(PostgreSQLError) {
    guard mayFlush else { return }
    try pool.read { connection throws(PostgreSQLError) in
      try connection.run(plain: PostgreSQLHistory.flushIfNeeded)
    }
  }

  /// Runs something that only reads; once more, on another connection, if the first was lost.
  private func atOneMoment<Result>(
    _ body: (PostgreSQLConnection) throws -> Result
  ) throws -> Result {
    let mark = tables.mark
    do {
      return try onceAtOneMoment(body)
    } catch let error as PostgreSQLError where error.isLoss || error.isStalePlan {
      pool.forgetIdle()
      return try onceAtOneMoment(body)
    } catch let error as PostgreSQLError where tables.mayGoOn(after: error, to: mark) {
      return try onceAtOneMoment(body)
    }
  }

  private func onceAtOneMoment<Result>(
    _ body: (PostgreSQLConnection) throws -> Result
  ) throws -> Result {
    let connection = try pool.take()
    defer { pool.giveBack(connection) }
    try connection.run(plain: tables.mark.beginningAtOneMoment(readOnly: true))
    do {
      let result = try body(connection)
      try connection.commit(
        behind: [],
        followedBy: mayFlush ? PostgreSQLHistory.flushIfNeeded : nil
      )
      return result
    } catch {
      // The error that matters is the first; nothing was written.
      try? connection.run(plain: "ROLLBACK")
      throw error
    }
  }
}

extension PostgreSQLMoment {
  /// Reads what may not be there; only errors of the server concern the moment.
  fileprivate func readHistory<Result>(
    _ body: (PostgreSQLConnection) throws -> Result
  ) throws -> Result {
    try read { connection throws(PostgreSQLError) -> Swift.Result<Result, any Error> in
      do {
        return .success(try body(connection))
      } catch let error as PostgreSQLError {
        throw error
      } catch {
        return .failure(error)
      }
    }.get()
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
