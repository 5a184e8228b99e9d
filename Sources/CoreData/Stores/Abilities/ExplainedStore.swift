/// A store that can tell how its database would answer a fetch.
package protocol ExplainedStore: RowStore {
  /// What a fetch would do.
  func explanation(of plan: FetchPlan) throws -> QueryExplanation
}
