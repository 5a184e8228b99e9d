/// What the database would do for a query, without doing it.
///
/// See ``NSManagedObjectContext/explain(_:in:)``.
public struct SQLQueryPlan: Hashable, Sendable, CustomStringConvertible {
  /// The statement, with places for the values: `?1`, `?2` … in SQLite; `$2`, `$3` … in PostgreSQL, where `$1` is the
  /// zone.
  public let sql: String
  /// The steps in which the database finds the rows.
  public let steps: [Step]
  /// What would make the query faster, in sentences; empty if the plan shows nothing that an index could mend.
  public let advice: [String]

  /// A step of the plan.
  public struct Step: Hashable, Sendable {
    /// How deep the step stands: it is a part of the step before it that is less deep.
    public let depth: Int
    /// What the step does, in the database's words, such as `SEARCH Note USING INDEX …`.
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
