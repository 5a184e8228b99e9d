/// A store that answers queries in SQL.
package protocol QueriedStore: ExplainedStore {
  /// Returns the values that a query gives.
  func answer(to query: SQLQuery) throws -> SQLAnswer
  /// The objects of an entity that a query gives: their rows, or their keys alone.
  func objects(of query: SQLQuery, as layout: EntityLayout) throws -> [Row]
  /// Explains how a query would be carried out.
  func explanation(of query: SQLQuery) throws -> QueryExplanation
}
