import CoreDataModel
import CoreDataSQL

/// Writes a save plan, row by row, with one statement for each shape of row.
///
/// Rows that others have changed are all found before it gives up, so that the error can name every one of them.
final class PlanWriter<Connection: SQLConnection> {
  private typealias Statement = Connection.Statement
  private typealias Failure = Connection.Failure

  private let connection: Connection
  private let schema: StoreSchema
  private var inserts: [Int32: Shape] = [:]
  private var updates: [UpdateShape: Shape] = [:]
  private var deletes: [Int32: Deletion] = [:]
  private var pairs: [PairShape: [Statement]] = [:]
  private var conflicts: [RowConflict] = []

  private struct Shape {
    let statement: Statement
    let columns: [BoundColumn]
  }

  /// The statement for a row, and those for the pairs that contain it.
  private struct Deletion {
    let row: Statement
    let pairs: [Statement]
  }

  init(_ connection: Connection, _ schema: StoreSchema) {
    self.connection = connection
    self.schema = schema
  }

  func write(_ plan: SavePlan) throws {
    let versions = RowVersions(connection, schema)
    conflicts += try versions.conflicts(with: plan.expectations)
    for row in plan.deletes { try delete(row) }
    var isStale = !conflicts.isEmpty
    for row in plan.vacancies where try !vacate(row) { isStale = true }
    if isStale {
      // A row that has changed keeps its unique values, which the update of another may be about to take.
      conflicts += try versions.conflicts(with: plan.updates)
      throw SaveConflicts(conflicts: conflicts)
    }
    for row in plan.updates { try update(row) }
    if !conflicts.isEmpty { throw SaveConflicts(conflicts: conflicts) }
    try insert(plan.inserts)
    for pair in plan.pairs { try unlinkOrLink(pair) }
    for pair in plan.pairs { try place(pair) }
  }
}

/// The properties of an update on which its statement depends.
package struct UpdateShape: Hashable {
  let entity: Int32
  package let changed: SlotSet
  package let checksVersion: Bool

  package init(_ row: RowUpdate) {
    entity = row.layout.number
    changed = row.changed
    checksVersion = row.expectedVersion != nil
  }
}

private struct PairShape: Hashable {
  let entity: Int32
  let slot: Int
  let verb: Verb

  enum Verb: Hashable {
    case link, unlink, place
  }
}

// MARK: - Rows

extension PlanWriter {
  /// Writes new rows; those of one entity that follow each other have one look for their statement.
  private func insert(_ rows: [RowInsert]) throws(Failure) {
    guard let first = rows.first else { return }
    var entity = first.layout.number
    var shape = try insertShape(first.layout)
    for row in rows {
      if row.layout.number != entity {
        // Noted when it is left: most saves have new rows of one entity.
        inserts[entity] = shape
        entity = row.layout.number
        shape = try insertShape(row.layout)
      }
      let statement = shape.statement
      statement.bind(row.primaryKey, at: 1)
      statement.bind(Int64(entity), at: 2)
      statement.bind(row.snapshot.version, at: 3)
      statement.bind(shape.columns, of: row.snapshot, from: 4)
      try statement.run()
    }
  }

  private func insertShape(_ layout: EntityLayout) throws(Failure) -> Shape {
    if let known = inserts[layout.number] { return known }
    let insertion = schema.insertion(of: layout)
    return Shape(
      statement: try connection.statement(insertion.sql),
      columns: insertion.columns
    )
  }

  /// Writes a row's new values, and its new version if the old one matters.
  ///
  /// A row that only gets another place in an order keeps its version, so that changes to the object itself do not
  /// conflict.
  private func update(_ row: RowUpdate) throws {
    let shape = try updateShape(row)
    let statement = shape.statement
    statement.bind(shape.columns, of: row.snapshot, from: 1)
    var place = Int32(shape.columns.count + 1)
    if row.expectedVersion != nil {
      statement.bind(row.snapshot.version, at: place)
      place += 1
    }
    statement.bind(row.primaryKey, at: place)
    if let version = row.expectedVersion { statement.bind(version, at: place + 1) }
    try statement.run()
    if connection.changeCount == 0, row.expectedVersion != nil {
      try noteConflict(row.primaryKey, row.layout)
    }
  }

  /// Takes a value out of a row that will get another one, unless others have changed the row.
  ///
  /// - Returns: Whether the row was as expected.
  private func vacate(_ row: RowVacancy) throws(Failure) -> Bool {
    let columns = schema.columns(of: row.layout).columns
    guard let column = columns.first(where: { $0.slot == row.slot }) else { return true }
    let update = Update(
      schema.queries.map(row.layout).tableName,
      set: [column.name],
      where: """
        \(column: "Z_PK") = \(.parameter) AND COALESCE(\(column: "Z_OPT"), 0) = \(.parameter)
        """
    )
    let statement = try connection.statement(update.fragment)
    statement.bindNull(at: 1)
    statement.bind(row.primaryKey, at: 2)
    statement.bind(row.expectedVersion, at: 3)
    try statement.run()
    return connection.changeCount > 0
  }

