/// A store in which a migration may leave columns that are removed later.
protocol DeferringStore: RowStore {
  /// Removes a column, unless the model has one of that name again, and says so in the metadata.
  func remove(_ column: SuperfluousColumn, noting metadata: [String: Any]) throws
}
