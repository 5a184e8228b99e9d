package import CoreDataSQL
import CoreDataSQLite

/// What a SQLite store would do for a fetch, without doing it.
///
/// ```
/// sql       SELECT … FROM "ZNOTE" "t0" WHERE "t0"."ZFOLDER" = ?1 ORDER BY "t0"."Z_PK"
/// bindings  7
/// plan      SEARCH t0 USING INDEX ZNOTE_ZFOLDER_INDEX (ZFOLDER=?)
/// ```
package struct QueryExplanation: Sendable {
  package let sql: String
  /// The values of the places in the statement, from ?1 on.
  package let bindings: [SQLValue]
  package let plan: [Step]
  /// What would make the statement faster, in sentences.
  package let advice: [String]

  /// One line of SQLite's query plan; deeper steps are parts of the ones before them.
  package struct Step: Hashable, Sendable {
    package let depth: Int
    package let detail: String
  }

  /// Throws a `PredicateCompilationError` for what the database cannot express.
  ///
  /// The coordinator's first store has to be a SQLite store.
  package init(_ plan: FetchPlan, in coordinator: NSPersistentStoreCoordinator) throws {
    let first = coordinator.persistentStores.first
    guard let store = first?.backend as? any QueriedStore else {
      throw StoreFailure(
        .unsupportedRequest("only SQLite stores have statements to explain"),
        path: first?.url?.path ?? "(no store)"
      ).error()
    }
    self = try store.explanation(of: plan)
  }

  init(_ query: SQLFragment, _ connection: Connection, _ tables: TableMap) throws {
    let rendered = query.rendered(for: .sqlite)
    sql = rendered.sql
    bindings = rendered.bindings.map { $0 ?? .null }
    plan = try Self.plan(of: query, connection)
    advice = PlanAdvice.sentences(on: sql, plan: plan.map(\.detail), tables: tables)
  }

  private static func plan(
    of query: SQLFragment,
    _ connection: Connection
  ) throws(SQLiteError) -> [Step] {
    let question: SQLFragment = "EXPLAIN QUERY PLAN \(query)"
    let statement = try connection.statement(question)
    defer { statement.reset() }
    var depths: [Int64: Int] = [:]
    var steps: [Step] = []
    while try statement.step() {
      let depth = depths[statement.integer(1)].map { $0 + 1 } ?? 0
      depths[statement.integer(0)] = depth
      steps.append(Step(depth: depth, detail: statement.text(3)))
    }
    return steps
  }
}