  private func updateShape(_ row: RowUpdate) throws(Failure) -> Shape {
    let key = UpdateShape(row)
    if let known = updates[key] { return known }
    let columns = schema.columns(of: row.layout).columns.filter { row.changed.contains($0.slot) }
    let version = key.checksVersion ? ["Z_OPT"] : []
    var filter: SQLFragment = "\(column: "Z_PK") = \(.parameter)"
    if key.checksVersion { filter += " AND COALESCE(\(column: "Z_OPT"), 0) = \(.parameter)" }
    let update = Update(
      schema.queries.map(row.layout).tableName,
      set: columns.map(\.name) + version,
      where: filter
    )
    let shape = Shape(
      statement: try connection.statement(update.fragment),
      columns: columns.map(BoundColumn.init)
    )
    updates[key] = shape
    return shape
  }

  private func delete(_ row: RowDelete) throws {
    let deletion = try deletion(row.layout)
    deletion.row.bind(row.primaryKey, at: 1)
    deletion.row.bind(row.expectedVersion, at: 2)
    try deletion.row.run()
    if connection.changeCount == 0 {
      try noteConflict(row.primaryKey, row.layout)
      return
    }
    for statement in deletion.pairs {
      statement.bind(row.primaryKey, at: 1)
      try statement.run()
    }
  }

  private func deletion(_ layout: EntityLayout) throws(Failure) -> Deletion {
    if let known = deletes[layout.number] { return known }
    let row = Delete(
      from: schema.queries.map(layout).tableName,
      where: """
        \(column: "Z_PK") = \(.parameter) AND COALESCE(\(column: "Z_OPT"), 0) = \(.parameter)
        """
    )
    var pairs: [Statement] = []
    for side in schema.joins(of: layout) {
      for column in side.isReflexive ? [side.ownColumn, side.otherColumn] : [side.ownColumn] {
        let delete = Delete(from: side.table, where: "\(column: column) = \(.parameter)")
        pairs.append(try connection.statement(delete.fragment))
      }
    }
    let deletion = Deletion(row: try connection.statement(row.fragment), pairs: pairs)
    deletes[layout.number] = deletion
    return deletion
  }

  /// The row was not there in the version that was expected.
  private func noteConflict(_ number: Int64, _ layout: EntityLayout) throws {
    let stored = try schema.row(number, of: layout, on: connection)
    conflicts.append(RowConflict(primaryKey: number, layout: layout, stored: stored?.snapshot))
  }
}

// MARK: - Pairs

extension PlanWriter {
  private func unlinkOrLink(_ pair: PairChange) throws(Failure) {
    switch pair.action {
    case .link:
      for statement in try statements(.link, for: pair) {
        try run(statement, pair.owner, pair.member)
      }
    case .unlink:
      // A pair of a relationship that is its own inverse may be stored either way round.
      for (index, statement) in try statements(.unlink, for: pair).enumerated() {
        let (first, second) =
          index == 0 ? (pair.owner, pair.member) : (pair.member, pair.owner)
        try run(statement, first, second)
      }
    case .place:
      break
    }
  }

  private func place(_ pair: PairChange) throws(Failure) {
    guard case .place(let place) = pair.action else { return }
    for statement in try statements(.place, for: pair) {
      try run(statement, place, pair.owner, pair.member)
    }
  }

  private func run(_ statement: Statement, _ values: Int64...) throws(Failure) {
    for (index, value) in values.enumerated() { statement.bind(value, at: Int32(index + 1)) }
    try statement.run()
  }

  private func statements(
    _ verb: PairShape.Verb,
    for pair: PairChange
  ) throws(Failure) -> [Statement] {
    let shape = PairShape(entity: pair.layout.number, slot: pair.slot, verb: verb)
    if let known = pairs[shape] { return known }
    var statements: [Statement] = []
    if case .join(let side) = schema.mapping(of: pair.slot, in: pair.layout) {
      for fragment in fragments(verb, side) {
        statements.append(try connection.statement(fragment))
      }
    }
    pairs[shape] = statements
    return statements
  }

  private func fragments(_ verb: PairShape.Verb, _ side: JoinSide) -> [SQLFragment] {
    let pair: SQLFragment = """
      \(column: side.ownColumn) = \(.parameter) AND \(column: side.otherColumn) = \(.parameter)
      """
    switch verb {
    case .link:
      return [
        """
        INSERT INTO \(name: side.table) \
        (\(column: side.ownColumn), \(column: side.otherColumn)) \
        VALUES (\(.parameter), \(.parameter)) ON CONFLICT DO NOTHING
        """
      ]
    case .unlink:
      let delete = Delete(from: side.table, where: pair).fragment
      return side.isReflexive ? [delete, delete] : [delete]
    case .place:
      guard let order = side.orderColumn else { return [] }
      return [Update(side.table, set: [order], where: pair).fragment]
    }
  }
}
