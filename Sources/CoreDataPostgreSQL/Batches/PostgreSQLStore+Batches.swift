import CoreData
import CoreDataSQL
import Foundation

extension PostgreSQLStore: BatchStore {
  /// Prepares what can be prepared, then does it all in one transaction.
  ///
  /// An update or a deletion sees one moment of the database, and is run again if others have written the same rows
  /// since. The rows of an insertion come only once: each statement sees the rows of its own time.
  func perform(_ batch: Batch) throws -> BatchReceipt {
    switch batch.work {
    case .insert(let rows, let policy):
      let source = BatchRowSource(rows, of: batch.layout, in: number)
      return try transact(batch, repeatedly: false) { batch, ledger in
        var insertion = PostgreSQLBatchInsertion(batch, policy.rule.newcomer, ledger: ledger)
        return try insertion.write(source)
      }
    case .update(let update):
      let statement = try translatingPredicates {
        try BatchUpdateStatement(update, schema, in: number)
      }
      return try transact(batch, repeatedly: true) { batch, ledger in
        try batch.perform(statement, ledger)
      }
    case .delete(let plan):
      let rows = try translatingPredicates { try select(for: plan, columns: RowQueries.keys) }
      return try transact(batch, repeatedly: true) { batch, ledger in
        var deletion = BatchDeletion(batch.layout, in: batch, ledger: ledger)
        return try deletion.delete(rows)
      }
    }
  }

  private func transact(
    _ batch: Batch,
    repeatedly mayRepeat: Bool,
    _ body: (PostgreSQLBatch, BatchLedger) throws -> BatchLedger
  ) throws -> BatchReceipt {
    let transaction = try begin()
    do {
      if !mayRepeat { try transaction.prepareKeys(root: batch.layout.rootNumber) }
      let ledger = try transaction.run(repeatedly: mayRepeat) { connection in
        let history = try transaction.historyOfBatch(from: batch.origin, on: connection)
        return try body(
          PostgreSQLBatch(batch.layout, in: self, on: connection),
          BatchLedger(namesRows: batch.namesRows, history: history)
        )
      }
      try transaction.commit()
      return BatchReceipt(store: number, count: ledger.count, rows: ledger.rows)
    } catch {
      transaction.rollback()
      throw error
    }
  }
}

extension PostgreSQLTransaction {
  /// The history to which a batch reports its rows, each run of which is written at once; `nil` if the store does not
  /// keep a history.
  ///
  /// Others who write to the history wait from here on.
  fileprivate func historyOfBatch(
    from origin: HistoryOrigin,
    on connection: PostgreSQLConnection
  ) throws(PostgreSQLError) -> BatchLedger.History? {
    guard var writer = historyWriter(from: origin) else { return nil }
    _ = try connection.run(
      PostgreSQLHistory.enterAlone(flushing: false)
        .map { PostgreSQLRequest($0, zone: connection.zone) }
    )
    return { [unowned self] changes in try run(writer.requests(for: changes)) }
  }
}

/// The means of a batch: the store's tables, and a connection on which a transaction is open.
final class PostgreSQLBatch: RelationalTransaction {
  let layout: EntityLayout
  let connection: PostgreSQLConnection
  let schema: StoreSchema
  private let keys: PostgreSQLKeys
  /// Nothing is kept in files.
  var oldFiles: [String] = []

  init(_ layout: EntityLayout, in store: PostgreSQLStore, on connection: PostgreSQLConnection) {
    self.layout = layout
    self.connection = connection
    schema = store.schema
    keys = store.keys
  }

  /// Reserves keys that follow each other, and gives the first.
  func reserveKeys(_ count: Int) throws(PostgreSQLError) -> Int64 {
    try keys.reserve(count, root: layout.rootNumber, inTransaction: true)
  }

  /// The server does not have triggers that would report rows.
  func forgetReportedRows() {}
}
