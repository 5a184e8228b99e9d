import CoreDataSQL

extension Connection {
  /// A number that changes when other connections than this one have committed.
  ///
  /// Neither observers nor traces hear of it: it is nobody's statement.
  package func dataVersion() throws(SQLiteError) -> Int64? {
    let observer = observer
    self.observer = nil
    trace?.isPaused = true
    defer {
      self.observer = observer
      trace?.isPaused = false
    }
    return try integer("PRAGMA data_version")
  }
}
