/// One store's part in a save: its changes, its transaction, its plan, and the result.
///
/// ```
/// begin ─▶ reserve keys ─▶ plan ─▶ check ─▶ perform ─▶ commit ─▶ remember, and the context adopts
/// ```
///
/// One save after the other has it, on the queue of its context.
final class StoreSave {
  let store: NSPersistentStore
  /// The part of the context's changes that this store takes.
  let changes: ChangeSet
  private let transaction: any SaveTransaction
  /// The transaction of a custom store that takes objects instead of rows; `nil` for other stores.
  ///
  /// A save asks for it often, so it is found once.
  private let objectTransaction: (any ObjectTransaction)?
  private(set) var plan = ObjectPlan()
  /// The store's result; `nil` until it has performed the plan.
  private(set) var receipt: SaveReceipt?
  /// Whether the performed plan stays, whatever happens.
  private(set) var isSaved = false
  /// Whether the store's metadata are a part of the save.
  private var hasMetadata = false
  /// Whether all new objects have keys that no row ever had.
  private var hasOnlyNewKeys = true

  /// Begins to write; nobody else does until the end.
  init(
    _ changes: ChangeSet,
    in store: NSPersistentStore,
    for context: NSManagedObjectContext
  ) throws {
    self.store = store
    self.changes = changes
    transaction = try store.backend.beginSave()
    objectTransaction = transaction as? any ObjectTransaction
    if transaction.keepsHistory { transaction.sign(HistoryOrigin(of: context)) }
  }

  /// Whether the store may be unable to take back what it performs.
  var isOfAuthor: Bool { objectTransaction != nil }
}

// MARK: - Before the first statement that changes a row

extension StoreSave {
  /// Reserves keys for the new objects; those that have one keep it.
  func reserve(_ keys: inout ReservedKeys) throws {
    var new = changes.inserted
    if new.contains(where: { !$0.key.isTemporary }) {
      hasOnlyNewKeys = false
      new = new.filter { $0.key.isTemporary }
      for object in changes.inserted where !object.key.isTemporary {
        keys.set(object.key.number, in: store.number, for: object)
      }
    }
    let numbers =
      try objectTransaction?.reserveKeys(for: new)
      ?? transaction.reserveKeys(roots: new.map(\.layout.rootNumber))
    if keys.set(numbers, in: store.number) { return }
    for (object, number) in zip(new, numbers) {
      keys.set(number, in: store.number, for: object)
    }
  }

  /// Decides what becomes of each row.
  func makePlan(_ keys: ReservedKeys) throws {
    var planner = SavePlanner(changes, in: store, keys: keys, transaction)
    plan = try planner.makePlan()
  }

  /// Looks whether values will be unique that must be.
  func checkConstraints(_ refusal: inout SaveRefusal) throws {
    let check = try ConstraintCheck(plan, in: transaction)
    plan.vacate(check.vacancies)
    refusal.add(check.violations, in: store)
  }

  func takeMetadata() throws {
    guard store.hasUnsavedMetadata else { return }
    try transaction.setMetadata(store.metadata)
    hasMetadata = true
  }
}

// MARK: - Performing

extension StoreSave {
  /// Performs the plan unless the save is refused already; then versions are only compared, so that one error can
  /// report everything.
  func perform(_ refusal: inout SaveRefusal, in coordinator: NSPersistentStoreCoordinator) throws {
    do {
      if refusal.isEmpty {
        let own = objectTransaction
        receipt = try own?.perform(plan) ?? transaction.perform(plan.rows)
        isSaved = own?.isIrrevocable ?? false
        return
      }
      let conflicts = try transaction.conflicts(with: plan.rows)
      if !conflicts.isEmpty { throw SaveConflicts(conflicts: conflicts) }
    } catch let error as SaveConflicts {
      refusal.add(error.conflicts, in: store)
      remember(error.conflicts, in: coordinator)
    }
  }

  func commit() throws {
    try transaction.commit()
    if let number = transaction.lateHistoryNumber { receipt?.historyNumber = number }
    if hasMetadata { store.hasUnsavedMetadata = false }
    isSaved = true
  }

  func rollback() {
    transaction.rollback()
  }
}

// MARK: - The result

extension StoreSave {
  /// The new objects, each with its key and its row as the store has it.
  func forEachInserted(_ body: (NSManagedObject, ObjectKey, RowInsert, Snapshot) -> Void) {
    guard let receipt else { return }
    for ((object, row), snapshot) in zip(plan.inserts, receipt.inserted) {
      body(object, key(row.primaryKey, row.layout), row, snapshot)
    }
  }

  /// The objects whose rows were written, each with its key and its row as the store has it.
  func forEachUpdated(_ body: (NSManagedObject, ObjectKey, RowUpdate, Snapshot) -> Void) {
    guard let receipt else { return }
    for ((object, row), snapshot) in zip(plan.updates, receipt.updated) {
      body(object, key(row.primaryKey, row.layout), row, snapshot)
    }
  }

  func key(_ number: Int64, _ layout: EntityLayout) -> ObjectKey {
    ObjectKey(store: store.number, root: layout.rootNumber, number: number)
  }

  /// Puts the rows into the cache; rows that were taken from it before are old now.
  func remember(in coordinator: NSPersistentStoreCoordinator) {
    guard let receipt else { return }
    let (rows, cache) = (plan.rows, store.rowCache)
    let now = cache.now
    if !rows.updates.isEmpty || !rows.deletes.isEmpty || !receipt.derived.isEmpty {
      coordinator.noteOldRows()
    }
    if hasOnlyNewKeys, !isOfAuthor {
      let new = zip(rows.inserts, receipt.inserted).map { row, snapshot in
        Row(primaryKey: row.primaryKey, layout: row.layout, snapshot: snapshot)
      }
      cache.setNew(new, of: store.number)
    } else {
      forEachInserted { object, key, row, snapshot in
        cache.setInserted(snapshot, of: row.layout, for: key, at: now)
        // A row whose key was given before may be one that was deleted.
        if !object.key.isTemporary { coordinator.noteOldRows() }
      }
    }
    forEachUpdated { _, key, row, snapshot in
      cache.setUpdated(snapshot, of: row.layout, for: key, at: now)
    }
    for row in rows.deletes { cache.setGone(row.layout, for: key(row.primaryKey, row.layout)) }
    cache.set(receipt.derived, of: store.number)
  }

  /// Puts the rows that conflict with the save into the cache, so that a refresh sees the same rows.
  private func remember(_ conflicts: [RowConflict], in coordinator: NSPersistentStoreCoordinator) {
    for row in conflicts {
      let key = key(row.primaryKey, row.layout)
      if let stored = row.stored {
        store.rowCache.set(stored, of: row.layout, for: key)
      } else {
        store.rowCache.setGone(row.layout, for: key)
      }
    }
    coordinator.noteOldRows()
  }
}
