import CoreDataSQL

extension Connection {
  /// A number that changes when other connections than this one have committed.
  package func dataVersion() throws(SQLiteError) -> Int64? {
    try quietly { () throws(SQLiteError) in try integer("PRAGMA data_version") }
  }

  /// Runs statements that are nobody's: neither observers nor traces hear of them.
  func quietly<Result>(_ body: () throws(SQLiteError) -> Result) throws(SQLiteError) -> Result {
    let observer = observer
    self.observer = nil
    trace?.isPaused = true
    defer {
      self.observer = observer
      trace?.isPaused = false
    }
    return try body()
  }
}
