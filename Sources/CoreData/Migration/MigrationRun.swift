import CoreDataModel
import CoreDataSQL
import CoreDataSQLite
import Foundation

/// Carries out a plan inside the transaction of its connection.
///
/// ```
/// what is lost is counted → each step → the rows are counted again → COMMIT, by the caller
/// ```
struct MigrationRun {
  private let connection: Connection
  private let plan: MigrationPlan
  private let layout: ModelLayout
  private let configuration: String?
  private let storedSchema: ModelSchema
  /// Whether columns that nothing needs any more are left for later.
  private let defersRemovals: Bool

  init(
    _ plan: MigrationPlan,
    to layout: ModelLayout,
    configuration: String?,
    storedSchema: ModelSchema? = nil,
    defersRemovals: Bool = false,
    on connection: Connection
  ) {
    self.plan = plan
    self.layout = layout
    self.configuration = configuration
    self.storedSchema = storedSchema ?? layout.schema
    self.defersRemovals = defersRemovals
    self.connection = connection
  }

  /// What was done, for logs and tests.
  struct Outcome {
    var losses: [CountedLoss] = []
    /// The names of the files that no row names any more.
    var superfluousFiles: [String] = []
  }

  /// `report` hears of each step that is done, and stops the migration by throwing.
  func perform(store: URL, report: (MigrationStep) throws -> Void) throws -> Outcome {
    MigrationFunctions.define(on: connection, store: store, history: plan.history)
    var outcome = Outcome(losses: try losses(plan.losses))
    outcome.superfluousFiles = try plan.superfluousFiles.flatMap(names)
    let before = plan.rewritesRows ? try counts() : nil
    for step in plan.steps {
      try perform(step)
      try report(step)
    }
    try check(before)
    return outcome
  }

  private func perform(_ step: MigrationStep) throws {
    switch step.work {
    case .statements(let statements):
      for statement in statements { try connection.run(statement) }
    case .removal(let columns):
      if defersRemovals { return }
      for column in columns { try connection.run(column.removal) }
    case .index(let index, let statement):
      if index.isUnique { try checkUniqueness(index) }
      try connection.run(statement)
    case .derivations:
      try DerivedValues(connection, layout, plan.destinationTables).refresh()
    case .bookkeeping:
      try StoreBookkeeping(connection, plan, storedSchema, configuration).write(leaving: left)
    }
  }
}

extension MigrationRun {
  /// The columns that are left for later.
  private var left: [SuperfluousColumn] {
    if !defersRemovals { return [] }
    return plan.steps.flatMap { step -> [SuperfluousColumn] in
      if case .removal(let columns) = step.work { columns } else { [] }
    }
  }
}

// MARK: - Counting

extension MigrationRun {
  func losses(_ losses: [MigrationLoss]) throws(SQLiteError) -> [CountedLoss] {
    var counted: [CountedLoss] = []
    for loss in losses {
      let count = try connection.integer(loss.count) ?? 0
      if count > 0 {
        counted.append(CountedLoss(place: loss.place, noun: loss.noun, count: Int(count)))
      }
    }
    return counted
  }

  private func names(_ files: ExternalNames) throws(SQLiteError) -> [String] {
    let statement = try connection.statement(files.query)
    defer { statement.reset() }
    var names: [String] = []
    while try statement.step() {
      if let name = ExternalData.fileName(statement.blobBytes(0)) { names.append(name) }
    }
    return names
  }

  /// How many rows of each entity there should be afterwards, by its new number.
  private func counts() throws(SQLiteError) -> [Int: Int] {
    var counts: [Int: Int] = [:]
    for table in Set(plan.sourceTables.values) {
      for (number, count) in try rows(in: table) {
        guard plan.sourceTables[number] == table, let new = plan.movedNumbers[number] else {
          continue
        }
        counts[new, default: 0] += count
      }
    }
    return counts
  }

  private func rows(in table: String) throws(SQLiteError) -> [Int: Int] {
    let statement = try connection.statement(
      """
      SELECT \(column: "Z_ENT"), COUNT(*) FROM \(name: table) GROUP BY \(column: "Z_ENT")
      """ as SQLFragment
    )
    defer { statement.reset() }
    var counts: [Int: Int] = [:]
    while try statement.step() {
      counts[Int(statement.integer(0))] = Int(statement.integer(1))
    }
    return counts
  }
}

// MARK: - Before it is committed

extension MigrationRun {
  /// The file has every table and column that it should, and every row.
  private func check(_ expected: [Int: Int]?) throws {
    let shape = try FileShape(connection)
    do {
      try shape.check(against: plan.destinationTables)
    } catch {
      if case .otherTables(let lacks) = error.cause {
        throw MigrationFailure(.unexpected("\(lacks.joined(separator: ", ")) would be missing"))
      }
      throw error
    }
    guard let expected else { return }
    var found: [Int: Int] = [:]
    for table in plan.destinationTables.tables {
      found.merge(try rows(in: table.name)) { $0 + $1 }
    }
    for entity in plan.destinationTables.entities
    where found[entity.number, default: 0] != expected[entity.number, default: 0] {
      let (is_, was) = (found[entity.number, default: 0], expected[entity.number, default: 0])
      throw MigrationFailure(
        .unexpected("there would be \(is_) rows of \(entity.name) instead of \(was)")
      )
    }
  }

  private func checkUniqueness(_ index: TableIndex) throws {
    let columns = index.elements.map { SQLFragment.column($0.column) }
    let list = columns.joined(separator: ", ")
    let isThere = columns.map { "\($0) IS NOT NULL" as SQLFragment }.joined(separator: " AND ")
    let statement = try connection.statement(
      """
      SELECT \(list), COUNT(*) FROM \(name: index.table) WHERE \(isThere) \
      GROUP BY \(list) HAVING COUNT(*) > 1 LIMIT 5
      """ as SQLFragment
    )
    defer { statement.reset() }
    var values: [String] = []
    while try statement.step() {
      let parts = columns.indices.map { place in
        "\(index.elements[place].column) \(statement.value(Int32(place)))"
      }
      values.append(
        "\(parts.joined(separator: ", ")) in \(statement.integer(Int32(columns.count))) rows"
      )
    }
    guard values.isEmpty else {
      throw MigrationFailure(.duplicates(index: index.name, values: values))
    }
  }
}
