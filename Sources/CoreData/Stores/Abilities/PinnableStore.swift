/// A store that can be seen as it was at one moment while others write.
protocol PinnableStore: RowStore {
  /// The rows as they are now, whatever is saved later; nil where this store cannot hold a moment.
  func pinned() throws -> (any RowStore)?
}
