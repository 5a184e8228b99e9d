import CoreDataPredicates
import CoreDataSQL
import CoreDataSQLite
import Foundation

// MARK: - Batches

extension SQLiteStore: BatchStore {
  func perform(_ batch: Batch) throws -> BatchReceipt { try perform(batch, history: nil) }

  /// Prepares what can be prepared, then does it all in one transaction.
  ///
  /// `history` hears of the changes; the store's own, where none is given.
  func perform(_ batch: Batch, history: BatchLedger.History?) throws -> BatchReceipt {
    switch batch.work {
    case .insert(let rows, let policy):
      let source = BatchRowSource(rows, of: batch.layout, in: number)
      return try transact(batch, history) { transaction, ledger in
        let writer = try BatchInsertWriter(batch.layout, policy, in: transaction, ledger: ledger)
        return try writer.write(source)
      }
    case .update(let update):
      let statement = try Self.translatingPredicates(path: path) {
        try BatchUpdateStatement(update, schema, in: number)
      }
      return try transact(batch, history) { transaction, ledger in
        try transaction.perform(statement, ledger)
      }
    case .delete(let plan):
      let rows = try Self.translatingPredicates(path: path) {
        try select(for: plan, columns: ["Z_PK", "Z_ENT"])
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
      ReportedRows.of(transaction.connection)?.forget()
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

extension SQLiteTransaction {
  /// Changes the rows, and what is derived from them.
  func perform(_ update: BatchUpdateStatement, _ empty: BatchLedger) throws -> BatchLedger {
    defer { ReportedRows.of(connection)?.forget() }
    var ledger = empty
    let derivations = DerivationWriter(connection, schema)
    var rows: [WrittenRow] = []
    if ledger.needsRows || derivations != nil {
      rows = try self.rows(update.keys)
      try derivations?.note(rows)
    }
    if let files = update.formerFiles { try noteFiles(in: files) }
    try connection.run(update.update)
    if ledger.needsRows {
      for row in rows {
        try ledger.add(
          HistoryChange(.update, row.layout, row.number, changed: update.written)
        )
      }
      try ledger.tellHistory()
    } else {
      ledger.add(count: connection.changeCount)
    }
    try derivations?.note(rows)
    _ = try derivations?.refresh()
    return ledger
  }

  private func rows(_ query: SQLFragment) throws -> [WrittenRow] {
    let statement = try connection.statement(query)
    defer { statement.reset() }
    var rows: [WrittenRow] = []
    while try statement.step() {
      guard let layout = schema.model[stored: statement.integer(1)] else { continue }
      rows.append(WrittenRow(layout: layout, number: statement.integer(0)))
    }
    return rows
  }

  /// Has the files removed, after the commit, that the values of a query name.
  func noteFiles(in query: SQLFragment) throws {
    let statement = try connection.statement(query)
    defer { statement.reset() }
    while try statement.step() {
      for column in 0..<statement.columnCount {
        if let name = ExternalData.fileName(statement.blobBytes(column)) { oldFiles.append(name) }
      }
    }
  }
}
