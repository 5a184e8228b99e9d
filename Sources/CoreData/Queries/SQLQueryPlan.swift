/// The plan that a database makes for a query, without running it.
///
/// See ``NSManagedObjectContext/explain(_:in:)``.
public struct SQLQueryPlan: Hashable, Sendable, CustomStringConvertible {
  /// The statement, with places for the values: `?1`, `?2` … in SQLite; `$2`, `$3` … in PostgreSQL, where `$1` is the
  /// zone.
  public let sql: String
  /// The steps in which the database finds the rows.
  public let steps: [Step]
  /// Sentences that say what would make the query faster.
  ///
  /// The array is empty if the plan shows nothing that an index would improve.
  public let advice: [String]

  /// A step of the plan.
  public struct Step: Hashable, Sendable {
    /// The level of the step; 0 is the outermost.
    ///
    /// A step is a part of the nearest step before it that has a smaller level.
    public let depth: Int
    /// The text with which the database describes the step, such as `SEARCH Note USING INDEX …`.
    public let detail: String
  }

  init(_ explanation: QueryExplanation) {
    sql = explanation.sql
    steps = explanation.plan.map { Step(depth: $0.depth, detail: $0.detail) }
    advice = explanation.advice
  }

  /// The statement, the plan and the advice, one below the other.
  public var description: String {
    let lines = steps.map { String(repeating: "  ", count: $0.depth) + $0.detail }
    return ([sql] + lines + advice).joined(separator: "\n")
  }
}
