import CoreDataPredicates
import Foundation
import Synchronization

/// A store that keeps its rows in memory and is gone with the process.
///
/// Predicates and orders are evaluated here as they are on objects, so block predicates and
/// comparators work too. Readers see either all of a save or nothing of it.
///
/// Safety: the rows are values behind a mutex; a save replaces them at its commit.
package final class MemoryStore: RowStore, Sendable {
  private let rows: Mutex<MemoryRows>
  private let writing = WriterLock()
  private let number: StoreNumber
  private let model: ModelLayout

  private init(_ model: ModelLayout, number: StoreNumber) {
    self.model = model
    self.number = number
    rows = Mutex(MemoryRows())
  }

  /// Throws for a derived attribute that cannot be computed.
  static func make(
    _ place: StorePlace,
    for coordinator: NSPersistentStoreCoordinator
  ) throws -> NSPersistentStore {
    for layout in coordinator.layout.entities { try layout.checkDerivations(path: "memory") }
    let metadata: [String: Any] = [
      NSStoreTypeKey: NSInMemoryStoreType,
      NSStoreUUIDKey: UUID().uuidString,
      NSStoreModelVersionHashesKey: StoreMetadata.versionHashes(
        of: coordinator.layout.schema,
        in: place.configuration
      ),
    ]
    let rows = MemoryStore(coordinator.layout, number: place.number)
    return NSPersistentStore(place, rows: rows, metadata: metadata, coordinator: coordinator)
  }

  /// The rows as they are at this moment.
  var current: MemoryRows { rows.withLock { $0 } }

  fileprivate func replace(_ new: MemoryRows) {
    rows.withLock { $0 = new }
  }
}

// MARK: - Reading

extension MemoryStore {
  package func rows(for plan: FetchPlan) throws -> [Row] {
    let found = try sorted(matching(plan), by: plan.sort)
    let rest = found.dropFirst(plan.offset)
    return Array(plan.limit.map { rest.prefix($0) } ?? rest).map(\.row)
  }

  package func count(for plan: FetchPlan) throws -> Int {
    let count = max(0, try matching(plan).count - plan.offset)
    return plan.limit.map { min($0, count) } ?? count
  }

  package func row(for number: Int64, of layout: EntityLayout) throws -> Row? {
    current[layout.rootNumber, number]
  }

  package func members(of number: Int64, in layout: EntityLayout, at slot: Int) throws -> [Row] {
    MemoryReading(current, of: self.number).members(of: number, in: layout, at: slot)
  }

  private func matching(_ plan: FetchPlan) throws -> [StoredObject] {
    let rows = current
    let reading = MemoryReading(rows, of: number)
    let objects = rows.all(root: plan.layout.rootNumber)
      .filter { plan.entityNumbers.contains($0.layout.number) }
      .map { StoredObject($0, in: reading) }
    guard let predicate = plan.predicate else { return objects }
    do {
      return try objects.filter { try predicate.evaluate(with: $0) }
    } catch let error as EvaluationError {
      throw StoreFailure(.unsupportedRequest("\(error)"), path: "memory").error()
    }
  }

  private func sorted(_ objects: [StoredObject], by terms: [SortTerm]) throws -> [StoredObject] {
    guard !terms.isEmpty else { return objects }
    return try objects.sorted { one, other in
      for term in terms {
        switch try term.compare(one, to: other) {
        case .orderedAscending: return true
        case .orderedDescending: return false
        case .orderedSame: continue
        }
      }
      return one.row.number < other.row.number
    }
  }
}

// MARK: - Writing

extension MemoryStore {
  package func beginSave() throws -> any SaveTransaction { Transaction(self) }

  private final class Transaction: SaveTransaction {
    private let store: MemoryStore
    private var rows: MemoryRows
    private var isOpen = true

    init(_ store: MemoryStore) {
      self.store = store
      store.writing.lock()
      rows = store.current
    }

    func reserveKeys(root: Int32, count: Int) throws -> Int64 {
      rows.reserveKeys(root: root, count: count)
    }

    func perform(_ plan: SavePlan) throws -> SaveReceipt {
      try rows.apply(plan)
      let derived = try MemoryDerivations(store.model, of: store.number, after: plan)
        .refresh(&rows)
      return SaveReceipt(
        inserted: derived.isEmpty
          ? plan.inserts.map(\.snapshot)
          : plan.inserts.map { row in
            rows[row.layout.rootNumber, row.number]?.snapshot ?? row.snapshot
          },
        updated: plan.updates.map { row in
          rows[row.layout.rootNumber, row.number]?.snapshot ?? row.snapshot
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
      store.writing.unlock()
    }

    deinit {
      rollback()
    }
  }
}

/// A lock that one transaction holds from its beginning to its end, on whatever thread that comes.
///
/// Safety: a semaphore.
private final class WriterLock: @unchecked Sendable {
  private let semaphore = DispatchSemaphore(value: 1)

  func lock() { semaphore.wait() }

  func unlock() { semaphore.signal() }
}
