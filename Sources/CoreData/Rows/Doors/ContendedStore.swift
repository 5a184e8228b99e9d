/// A store in which writers of several programs meet at the same rows, and can wait for each other there.
package protocol ContendedStore: RowStore {
  /// Waits until nobody else holds one of the rows, and holds them.
  ///
  /// This keeps out only others who call this method. The rows are those of the store; `nil` if waiting for them took too
  /// long, or if the server cannot do it.
  func hold(_ rows: [RowName]) -> (any HeldRows)?
}

/// Rows that one writer holds.
package protocol HeldRows: AnyObject {
  func letGo()
}

/// A row of one store: the tree of its entity and its key.
package struct RowName: Hashable, Sendable {
  package let root: Int32
  package let number: Int64
}
