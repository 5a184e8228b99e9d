/// A store that can be seen as it was at one moment while others write.
package protocol PinnableStore: RowStore {
  /// The rows as they are now, whatever is saved later; `nil` if this store cannot hold a moment.
  ///
  /// A store without replicas reads where it always does. `reader` describes the reader in the store's health.
  func pinned(
    from source: NSPersistentContainer.ReadSource,
    for reader: String
  ) throws -> (any RowStore)?
  /// Whether these are rows of a moment at a replica, which has ended it.
  var isLostReplica: Bool { get }
}

extension PinnableStore {
  var isLostReplica: Bool { false }
}
