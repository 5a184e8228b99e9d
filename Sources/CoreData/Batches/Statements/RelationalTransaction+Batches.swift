import CoreDataSQL

extension RelationalTransaction {
  /// Changes the rows, and what is derived from them.
  package func perform(_ update: BatchUpdateStatement, _ empty: BatchLedger) throws -> BatchLedger {
    defer { forgetReportedRows() }
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
          HistoryChange(.update, row.layout, row.primaryKey, changed: update.written)
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
      rows.append(WrittenRow(layout: layout, primaryKey: statement.integer(0)))
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
