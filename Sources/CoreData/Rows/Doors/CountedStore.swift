/// A store that knows which keys were ever given.
package protocol CountedStore: RowStore {
  /// The last key that was given to an object of a tree of entities; 0 for none.
  func lastKey(of root: EntityLayout) throws -> Int64
}
