import CoreData
import CoreDataSQL

// MARK: - Queries in SQL

extension PostgreSQLStore: QueriedStore {
  func answer(to query: SQLQuery) throws -> SQLAnswer {
    let named = try named(query)
    return try reading(named) { statement throws(PostgreSQLError) -> SQLAnswer in
      var rows: [[SQLValue]] = []
      while try statement.step() {
        rows.append((0..<statement.columnCount).map(statement.value))
      }
      let columns = statement.columnNames.map { named.properties[$0]?.map(\.self) ?? $0 }
      return SQLAnswer(columns: columns, rows: rows)
    }
  }

  func objects(of query: SQLQuery, as layout: EntityLayout) throws -> [Row] {
    let named = try named(query)
    let sql = named.fragment.rendered(for: .postgreSQL).sql
    let wanted = named.objects.flatMap { $0.layout === layout ? $0.columns : nil }
    let decoder = wanted != nil && named.givesStoredRows ? schema.decoder(for: layout) : nil
    let found = try reading(named) { statement throws(PostgreSQLError) -> RowsOrFailure in
      if let decoder { statement.expect(decoder.columnTypes) }
      var hasRow = try statement.step()
      let names = statement.columnNames
      guard wanted.map({ names.starts(with: $0) }) ?? (names.count == 1) else {
        return .failure(SQLQueryFailure(.noObjects(entity: layout.name, columns: names), sql: sql))
      }
      var rows: [Row] = []
      var writer = SnapshotWriter()
      while hasRow {
        guard let row = Self.row(statement, layout, decoder, &writer) else {
          return .failure(SQLQueryFailure(.noKey(entity: layout.name, row: rows.count), sql: sql))
        }
        rows.append(row)
        hasRow = try statement.step()
      }
      return .success(rows)
    }
    do throws(SQLQueryFailure) {
      return try found.get()
    } catch {
      throw error.error
    }
  }

  private typealias RowsOrFailure = Result<[Row], SQLQueryFailure>

  /// A row with its values, or its key alone; `nil` if the key is null.
  private static func row(
    _ statement: PostgreSQLStatement,
    _ layout: EntityLayout,
    _ decoder: RowDecoder?,
    _ writer: inout SnapshotWriter
  ) -> Row? {
    if statement.isNull(0) { return nil }
    if let decoder { return decoder.row(statement, into: &writer) }
    return Row(primaryKey: statement.integer(0), layout: layout, snapshot: nil)
  }

  func explanation(of query: SQLQuery) throws -> QueryExplanation {
    try explanation(of: named(query).fragment)
  }
}

// MARK: - Reading

extension PostgreSQLStore {
  private func named(_ query: SQLQuery) throws -> NamedQuery {
    let tables = schema.tables.tables.map(\.name) + schema.tables.joinTables.map(\.name)
    let shared = query.words.intersection(
      (tables + ["ATRANSACTION", "ACHANGE", "z_history", "z_keys", "z_model", "z_zones"])
        .map { $0.uppercased() }
    )
    do throws(SQLQueryFailure) {
      if let table = shared.min() { throw SQLQueryFailure(.sharedTable(table)) }
      if let way = query.hiddenWay { throw SQLQueryFailure(.hiddenTable(way)) }
      return try NamedQuery(query, in: schema, of: number)
    } catch {
      throw error.error
    }
  }

  /// Does something with a query's statement, in a transaction that cannot write.
  private func reading<Result>(
    _ query: NamedQuery,
    _ body: (PostgreSQLStatement) throws(PostgreSQLError) -> Result
  ) throws -> Result {
    do throws(PostgreSQLError) {
      return try readOnly { connection throws(PostgreSQLError) -> Result in
        let statement = try connection.statement(query.fragment)
        defer { statement.reset() }
        return try body(statement)
      }
    } catch {
      guard error.isOfStatement else {
        throw PostgreSQLFailure(.server(error, .reading), path: path).error()
      }
      let sql = query.fragment.rendered(for: .postgreSQL).sql
      throw SQLQueryFailure(
        .server(message: error.message, wouldWrite: error.wouldWrite),
        sql: sql
      ).error
    }
  }
}

extension SQLQuery {
  /// A word that could name a table by another name than its own; `nil` if the query does not contain one.
  fileprivate var hiddenWay: String? {
    if let name = words.filter(Self.runsTexts).min() { return name.lowercased() }
    for case .text(let text) in pieces where text.uppercased().contains("U&\"") { return "U&" }
    return nil
  }

  /// Whether the server has a function of that name that runs a text as a query, or reads a table that a text names.
  private static func runsTexts(_ word: String) -> Bool {
    word.contains("_TO_XML") || word.hasPrefix("DBLINK")
      || ["TS_STAT", "TS_REWRITE", "CURSOR_TO_XMLSCHEMA"].contains(word)
  }

  /// The words of the literal, in capital letters.
  fileprivate var words: Set<String> {
    var words: Set<String> = []
    for case .text(let text) in pieces {
      let parts = text.uppercased().split { !$0.isLetter && !$0.isNumber && $0 != "_" }
      words.formUnion(parts.map(String.init))
    }
    return words
  }
}
