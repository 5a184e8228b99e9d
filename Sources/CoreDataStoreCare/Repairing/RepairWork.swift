import CoreData
import CoreDataModel
import CoreDataSQL
import CoreDataSQLite

/// Performs the steps of a repair in a transaction that somebody else has begun, and keeps account.
///
/// Each step is done or not done: a step that the database refuses half-way is taken back, and the
/// others go on.
struct RepairWork {
  private let connection: Connection
  private let model: ModelSchema?
  private let deletesBroken: Bool
  private(set) var performed: [RepairPlan.Step] = []
  private(set) var refused: [(step: RepairPlan.Step, reason: String)] = []
  private(set) var deletedRows: [String: Int] = [:]
  /// Whether rows were changed in a store that keeps a history.
  ///
  /// The code that changes rows writes the history: the transaction of a repair would be written
  /// where this becomes true, from the rows that `changes` counts.
  private(set) var bypassesHistory = false
  /// Remedies that were tried and have changed nothing, or were refused.
  private(set) var exhaustedRemedies: Set<Remedy> = []
  private var tried: Set<Remedy> = []

  init(_ connection: Connection, model: ModelSchema?, deletesBroken: Bool) {
    self.connection = connection
    self.model = model
    self.deletesBroken = deletesBroken
  }
}

// MARK: - Steps

extension RepairWork {
  mutating func perform(_ step: RepairPlan.Step) throws(SQLiteError) {
    try connection.run("SAVEPOINT repair")
    do throws(SQLiteError) {
      let changes = try perform(step.remedy.work)
      try connection.run("RELEASE repair")
      tried.insert(step.remedy)
      performed.append(step)
      if changes > 0, step.remedy.phase.changesRows, try keepsHistory() { bypassesHistory = true }
    } catch {
      // A violated constraint, or a statement whose tables this file lacks; not a full disk or a
      // lock.
      guard [1, 19, 20].contains(error.primaryCode), connection.isInTransaction else { throw error }
      try connection.run("ROLLBACK TO repair")
      try connection.run("RELEASE repair")
      exhaustedRemedies.insert(step.remedy)
      refused.append((step, error.message))
    }
  }

  /// Remedies that did not help are not tried for ever.
  mutating func noteFutile(in report: CheckReport) {
    exhaustedRemedies.formUnion(report.findings.compactMap(\.remedy).filter(tried.contains))
    tried = []
  }

  private mutating func perform(_ work: Remedy.Work) throws(SQLiteError) -> Int {
    switch work {
    case .statements(let statements):
      var changes = 0
      for statement in statements {
        try connection.run(statement)
        changes += connection.changeCount
      }
      return changes
    case .deleteRows(let entity, let condition):
      guard let model else { return 0 }
      let deletion = DeletionByRules(
        connection,
        TableMap(model, in: try FileTables(on: connection)),
        model
      )
      let deleted = try deletion.delete(entity, where: condition)
      deletedRows.merge(deleted, uniquingKeysWith: +)
      return deleted.values.reduce(0, +)
    case .moveOrphans:
      return 0
    }
  }

  private func tables() throws(SQLiteError) -> Set<String> { try StoreTables.names(on: connection) }

  private func keepsHistory() throws(SQLiteError) -> Bool {
    try tables().isSuperset(of: ["ACHANGE", "ATRANSACTION"])
  }
}

extension Remedy.Phase {
  /// Whether objects are others afterwards.
  fileprivate var changesRows: Bool {
    switch self {
    case .entities, .deletions, .keys, .inverses, .pairs, .orders, .values, .derivedValues: true
    case .tables, .indexes, .triggers, .bookkeeping, .history, .files: false
    }
  }
}
