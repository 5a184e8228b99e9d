import CoreData
import CoreDataSQL

extension PostgreSQLStore {
  func explanation(of plan: FetchPlan) throws -> QueryExplanation {
    let decoder = schema.decoder(for: plan.layout)
    var select = try select(for: plan, columns: [])
    select.columns = schema.columns(for: plan, readBy: decoder)
    return try explanation(of: select.fragment)
  }

  func explanation(of query: SQLFragment) throws -> QueryExplanation {
    do {
      return try pool.read { connection throws(PostgreSQLError) in
        try QueryExplanation(query, connection, schema.tables)
      }
    } catch {
      throw PostgreSQLFailure(.server(error, .reading), path: path).error()
    }
  }
}

extension QueryExplanation {
  /// The server's plan, and advice from the plan that it would make if it had to use every index that can be of use: of
  /// a small table the server reads all rows, whatever indexes there are.
  init(
    _ query: SQLFragment,
    _ connection: PostgreSQLConnection,
    _ tables: TableMap
  ) throws(PostgreSQLError) {
    let rendered = query.rendered(for: .postgreSQL)
    let plan = try Self.plan(of: query, connection)
    try connection.run(
      plain: "BEGIN READ ONLY; SET LOCAL enable_seqscan = off; SET LOCAL enable_sort = off"
    )
    let forced: [Step]
    do throws(PostgreSQLError) {
      forced = try Self.plan(of: query, connection)
      try connection.run(plain: "COMMIT")
    } catch {
      // The error that matters is the first; nothing was written.
      try? connection.run(plain: "ROLLBACK")
      throw error
    }
    self.init(
      sql: rendered.sql,
      bindings: [.text(connection.zone)] + rendered.bindings.map { $0 ?? .null },
      sign: "$",
      plan: plan,
      advice: PlanAdvice.sentences(
        on: query.rendered(for: .sqlite).sql,
        plan: ServerPlan(forced).scansAndSorts(query, tables),
        tables: tables
      )
    )
  }

  private static func plan(
    of query: SQLFragment,
    _ connection: PostgreSQLConnection
  ) throws(PostgreSQLError) -> [Step] {
    let question: SQLFragment = "EXPLAIN (COSTS FALSE) \(query)"
    let statement = try connection.statement(question)
    defer { statement.reset() }
    var steps: [Step] = []
    while try statement.step() { steps.append(Step(planLine: statement.text(0))) }
    return steps
  }
}

extension QueryExplanation.Step {
  /// A line as the server indents it: by two, and by six for each step between.
  fileprivate init(planLine line: String) {
    let spaces = line.prefix { $0 == " " }.count
    var detail = line.dropFirst(spaces)
    if detail.hasPrefix("->") { detail = detail.dropFirst(2).drop { $0 == " " } }
    self.init(depth: spaces == 0 ? 0 : (spaces - 2) / 6 + 1, detail: String(detail))
  }
}

/// A server's plan, in the words that ``PlanAdvice`` reads.
private struct ServerPlan {
  private let steps: [QueryExplanation.Step]

  init(_ steps: [QueryExplanation.Step]) {
    self.steps = steps
  }

  /// `SCAN t0` where all rows of a zone are looked at for those that are wanted, and `USE TEMP B-TREE FOR ORDER BY`.
  func scansAndSorts(_ query: SQLFragment, _ tables: TableMap) -> [String] {
    let aliases = query.aliases
    return steps.indices.flatMap { place -> [String] in
      let step = steps[place]
      let parts = steps[(place + 1)...].prefix { $0.depth > step.depth }
        .filter { $0.depth == step.depth + 1 }.map(\.detail)
      if step.detail.hasSuffix("Sort"), parts.contains(where: Self.sortsByProperty) {
        return ["USE TEMP B-TREE FOR ORDER BY"]
      }
      guard let table = step.scannedTable,
        let filter = parts.first(where: { $0.hasPrefix("Filter:") }),
        !parts.contains(where: Self.findsByProperty),
        !Self.hasIndex(for: filter, of: table, tables), let alias = aliases[table]
      else { return [] }
      return ["SCAN \(alias)"]
    }
  }

  /// Columns of entities are in quotation marks; the zone is not.
  private static func findsByProperty(_ part: String) -> Bool {
    (part.hasPrefix("Index Cond:") || part.hasPrefix("Recheck Cond:")) && part.contains("\"Z")
  }

  /// Whether an index on one of the columns is there: then the server has its reasons, such as a small table.
  private static func hasIndex(for filter: String, of table: String, _ tables: TableMap) -> Bool {
    let indexes = tables.tables.first { $0.name == table }?.indexes ?? []
    return indexes.contains { index in
      guard let column = index.elements.first?.column, column != "Z_ENT" else { return false }
      return index.condition == nil && filter.contains("\"\(column)\"")
    }
  }

  private static func sortsByProperty(_ part: String) -> Bool {
    guard part.hasPrefix("Sort Key:") else { return false }
    return part.split(separator: ",").contains { !$0.contains("\"Z_PK\"") }
  }
}

extension QueryExplanation.Step {
  /// The table of `Seq Scan on "ZNOTE" "ZNOTE_1"`; nil for other steps.
  fileprivate var scannedTable: String? {
    guard let place = detail.firstRange(of: "Scan"), !detail.hasPrefix("Bitmap Index Scan"),
      let on = detail[place.upperBound...].firstRange(of: " on ")
    else { return nil }
    let name = detail[on.upperBound...].split(separator: " ").first.map(String.init) ?? ""
    return name.replacing("\"", with: "")
  }
}

extension SQLFragment {
  /// The first alias of each table that is read.
  fileprivate var aliases: [String: String] {
    var aliases: [String: String] = [:]
    for case .table(let name, let alias) in pieces where aliases[name] == nil {
      aliases[name] = alias ?? name
    }
    return aliases
  }
}
