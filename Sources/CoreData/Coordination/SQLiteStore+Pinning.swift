import CoreDataSQLite

/// How a store's file is seen at one moment while others write.
extension SQLiteStore: PinnableStore {
  /// The rows as they are now; nil for a file that cannot hold a moment.
  ///
  /// One connection, in a read transaction that ends with the last user. Throws 134100 if another program has migrated
  /// the file to a model that this one cannot use.
  func pinned(
    from source: NSPersistentContainer.ReadSource,
    for reader: String
  ) throws -> (any RowStore)? {
    guard let moment = try pins.moment(of: file, for: reader) else { return nil }
    let store = SQLiteStore(self, at: moment)
    do {
      try watch?.check(moment.pool)
    } catch let error as SQLiteError {
      throw StoreFailure(.reading(error), path: path).error()
    }
    return store
  }
}
