import CoreDataModel
import CoreDataPredicates
package import CoreDataSQL
import Synchronization

/// A model as one database has it: tables, columns and decoders, found by entity.
package final class StoreSchema: Sendable {
  package let model: ModelLayout
  package let tables: TableMap
  package let queries: RowQueries
  private let columnsByNumber: [StoredColumns]
  /// For each entity what reads its rows, never used itself but copied.
  private let decoders: [RowDecoder]
  /// For each entity the columns that its decoder reads, spelled as in every query.
  private let selections: [SQLFragment]
  /// For each entity the query for one row.
  private let rowQueries: [String]
  /// For each entity the statement that adds a row, and what it binds from the fourth place on.
  private let insertions: [Insertion]
  /// The derived columns that no trigger keeps.
  package let computedColumns: [ComputedColumn]
  private let memberQueries = Mutex<[Relationship: String]>([:])
  private let foundSurplus = Mutex(StoreSurplus())

  private struct Relationship: Hashable {
    let entity: Int32
    let slot: Int
  }

  struct Insertion {
    let sql: String
    let columns: [BoundColumn]
  }

  /// `kept` are the derived attributes that the database sees to itself.
  ///
  /// Throws for a derived attribute that SQL cannot compute.
  package init(
    _ model: ModelLayout,
    tables: TableMap,
    dialect: any SQLDialect,
    besides kept: KeptDerivations = .none,
    textIndexes: TextIndexes = .none,
    keyOf: @escaping @Sendable (Any) -> CompiledKey?
  ) throws(PredicateCompilationError) {
    self.model = model
    self.tables = tables
    let queries = RowQueries(
      tables: tables,
      dialect: dialect,
      model: model,
      keyOf: keyOf,
      textIndexes: textIndexes
    )
    let columns = model.entities.map { StoredColumns($0, in: tables) }
    let decoders = model.entities.map { layout in
      RowDecoder(columns[Int(layout.numbers.lowerBound) - 1...Int(layout.numbers.upperBound) - 1])
    }
    insertions = columns.map { entity in
      let insert = Insert(
        into: queries.map(entity.layout).tableName,
        columns: RowDecoder.keyColumns + entity.columns.map(\.name)
      )
      return Insertion(
        sql: insert.fragment.rendered(for: dialect.spelling).sql,
        columns: entity.columns.map(BoundColumn.init)
      )
    }
    selections = decoders.map { decoder in
      decoder.columnNames.map { SQLFragment.column($0, of: "t0") }.joined(separator: ", ")
        .spelled(for: dialect.spelling)
    }
    rowQueries = zip(model.entities, decoders).map { layout, decoder in
      queries.row(of: layout, columns: decoder.columnNames)
        .rendered(for: dialect.spelling).sql
    }
    computedColumns = try ComputedColumn.all(in: queries, besides: kept)
    self.queries = queries
    self.decoders = decoders
    columnsByNumber = columns
  }

  package func columns(of layout: EntityLayout) -> StoredColumns {
    columnsByNumber[Int(layout.number) - 1]
  }

  /// The attributes that the store has beyond the model; another program may add some at any time.
  package var surplus: StoreSurplus {
    get { foundSurplus.withLock { $0 } }
    set { foundSurplus.withLock { $0 = newValue } }
  }

  func insertion(of layout: EntityLayout) -> Insertion {
    let insertion = insertions[Int(layout.number) - 1]
    let filled = surplus.filledColumns(of: layout)
    if filled.isEmpty { return insertion }
    let insert = Insert(
      into: queries.map(layout).tableName,
      columns: RowDecoder.keyColumns + columns(of: layout).columns.map(\.name),
      filling: filled
    )
    return Insertion(
      sql: insert.fragment.rendered(for: queries.dialect.spelling).sql,
      columns: insertion.columns
    )
  }

  /// A decoder for rows of an entity and everything below it.
  package func decoder(for layout: EntityLayout) -> RowDecoder {
    decoders[Int(layout.number) - 1]
  }

  /// The columns that an entity's decoder reads, of the table `t0`.
  package func selection(for layout: EntityLayout) -> [SQLFragment] {
    [selections[Int(layout.number) - 1]]
  }

  /// The columns that a plan asks for, of the table `t0`: those that its decoder reads or, if no values are wanted,
  /// the keys.
  package func columns(for plan: FetchPlan, readBy decoder: RowDecoder) -> [SQLFragment] {
    if plan.includesValues, plan.slots == nil { return selection(for: plan.layout) }
    let keys = singleEntity(of: plan) == nil ? ["Z_PK", "Z_ENT"] : ["Z_PK"]
    let names = plan.includesValues ? decoder.columnNames : keys
    return names.map { .column($0, of: "t0") }
  }

  /// The entity that all keys of a plan are of, so that only an index with its order and its predicate is read; `nil`
  /// if it has to be read from the rows.
  package func singleEntity(of plan: FetchPlan) -> EntityLayout? {
    guard !plan.includesValues, plan.layout.numbers.count == 1 else { return nil }
    return model[number: plan.layout.number]
  }

  /// A decoder that reads some of the slots only.
  package func decoder(for layout: EntityLayout, slots: SlotSet) -> RowDecoder {
    let numbers = Int(layout.numbers.lowerBound) - 1...Int(layout.numbers.upperBound) - 1
    return RowDecoder(columnsByNumber[numbers].map { $0.narrowed(to: slots) }[...])
  }

  package func mapping(of slot: Int, in layout: EntityLayout) -> PropertyMapping? {
    queries.map(layout)[layout.slots[slot].name]
  }

  /// The type of a column in the table of an entity's rows.
  func type(of column: String, in layout: EntityLayout) -> ColumnType {
    let table = queries.map(layout).tableName
    let columns = tables.tables.first { $0.name == table }?.columns
    return columns?.first { $0.name == column }?.type ?? .integer
  }

  /// The join tables with pairs of an entity's objects.
  package func joins(of layout: EntityLayout) -> [JoinSide] {
    layout.slots.prefix(layout.propertyCount).compactMap { slot in
      if case .join(let side) = queries.map(layout)[slot.name] { side } else { nil }
    }
  }

  package func row<Connection: SQLConnection>(
    _ primaryKey: Int64,
    of layout: EntityLayout,
    on connection: Connection
  ) throws(Connection.Failure) -> Row? {
    let decoder = decoder(for: layout)
    let statement = try connection.statement(rowQueries[Int(layout.number) - 1])
    defer { statement.reset() }
    statement.expect(decoder.columnTypes)
    statement.bind(primaryKey, at: 1)
    var writer = SnapshotWriter()
    return try statement.step() ? decoder.row(statement, into: &writer) : nil
  }

  /// The rows that a to-many relationship leads to.
  package func members<Connection: SQLConnection>(
    of owner: Int64,
    in layout: EntityLayout,
    at slot: Int,
    on connection: Connection
  ) throws(Connection.Failure) -> [Row] {
    guard let end = layout.slots[slot].end, let destination = model[number: end.destination],
      let query = memberQuery(layout, slot, destination)
    else { return [] }
    let decoder = decoder(for: destination)
    let statement = try connection.statement(query)
    defer { statement.reset() }
    statement.expect(decoder.columnTypes)
    for place in 1...statement.parameterCount { statement.bind(owner, at: place) }
    var rows: [Row] = []
    var writer = SnapshotWriter()
    while try statement.step() {
      if let row = decoder.row(statement, into: &writer) { rows.append(row) }
    }
    return rows
  }

  private func memberQuery(
    _ layout: EntityLayout,
    _ slot: Int,
    _ destination: EntityLayout
  ) -> String? {
    let key = Relationship(entity: layout.number, slot: slot)
    if let known = memberQueries.withLock({ $0[key] }) { return known }
    let columns = decoders[Int(destination.number) - 1].columnNames
    let fragment = queries.members(of: layout, at: slot, destination: destination, columns: columns)
    guard let text = fragment?.rendered(for: queries.dialect.spelling).sql else { return nil }
    memberQueries.withLock { $0[key] = text }
    return text
  }
}
