package import CoreDataSQL

/// The plan of a store's database for a fetch, without running it.
///
/// ```
/// sql       SELECT … FROM "ZNOTE" "t0" WHERE "t0"."ZFOLDER" = ?1 ORDER BY "t0"."Z_PK"
/// bindings  7
/// plan      SEARCH t0 USING INDEX ZNOTE_ZFOLDER_INDEX (ZFOLDER=?)
/// ```
package struct QueryExplanation: Sendable {
  package let sql: String
  /// The values of the places in the statement, from the first on.
  package let bindings: [SQLValue]
  /// The sign before the number of a place in the statement: `?`, or `$` on a PostgreSQL server.
  package let sign: String
  package let plan: [Step]
  /// The changes that would make the statement faster, in sentences.
  package let advice: [String]

  /// One line of the database's plan; deeper steps are parts of the ones before them.
  package struct Step: Hashable, Sendable {
    package let depth: Int
    package let detail: String

    package init(depth: Int, detail: String) {
      self.depth = depth
      self.detail = detail
    }
  }

  /// Throws a `PredicateCompilationError` for what the database cannot express.
  ///
  /// The coordinator's first store has to be one that has a database.
  package init(_ plan: FetchPlan, in coordinator: NSPersistentStoreCoordinator) throws {
    let first = coordinator.persistentStores.first
    guard let store = first?.backend as? any ExplainedStore else {
      throw StoreFailure(
        .unsupportedRequest("only SQLite and PostgreSQL stores have statements to explain"),
        path: first?.url?.path ?? "(no store)"
      ).error()
    }
    self = try store.explanation(of: plan)
  }

  package init(
    sql: String,
    bindings: [SQLValue],
    sign: String,
    plan: [Step],
    advice: [String]
  ) {
    self.sql = sql
    self.bindings = bindings
    self.sign = sign
    self.plan = plan
    self.advice = advice
  }
}
