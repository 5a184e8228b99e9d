import CoreData
import CoreDataSQL

/// Computes the derived attributes that a save concerns, in the trips that the save takes anyway.
///
/// ```
/// looks    before the rows are written: whom do they concern?       in one trip; none for rows that are new
/// steps    behind them, in their trip: lock the rows concerned before or now, and set values that differ,
///          RETURNING the rows
/// ```
///
/// ``DerivationWriter`` does the same in a trip for each statement, if rows are written one batch after the other.
struct PostgreSQLDerivations {
  private let connection: PostgreSQLConnection
  private let schema: StoreSchema
  private let written: [WrittenRow]
  /// The rows that are known to be concerned, for each computed column.
  private var concerned: [Set<Int64>]
  /// The questions for other rows, each with the place of its column.
  private let asking: [(column: Int, statement: PostgreSQLStatement)]
  private var setting: [(column: Int, statement: PostgreSQLStatement)] = []

  init(
    _ plan: SavePlan,
    _ schema: StoreSchema,
    on connection: PostgreSQLConnection
  ) throws(PostgreSQLError) {
    self.connection = connection
    self.schema = schema
    let written = schema.computedColumns.isEmpty ? [] : plan.writtenRows
    let known = schema.computedColumns.isEmpty ? [] : plan.knownRows
    var asking: [(column: Int, statement: PostgreSQLStatement)] = []
    for (index, column) in schema.computedColumns.enumerated() {
      for asked in Self.concerned(by: known, column.sources.dropFirst()) {
        asking.append((index, try connection.statement(asked)))
      }
    }
    self.asking = asking
    self.written = written
    concerned = schema.computedColumns.map { column in
      column.sources.first.map { Set(Self.numbers(of: written, as: $0.layout)) } ?? []
    }
  }

  /// Whether the model has nothing that would have to be computed.
  var isEmpty: Bool { concerned.isEmpty }
}

// MARK: - Before the rows are written

extension PostgreSQLDerivations {
  /// The questions to ask before the rows change; none for rows that are new, or do not lead to others.
  func looks() throws(PostgreSQLError) -> [PostgreSQLRequest] {
    var requests: [PostgreSQLRequest] = []
    for look in asking { requests.append(try look.statement.request()) }
    return requests
  }

  /// Notes what the answers to ``looks()`` say.
  mutating func note(_ answers: [any PostgreSQLRows]) throws(PostgreSQLError) {
    for (look, answer) in zip(asking, answers) {
      try look.statement.take(answer)
      defer { look.statement.reset() }
      while try look.statement.step() {
        if look.statement.isNull(0) { continue }
        concerned[look.column].insert(look.statement.integer(0))
      }
    }
  }
}

// MARK: - Behind them

extension PostgreSQLDerivations {
  /// The statements that lock the rows concerned, and set values that differ.
  mutating func steps() throws(PostgreSQLError) -> [PostgreSQLRequest] {
    var requests: [PostgreSQLRequest] = []
    for (index, column) in schema.computedColumns.enumerated() {
      guard let keys = keys(of: index, column) else { continue }
      // If two save at once, the second includes the changes of the first.
      requests.append(try connection.statement(Self.lock(keys, in: column.table)).request())
      let statement = try connection.statement(update(column, of: keys))
      requests.append(try statement.request())
      setting.append((index, statement))
    }
    return requests
  }

  /// The changed values in the answers to ``steps()``, and the rows as they are now; if a row is listed twice, the
  /// last entry counts.
  func found(
    in answers: ArraySlice<any PostgreSQLRows>
  ) throws(PostgreSQLError) -> (reported: [ReportedRow], rows: [Row]) {
    var (reported, rows): ([ReportedRow], [Row]) = ([], [])
    var writer = SnapshotWriter()
    for (place, set) in setting.enumerated() {
      let column = schema.computedColumns[set.column]
      guard let layout = column.sources.first?.layout else { continue }
      let decoder = schema.decoder(for: layout)
      set.statement.expect(decoder.columnTypes)
      try set.statement.take(answers[answers.startIndex + 2 * place + 1])
      defer { set.statement.reset() }
      while try set.statement.step() {
        guard let row = decoder.row(set.statement, into: &writer) else { continue }
        rows.append(row)
        reported.append(
          ReportedRow(
            entity: Int64(row.layout.number),
            primaryKey: row.primaryKey,
            property: column.property
          )
        )
      }
    }
    return (reported, rows)
  }
}

// MARK: - Statements

extension PostgreSQLDerivations {
  /// The keys of the rows of an entity and below it.
  private static func numbers(of written: [WrittenRow], as layout: EntityLayout) -> [Int64] {
    written.filter { $0.layout.isKind(of: layout) }.map(\.primaryKey)
  }

  /// Finds the rows that depend on the written ones, as they are now.
  private static func concerned(
    by written: [WrittenRow],
    _ sources: some Sequence<ComputedColumn.Source>
  ) -> [SQLFragment] {
    sources.compactMap { source in
      let numbers = numbers(of: written, as: source.layout)
      if numbers.isEmpty { return nil }
      return source.concerned.binding(.value(PostgreSQLDialect().bound(numbers)))
    }
  }

  /// The array of all that are concerned, as the server has it when it comes to it; nil for none.
  private func keys(of index: Int, _ column: ComputedColumn) -> SQLFragment? {
    let dialect = PostgreSQLDialect()
    let known = SQLFragment.value(dialect.bound(concerned[index].sorted()))
    let others = Self.concerned(by: written, column.sources.dropFirst())
    if others.isEmpty { return concerned[index].isEmpty ? nil : known }
    let all = [dialect.boundKeys.binding(known)] + others
    return "ARRAY(\(all.joined(separator: " UNION ")))"
  }

  private static func lock(_ keys: SQLFragment, in table: String) -> SQLFragment {
    """
    SELECT \(column: "Z_PK") FROM \(name: table) WHERE \(SQLFragment.ownRows)\(column: "Z_PK") \
    = ANY(CAST(\(keys) AS BIGINT[])) ORDER BY \(column: "Z_PK") FOR NO KEY UPDATE
    """
  }

  private func update(_ column: ComputedColumn, of keys: SQLFragment) -> SQLFragment {
    let returned = column.sources.first.map { schema.selection(for: $0.layout) } ?? []
    return """
      UPDATE \(name: column.table) \(name: "t0") SET \(column: column.column) = \
      \(column: "value", of: "o") FROM (\(column.outdated.binding(keys))) \
      \(name: "o") (\(name: "key"), \(name: "entity"), \(name: "value")) \
      WHERE \(SQLFragment.ownRows(of: "t0"))\(column: "Z_PK", of: "t0") = \(column: "key", of: "o") \
      RETURNING \(returned.joined(separator: ", "))
      """
  }
}

extension SQLFragment {
  /// The same with something in the places whose values would be bound for each run.
  fileprivate func binding(_ value: SQLFragment) -> SQLFragment {
    var bound = SQLFragment()
    for piece in pieces {
      switch piece {
      case .parameter: bound += value
      case .text, .name, .table, .ownRows, .value, .unlimited:
        bound += SQLFragment(pieces: [piece])
      }
    }
    return bound
  }
}
