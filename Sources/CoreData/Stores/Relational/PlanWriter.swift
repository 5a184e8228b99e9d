import CoreDataModel
import CoreDataSQL
import CoreDataSQLite

/// Writes a save plan, row by row, with one statement for each shape of row.
///
/// Rows that have changed meanwhile are all found before it gives up, so that the error can name
/// every one of them.
final class PlanWriter {
  private let connection: Connection
  private let schema: StoreSchema
  private var inserts: [Int32: Shape] = [:]
  private var updates: [UpdateShape: Shape] = [:]
  private var deletes: [Int32: Statement] = [:]
  private var conflicts: [RowConflict] = []

  private struct Shape {
    let statement: Statement
    let columns: [StoredColumn]
  }

  private struct UpdateShape: Hashable {
    let entity: Int32
    let changed: SlotSet
    let checksVersion: Bool
  }

  init(_ connection: Connection, _ schema: StoreSchema) {
    self.connection = connection
    self.schema = schema
  }

  func write(_ plan: SavePlan) throws {
    for row in plan.deletes { try delete(row) }
    for row in plan.updates { try update(row) }
    if !conflicts.isEmpty { throw SaveConflicts(conflicts: conflicts) }
    for row in plan.inserts { try insert(row) }
    for pair in plan.pairs { try unlinkOrLink(pair) }
    for pair in plan.pairs { try place(pair) }
  }
}

// MARK: - Rows

extension PlanWriter {
  private func insert(_ row: RowInsert) throws(SQLiteError) {
    let shape = try insertShape(row.layout)
    let statement = shape.statement
    statement.bind(row.number, at: 1)
    statement.bind(Int64(row.layout.number), at: 2)
    statement.bind(row.snapshot.version, at: 3)
    for (index, column) in shape.columns.enumerated() {
      statement.bind(column, of: row.snapshot, at: Int32(index + 4))
    }
    try statement.run()
  }

  private func insertShape(_ layout: EntityLayout) throws(SQLiteError) -> Shape {
    if let known = inserts[layout.number] { return known }
    let columns = schema.columns(of: layout).columns
    let insert = Insert(
      into: schema.queries.map(layout).tableName,
      columns: RowDecoder.keyColumns + columns.map(\.name)
    )
    let shape = Shape(statement: try connection.statement(insert.fragment), columns: columns)
    inserts[layout.number] = shape
    return shape
  }

  private func update(_ row: RowUpdate) throws {
    let shape = try updateShape(row)
    let statement = shape.statement
    var place: Int32 = 1
    if row.expectedVersion != nil {
      statement.bind(row.snapshot.version, at: place)
      place += 1
    }
    for column in shape.columns {
      statement.bind(column, of: row.snapshot, at: place)
      place += 1
    }
    statement.bind(row.number, at: place)
    if let version = row.expectedVersion { statement.bind(version, at: place + 1) }
    try statement.run()
    if connection.changeCount == 0, row.expectedVersion != nil {
      try noteConflict(row.number, row.layout)
    }
  }

  private func updateShape(_ row: RowUpdate) throws(SQLiteError) -> Shape {
    let key = UpdateShape(
      entity: row.layout.number,
      changed: row.changed,
      checksVersion: row.expectedVersion != nil
    )
    if let known = updates[key] { return known }
    let columns = schema.columns(of: row.layout).columns.filter { row.changed.contains($0.slot) }
    var filter: SQLFragment = "\(column: "Z_PK") = \(.parameter)"
    if key.checksVersion { filter += " AND IFNULL(\(column: "Z_OPT"), 0) = \(.parameter)" }
    let update = Update(
      schema.queries.map(row.layout).tableName,
      // A row whose place alone changes keeps the version it has.
      set: (key.checksVersion ? ["Z_OPT"] : []) + columns.map(\.name),
      where: filter
    )
    let shape = Shape(statement: try connection.statement(update.fragment), columns: columns)
    updates[key] = shape
    return shape
  }

  private func delete(_ row: RowDelete) throws {
    let statement = try deleteStatement(row.layout)
    statement.bind(row.number, at: 1)
    statement.bind(row.expectedVersion, at: 2)
    try statement.run()
    if connection.changeCount == 0 {
      try noteConflict(row.number, row.layout)
      return
    }
    for side in schema.joins(of: row.layout) { try unlinkAll(row.number, side) }
  }

  private func deleteStatement(_ layout: EntityLayout) throws(SQLiteError) -> Statement {
    if let known = deletes[layout.number] { return known }
    let delete = Delete(
      from: schema.queries.map(layout).tableName,
      where: """
        \(column: "Z_PK") = \(.parameter) AND IFNULL(\(column: "Z_OPT"), 0) = \(.parameter)
        """
    )
    let statement = try connection.statement(delete.fragment)
    deletes[layout.number] = statement
    return statement
  }

  /// The row was not there in the version that was expected.
  private func noteConflict(_ number: Int64, _ layout: EntityLayout) throws {
    let stored = try schema.row(number, of: layout, on: connection)
    conflicts.append(RowConflict(number: number, layout: layout, stored: stored?.snapshot))
  }
}

// MARK: - Pairs

extension PlanWriter {
  private func unlinkAll(_ number: Int64, _ side: JoinSide) throws(SQLiteError) {
    try run(
      Delete(from: side.table, where: "\(column: side.ownColumn) = \(.parameter)").fragment,
      number
    )
    guard side.isReflexive else { return }
    try run(
      Delete(from: side.table, where: "\(column: side.otherColumn) = \(.parameter)").fragment,
      number
    )
  }

  private func unlinkOrLink(_ pair: PairChange) throws(SQLiteError) {
    guard case .join(let side) = schema.mapping(of: pair.slot, in: pair.layout) else { return }
    switch pair.action {
    case .link:
      try run(
        """
        INSERT OR IGNORE INTO \(name: side.table) \
        (\(column: side.ownColumn), \(column: side.otherColumn)) \
        VALUES (\(.parameter), \(.parameter))
        """,
        pair.owner,
        pair.member
      )
    case .unlink:
      try run(pairDelete(side), pair.owner, pair.member)
      if side.isReflexive { try run(pairDelete(side), pair.member, pair.owner) }
    case .place:
      break
    }
  }

  private func pairDelete(_ side: JoinSide) -> SQLFragment {
    Delete(
      from: side.table,
      where: """
        \(column: side.ownColumn) = \(.parameter) AND \(column: side.otherColumn) = \(.parameter)
        """
    ).fragment
  }

  private func place(_ pair: PairChange) throws(SQLiteError) {
    guard case .place(let place) = pair.action,
      case .join(let side) = schema.mapping(of: pair.slot, in: pair.layout),
      let order = side.orderColumn
    else { return }
    let update = Update(
      side.table,
      set: [order],
      where: """
        \(column: side.ownColumn) = \(.parameter) AND \(column: side.otherColumn) = \(.parameter)
        """
    )
    try run(update.fragment, place, pair.owner, pair.member)
  }

  private func run(_ fragment: SQLFragment, _ values: Int64...) throws(SQLiteError) {
    let statement = try connection.statement(fragment)
    for (index, value) in values.enumerated() { statement.bind(value, at: Int32(index + 1)) }
    try statement.run()
  }
}
