import CoreDataPredicates
import Foundation
import Synchronization

/// A store that keeps its rows in memory and is gone with the process, unless somebody keeps them: a
/// store whose file is read and written whole is a store in memory with a keeper.
///
/// Predicates and orders are evaluated here as they are on objects, so block predicates and
/// comparators work too. Readers see either all of a save or nothing of it.
///
/// Safety: the rows are values behind a mutex; a save replaces them at its commit.
package final class MemoryStore: RowStore, Sendable {
  private let rows: Mutex<MemoryRows>
  private let writing = WriterLock()
  private let number: StoreNumber
  fileprivate let model: ModelLayout
  /// Writes the rows down; `nil` for rows that are gone with the process.
  let keeper: (any RowKeeper)?

  init(
    _ model: ModelLayout,
    number: StoreNumber,
    rows: MemoryRows = MemoryRows(),
    keeper: (any RowKeeper)? = nil
  ) {
    self.model = model
    self.number = number
    self.keeper = keeper
    self.rows = Mutex(rows)
  }

  /// The rows as they are at this moment.
  var current: MemoryRows { rows.withLock { $0 } }

  /// The derivations that compute derived attributes when a plan is in place.
  func derivations(after plan: SavePlan) -> MemoryDerivations {
    MemoryDerivations(model, of: number, after: plan)
  }

  func replace(_ new: MemoryRows) {
    rows.withLock { $0 = new }
  }
}

// MARK: - Reading

extension MemoryStore {
  package func rows(for plan: FetchPlan) throws -> [Row] {
    let found = try sorted(matching(plan), of: plan.layout, by: plan.sort)
    let rest = found.dropFirst(plan.offset)
    return (plan.limit.map { rest.prefix($0) } ?? rest).map { object in
      plan.includesValues
        ? object.row
        : Row(primaryKey: object.row.primaryKey, layout: object.row.layout, snapshot: nil)
    }
  }

  package func count(for plan: FetchPlan) throws -> Int {
    let count = max(0, try matching(plan).count - plan.offset)
    return plan.limit.map { min($0, count) } ?? count
  }

  package func row(_ primaryKey: Int64, for plan: RowPlan) throws -> Row? {
    current[plan.layout.rootNumber, primaryKey]
  }

  package func records(for plan: RecordPlan) throws -> [Record] {
    let keys = StoredKeys(plan.source.layout)
    if let having = plan.having { try keys.check(having) }
    for column in plan.columns + plan.groups { try keys.check(column.expression) }
    for term in plan.source.sort { try keys.check(.path(.evaluatedObject, term.keyPath)) }
    let rows = try matching(plan.source)
    let isSorted = !plan.aggregates && !plan.isDistinct
    let found = isSorted ? try sorted(rows, of: plan.source.layout, by: plan.source.sort) : rows
    return try evaluating { () throws(EvaluationError) in
      try RecordEvaluation(plan: plan).records(of: found)
    }
  }

  package func members(of owner: Int64, for plan: MemberPlan) throws -> [Row] {
    MemoryReading(current, of: number).members(of: owner, in: plan.layout, at: plan.slot)
  }

  package func members(of owners: [Int64], for plan: MemberPlan) throws -> [MemberRow] {
    let reading = MemoryReading(current, of: number)
    return owners.flatMap { owner in
      reading.members(of: owner, in: plan.layout, at: plan.slot)
        .map { MemberRow(owner: owner, row: $0) }
    }
  }

  private func matching(_ plan: FetchPlan) throws -> [StoredObject] {
    let rows = current
    let reading = MemoryReading(rows, of: number)
    let objects = rows.all(root: plan.layout.rootNumber)
      .filter { plan.entityNumbers.contains($0.layout.number) }
      .map { StoredObject($0, in: reading) }
    guard let predicate = try plan.predicate?.replacingFetches() else { return objects }
    try StoredKeys(plan.layout).check(predicate)
    return try evaluating { () throws(EvaluationError) in
      var found: [StoredObject] = []
      for (index, object) in objects.enumerated() {
        if index & 63 == 0, plan.control?.isCancelled == true { break }
        if try predicate.evaluate(with: object) { found.append(object) }
      }
      return found
    }
  }

