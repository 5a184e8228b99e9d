/// A store that can change many rows at once, without objects.
package protocol BatchStore: RowStore {
  /// All of it, or nothing: one transaction.
  func perform(_ batch: Batch) throws -> BatchReceipt
}
