import CoreDataPredicates
import CoreDataSQL
import CoreDataSQLite
import Foundation

// MARK: - Batches

extension SQLiteStore: BatchStore {
  func perform(_ batch: Batch) throws -> BatchReceipt { try perform(batch, history: nil) }

  /// Prepares what can be prepared, then does it all in one transaction.
  ///
  /// `history` hears of the changes; if it is `nil`, the store's own does.
  func perform(_ batch: Batch, history: BatchLedger.History?) throws -> BatchReceipt {
    switch batch.work {
    case .insert(let rows, let policy):
      let source = BatchRowSource(rows, of: batch.layout, in: number)
      return try transact(batch, history) { transaction, ledger in
        let writer = try BatchInsertWriter(batch.layout, policy, in: transaction, ledger: ledger)
        return try writer.write(source)
      }
    case .update(let update):
      let statement = try StoreFailure.translatingPredicates(path: path) {
        try BatchUpdateStatement(update, schema, in: number)
      }
      return try transact(batch, history) { transaction, ledger in
        try transaction.perform(statement, ledger)
      }
    case .delete(let plan):
      let rows = try StoreFailure.translatingPredicates(path: path) {
        try select(for: plan, columns: RowQueries.keys)
      }
      return try transact(batch, history) { transaction, ledger in
        var deletion = BatchDeletion(batch.layout, in: transaction, ledger: ledger)
        return try deletion.delete(rows)
      }
    }
  }

  private func transact(
    _ batch: Batch,
    _ history: BatchLedger.History?,
    _ body: (SQLiteTransaction, BatchLedger) throws -> BatchLedger
  ) throws -> BatchReceipt {
    let transaction = try begin()
    do {
      transaction.forgetReportedRows()
      let empty = BatchLedger(
        namesRows: batch.namesRows,
        history: history ?? transaction.historyOfBatch(from: batch.origin)
      )
      let ledger = try transaction.translating { try body(transaction, empty) }
      try transaction.commit()
      return BatchReceipt(store: number, count: ledger.count, rows: ledger.rows)
    } catch {
      transaction.rollback()
      throw error
    }
  }
}