  /// Reports values that cannot be evaluated as errors of the request.
  private func evaluating<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as EvaluationError {
      let cause = StoreFailure.Cause.untranslatable(
        part: "the request",
        problem: error.description,
        remedy: "correct this part, or leave it out and filter the objects that the request finds"
      )
      throw StoreFailure(cause, path: "memory").error()
    }
  }

  private func sorted(
    _ objects: [StoredObject],
    of layout: EntityLayout,
    by terms: [SortTerm]
  ) throws -> [StoredObject] {
    guard !terms.isEmpty else { return objects }
    let keys = StoredKeys(layout)
    for term in terms { try keys.check(.path(.evaluatedObject, term.keyPath)) }
    return try evaluating {
      try objects.sorted { one, other in
        for term in terms {
          switch try one.compare(to: other, by: term) {
          case .orderedAscending: return true
          case .orderedDescending: return false
          case .orderedSame: continue
          }
        }
        return one.row.primaryKey < other.row.primaryKey
      }
    }
  }
}

// MARK: - Writing

extension MemoryStore {
  package func beginSave() throws -> any SaveTransaction {
    let transaction = MemoryTransaction(self, writing)
    return try keeper?.transaction(keeping: transaction) ?? transaction
  }

  package func close() {
    keeper?.close()
  }
}

/// Keeps the rows of a store in memory beyond the process.
protocol RowKeeper: AnyObject, Sendable {
  /// A transaction that also writes down what the given one does.
  func transaction(keeping rows: MemoryTransaction) throws -> any SaveTransaction
  /// The rows are kept there from the next save on.
  func move(to url: URL)
  /// Nothing is kept any more.
  func close()
}

/// One save in memory: a copy of the rows, which takes their place at the commit.
final class MemoryTransaction: SaveTransaction {
  private(set) var rows: MemoryRows
  private let store: MemoryStore
  private let writing: WriterLock
  private var isOpen = true

  init(_ store: MemoryStore, _ writing: WriterLock) {
    self.store = store
    self.writing = writing
    writing.lock()
    rows = store.current
  }

  func reserveKeys(root: Int32, count: Int) throws -> Int64 {
    try rows.reserveKeys(root: root, count: count)
  }

  var sharesKeys: Bool { rows.sharesKeys }

  func setMetadata(_ metadata: [String: Any]) throws {}

  func rows(with values: [UniqueValues], in constraint: UniqueConstraint) throws -> [Row] {
    let root = store.model[number: constraint.entity]?.rootNumber ?? constraint.entity
    return rows.rows(with: values, in: constraint, root: root)
  }

  func conflicts(with plan: SavePlan) throws -> [RowConflict] { rows.conflicts(with: plan) }

  func perform(_ plan: SavePlan) throws -> SaveReceipt {
    try rows.apply(plan)
    let derived = try store.derivations(after: plan).refresh(&rows)
    return SaveReceipt(
      inserted: derived.isEmpty
        ? plan.inserts.map(\.snapshot)
        : plan.inserts.map { row in
          rows[row.layout.rootNumber, row.primaryKey]?.snapshot ?? row.snapshot
        },
      updated: plan.updates.map { row in
        rows[row.layout.rootNumber, row.primaryKey]?.snapshot ?? row.snapshot
      },
      derived: plan.leavingOut(derived)
    )
  }

  func commit() throws {
    store.replace(rows)
    end()
  }

  func rollback() {
    if isOpen { end() }
  }

  private func end() {
    isOpen = false
    writing.unlock()
  }

  deinit {
    rollback()
  }
}

/// A lock that one transaction holds from its beginning to its end, on whatever thread that comes.
final class WriterLock: Sendable {
  private let semaphore = DispatchSemaphore(value: 1)

  func lock() { semaphore.wait() }

  func unlock() { semaphore.signal() }
}
