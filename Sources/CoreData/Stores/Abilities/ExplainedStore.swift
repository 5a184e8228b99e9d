/// A store that can tell how its database would answer a fetch.
protocol ExplainedStore: RowStore {
  /// Explains how a fetch would be carried out.
  func explanation(of plan: FetchPlan) throws -> QueryExplanation
}
