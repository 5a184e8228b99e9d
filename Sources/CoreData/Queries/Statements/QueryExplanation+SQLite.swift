import CoreDataSQL
import CoreDataSQLite

extension QueryExplanation {
  init(_ query: SQLFragment, _ connection: Connection, _ tables: TableMap) throws {
    let rendered = query.rendered(for: .sqlite)
    let plan = try Self.plan(of: query, connection)
    self.init(
      sql: rendered.sql,
      bindings: rendered.bindings.map { $0 ?? .null },
      sign: "?",
      plan: plan,
      advice: PlanAdvice.sentences(on: rendered.sql, plan: plan.map(\.detail), tables: tables)
    )
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
