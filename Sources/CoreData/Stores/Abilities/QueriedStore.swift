/// A store that answers queries in SQL.
package protocol QueriedStore: ExplainedStore {
  /// What a query gives, as values.
  func answer(to query: SQLQuery) throws -> SQLAnswer
  /// The objects of an entity that a query gives: their rows, or their keys alone.
  func objects(of query: SQLQuery, as layout: EntityLayout) throws -> [Row]
  /// What a query would do.
  func explanation(of query: SQLQuery) throws -> QueryExplanation
}
