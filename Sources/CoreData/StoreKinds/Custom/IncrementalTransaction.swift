import Foundation

/// A save in an incremental store of one's own.
///
/// ```
/// reserve    obtainPermanentIDs(for:)
/// compare    newValuesForObject for each changed or locked object: has it still the version that was read?
/// write      execute(NSSaveChangesRequest)
/// look       newValuesForObject for each saved object: which version has it now?
/// ```
final class IncrementalTransaction: ObjectTransaction {
  private let store: NSIncrementalStore
  private let rows: IncrementalRows
  private var isOpen = true
  private(set) var isIrrevocable = false
  private var hasNewMetadata = false

  init(_ store: NSIncrementalStore, _ rows: IncrementalRows) {
    self.store = store
    self.rows = rows
    rows.lock.lock()
  }

  func reserveKeys(root: Int32, count: Int) throws -> Int64 {
    stop("the keys of \(type(of: store)) are its author's to give, object by object")
  }

  func reserveKeys(for objects: [NSManagedObject]) throws -> [Int64] {
    if objects.isEmpty { return [] }
    let ids = try store.obtainPermanentIDs(for: objects)
    let fits = zip(ids, objects).allSatisfy { id, object in
      id.key.store == store.number && id.key.root == object.layout.rootNumber
    }
    guard ids.count == objects.count, fits else {
      throw FailureText(
        description: "The new objects have no identities.",
        reason: "\(type(of: store)).obtainPermanentIDs(for:) gave \(ids.count) identities for "
          + "\(objects.count) objects, or some of another store or entity.",
        suggestion: "Give an identity of newObjectID(for:referenceObject:) for each, in order."
      ).error(code: NSPersistentStoreOperationError)
    }
    return ids.map(\.key.number)
  }

  func setMetadata(_ metadata: [String: Any]) throws {
    hasNewMetadata = true
  }

  /// Whether values of other rows are in the way, the store's author sees when the changes arrive.
  func rows(with values: [UniqueValues], in constraint: UniqueConstraint) throws -> [Row] { [] }

  /// Versions are compared when the changes are performed.
  func conflicts(with plan: SavePlan) throws -> [RowConflict] { [] }

  func perform(_ plan: SavePlan) throws -> SaveReceipt {
    try perform(ObjectPlan(plan))
  }

  func perform(_ plan: ObjectPlan) throws -> SaveReceipt {
    let changed = plan.changed
    let objects = plan.inserted + changed + plan.deleted
    if objects.isEmpty, plan.expected.isEmpty, !hasNewMetadata { return receipt(plan.rows, [:]) }
    let context = (objects.first ?? plan.expected.first)?.managedObjectContext
    let rows = context.map { IncrementalRows(self.rows, askedBy: $0) } ?? self.rows
    if context != nil { try compare(plan.rows, with: rows) }
    let request = NSSaveChangesRequest(
      inserted: set(plan.inserted),
      updated: set(changed),
      deleted: set(plan.deleted),
      locked: set(plan.expected)
    )
    _ = try store.execute(request, with: context)
    isIrrevocable = true
    rows.forget(objects.map(\.key))
    guard context != nil else { return receipt(plan.rows, [:]) }
    var saved: [ObjectKey: Snapshot] = [:]
    for object in plan.inserted + changed {
      let key = object.key
      // Written values stay written; if they cannot be read back now, they are taken as they were sent.
      let row = try? rows.row(key.number, for: RowPlan(object.layout))
      saved[key] = row?.snapshot
    }
    return receipt(plan.rows, saved)
  }

  func commit() throws {
    end()
  }

  func rollback() {
    if isOpen { end() }
  }

  private func end() {
    isOpen = false
    rows.lock.unlock()
  }

  deinit {
    rollback()
  }
}

extension IncrementalTransaction {
  private func set(_ objects: [NSManagedObject]) -> Set<NSManagedObject>? {
    objects.isEmpty ? nil : Set(objects)
  }

  /// Throws ``SaveConflicts`` for objects that have another version than the one that was read.
  private func compare(_ plan: SavePlan, with rows: IncrementalRows) throws {
    let expected: [(Int64, EntityLayout, Int64?)] =
      plan.expectations.map { ($0.primaryKey, $0.layout, Optional($0.expectedVersion)) }
      + plan.deletes.map { ($0.primaryKey, $0.layout, Optional($0.expectedVersion)) }
      + plan.updates.map { ($0.primaryKey, $0.layout, $0.expectedVersion) }
    var conflicts: [RowConflict] = []
    for (number, layout, version) in expected {
      guard let version else { continue }
      let stored = try rows.row(number, for: RowPlan(layout))?.snapshot
      if stored?.version != version {
        conflicts.append(RowConflict(primaryKey: number, layout: layout, stored: stored))
      }
    }
    if !conflicts.isEmpty { throw SaveConflicts(conflicts: conflicts) }
  }

  private func receipt(
    _ rows: SavePlan,
    _ saved: [ObjectKey: Snapshot]
  ) -> SaveReceipt {
    let number = store.number
    let snapshot = { (layout: EntityLayout, key: Int64, planned: Snapshot) in
      saved[ObjectKey(store: number, root: layout.rootNumber, number: key)] ?? planned
    }
    return SaveReceipt(
      inserted: rows.inserts.map { snapshot($0.layout, $0.primaryKey, $0.snapshot) },
      updated: rows.updates.map { snapshot($0.layout, $0.primaryKey, $0.snapshot) }
    )
  }
}
