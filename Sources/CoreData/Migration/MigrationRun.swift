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

  /// The result, for logs and tests.
  struct Outcome {
    var losses: [CountedLoss] = []
    /// The names of the files that no row names any more.
    var superfluousFiles: [String] = []
  }

  /// `report` hears of each step that is done, and stops the migration by throwing.
  func perform(store: URL, report: (MigrationStep) throws -> Void) throws -> Outcome {
    MigrationFunctions.define(on: connection, store: store, history: plan.history)
    var outcome = Outcome(losses: try losses(besides: store))
    outcome.superfluousFiles = try plan.superfluousFiles.flatMap(names)
    let before = plan.rewritesRows ? try plan.expectedCounts(rows) : nil
    for step in plan.steps {
      try perform(step)
      try report(step)
    }
    try plan.check(FileShape(connection))
    if let before { try plan.check(before, rows) }
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
      if index.isUnique { try UniqueIndexCheck(index).perform(on: connection) }
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
  /// Returns the future losses, including the values whose files are missing beside the store.
  func losses(besides store: URL) throws(SQLiteError) -> [CountedLoss] {
    var counted: [CountedLoss] = []
    for loss in plan.losses {
      let count = try connection.integer(loss.count) ?? 0
      if count > 0 {
        counted.append(CountedLoss(place: loss.place, noun: loss.noun, count: Int(count)))
      }
    }
    for files in plan.superfluousFiles {
      if let loss = try loss(of: files, besides: store) { counted.append(loss) }
    }
    return counted
  }

  private func loss(
    of files: ExternalNames,
    besides store: URL
  ) throws(SQLiteError) -> CountedLoss? {
    guard let place = files.fetched else { return nil }
    let lost = try names(files).filter { name in
      let size = ExternalFiles.size(named: name, besides: store) ?? .max
      return size > ExternalFiles.greatestSize
    }
    if lost.isEmpty { return nil }
    let subject = lost.count == 1 ? "file is" : "files are"
    let folder = ExternalFiles.supportFolderName(of: store)
    return CountedLoss(
      place: place,
      noun: "values",
      count: lost.count,
      reason: "whose \(subject) not in \(folder), or too large to be read"
    )
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
