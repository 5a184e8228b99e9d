/// How a store's file is seen at one moment while others write.
extension SQLiteStore: PinnableStore {
  /// The rows as they are now; nil for a file that cannot hold a moment.
  ///
  /// One connection, in a read transaction that ends with the last user.
  func pinned(
    from source: NSPersistentContainer.ReadSource,
    for reader: String
  ) throws -> (any RowStore)? {
    try pins.moment(of: file, for: reader).map { SQLiteStore(self, at: $0) }
  }
}
