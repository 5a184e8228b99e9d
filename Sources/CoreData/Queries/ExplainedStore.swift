/// A store that can explain how its database would answer a fetch.
package protocol ExplainedStore: RowStore {
  /// Explains how a fetch would be carried out.
  func explanation(of plan: FetchPlan) throws -> QueryExplanation
}
