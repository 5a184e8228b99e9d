import CoreDataSQL
import CoreDataSQLite

// MARK: - Queries in SQL

extension SQLiteStore: QueriedStore {
  func answer(to query: SQLQuery) throws -> SQLAnswer {
    let named = try named(query)
    return try reading(named) { statement throws(SQLiteError) in
      let columns = statement.columnNames.map { named.properties[$0]?.map(\.self) ?? $0 }
      var answer = SQLAnswer(columns: columns)
      while try statement.step() {
        answer.rows.append((0..<statement.columnCount).map(statement.value))
      }
      return answer
    }
  }

  func objects(of query: SQLQuery, as layout: EntityLayout) throws -> [Row] {
    let named = try named(query)
    let sql = named.fragment.rendered(for: .sqlite).sql
    if let (asked, columns) = named.objects, asked === layout {
      return try reading(named) { statement in
        guard statement.columnNames.starts(with: columns) else {
          throw SQLQueryFailure(
            .noObjects(entity: layout.name, columns: statement.columnNames),
            sql: sql
          ).error
        }
        return named.givesStoredRows
          ? try rows(of: statement, as: layout) : try keys(of: statement, as: layout, sql)
      }
    }
    return try reading(named) { statement in
      guard statement.columnCount == 1 else {
        throw SQLQueryFailure(
          .noObjects(entity: layout.name, columns: statement.columnNames),
          sql: sql
        ).error
      }
      return try keys(of: statement, as: layout, sql)
    }
  }

  /// The rows' keys, which are in the first column.
  private func keys(
    of statement: Statement,
    as layout: EntityLayout,
    _ sql: String
  ) throws -> [Row] {
    var rows: [Row] = []
    while try statement.step() {
      guard !statement.isNull(0) else {
        throw SQLQueryFailure(.noKey(entity: layout.name, row: rows.count), sql: sql).error
      }
      rows.append(Row(primaryKey: statement.integer(0), layout: layout, snapshot: nil))
    }
    return rows
  }

  private func rows(of statement: Statement, as layout: EntityLayout) throws -> [Row] {
    let decoder = schema.decoder(for: layout)
    var rows: [Row] = []
    var writer = SnapshotWriter()
    while try statement.step() {
      guard let row = decoder.row(statement, into: &writer) else {
        throw SQLQueryFailure(.noKey(entity: layout.name, row: rows.count)).error
      }
      rows.append(row)
    }
    return rows
  }

  func explanation(of query: SQLQuery) throws -> QueryExplanation {
    let named = try named(query)
    // A query that may not run is not explained either.
    _ = try reading(named, \.columnCount)
    return try pool.read { try QueryExplanation(named.fragment, $0, schema.tables) }
  }

  func explanation(of plan: FetchPlan) throws -> QueryExplanation {
    let select = try select(for: plan)
    return try pool.read { try QueryExplanation(select.fragment, $0, schema.tables) }
  }
}

// MARK: - Reading

extension SQLiteStore {
  private func named(_ query: SQLQuery) throws -> NamedQuery {
    do throws(SQLQueryFailure) {
      return try NamedQuery(query, in: schema, of: number)
    } catch {
      throw error.error
    }
  }

  /// Does something with a query's statement; nothing of it has run before SQLite has found all names.
  private func reading<Result>(
    _ query: NamedQuery,
    _ body: (Statement) throws -> Result
  ) throws -> Result {
    do {
      return try pool.read { connection in
        let statement = try connection.readingStatement(query.fragment)
        defer { statement.reset() }
        return try body(statement)
      }
    } catch let refusal as ReadingRefusal {
      let sql = query.fragment.rendered(for: .sqlite).sql
      throw SQLQueryFailure(.refused(refusal), sql: sql).error
    } catch let error as SQLiteError {
      throw StoreFailure(.reading(error), path: path).error()
    }
  }
}

extension Statement {
  fileprivate var columnNames: [String] { (0..<columnCount).map(columnName) }
}
