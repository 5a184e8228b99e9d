import Foundation
import Synchronization

// MARK: - Saving

/// What came of an attempt to save.
enum SaveAttempt {
  case saved([SavedPart])
  /// Others stand against it; nothing was written.
  case refused(SaveRefusal)
  /// A store could not end its transaction when another had ended it already.
  case incomplete(IncompleteSave)
}

/// What one store has saved.
struct SavedPart {
  let store: NSPersistentStore
  let outcome: SavePlanner.Outcome
  let receipt: SaveReceipt
}

extension NSPersistentStoreCoordinator {
  /// Whether a store was given metadata that no save has written.
  var hasUnsavedMetadata: Bool { persistentStores.contains(where: \.hasUnsavedMetadata) }

  /// Saves a context's changes, and tells the contexts that merge what others save, in the order of
  /// the saves.
  func saveAndTell(
    _ changes: ChangeSet,
    of context: NSManagedObjectContext
  ) throws -> SaveAttempt {
    saving.lock()
    defer { saving.unlock() }
    let attempt = try save(changes, assigned: context.assignments, for: context)
    switch attempt {
    case .saved(let parts): audience.tell(MergedChanges(parts), except: context)
    case .incomplete(let save): audience.tell(MergedChanges(save.saved), except: context)
    case .refused: break
    }
    return attempt
  }

  /// Saves a context's changes in every store they concern: all, or none.
  ///
  /// ```
  /// begin everywhere → reserve keys → plan everything → perform → commit
  /// ```
  ///
  /// A refusal tells of everything that stands against it in all the stores.
  func save(
    _ changes: ChangeSet,
    assigned assignments: [ObjectIdentifier: NSPersistentStore],
    for context: NSManagedObjectContext
  ) throws -> SaveAttempt {
    saving.lock()
    defer { saving.unlock() }
    let changed = try changes.parts(among: persistentStores, assigned: assignments)
    let parts = changed + metadataParts(besides: changed)
    var transactions: [any SaveTransaction] = []
    var identities = PermanentIdentities()
    var saved: [SavedPart] = []
    do {
      for part in parts { transactions.append(try part.store.rows.beginSave()) }
      for transaction in transactions where transaction.keepsHistory {
        transaction.sign(HistoryOrigin(of: context))
      }
      let keys = try reserveKeys(for: parts, of: changes, in: transactions)
      var outcomes = try zip(parts, transactions).map { part, transaction in
        var planner = SavePlanner(part, keys: keys, in: transaction)
        return try planner.outcome()
      }
      var refusal = SaveRefusal()
      if layout.hasConstraints {
        for index in parts.indices {
          let check = try ConstraintCheck(outcomes[index], in: transactions[index])
          outcomes[index].plan.vacancies = check.vacancies
          refusal.add(check.violations, in: parts[index].store)
        }
      }
      for (part, transaction) in zip(parts, transactions) where part.store.hasUnsavedMetadata {
        try transaction.setMetadata(part.store.metadata)
      }
      let order = Self.order(of: transactions)
      var performed: [Int: SavedPart] = [:]
      for index in order {
        let (part, transaction) = (parts[index], transactions[index])
        let own = transaction as? any ObjectTransaction
        if own != nil, refusal.isEmpty { identities.give(part, keys) }
        let outcome = outcomes[index]
        guard let receipt = try perform(outcome, in: part.store, transaction, &refusal) else {
          continue
        }
        let done = SavedPart(store: part.store, outcome: outcome, receipt: receipt)
        performed[index] = done
        if own?.isIrrevocable == true { saved.append(done) }
      }
      if !refusal.isEmpty {
        guard saved.isEmpty else { throw SaveFailure.lateConflicts.error }
        for transaction in transactions { transaction.rollback() }
        identities.takeBack(except: [])
        return .refused(refusal)
      }
      // What cannot be taken back comes first, so that it is not left waiting for the others.
      for index in Self.commitOrder(of: transactions) {
        try transactions[index].commit()
        parts[index].store.hasUnsavedMetadata = false
        if !saved.contains(where: { $0.store === parts[index].store }) {
          saved += [performed[index]].compactMap { $0 }
        }
      }
      for part in saved { remember(part) }
      identities.confirm(saved)
      return .saved(saved)
    } catch {
      for transaction in transactions { transaction.rollback() }
      identities.takeBack(except: saved)
      if saved.isEmpty { throw error }
      for part in saved { remember(part) }
      identities.confirm(saved)
      let failed = parts.filter { part in !saved.contains { $0.store === part.store } }
      return .incomplete(IncompleteSave(saved: saved, failed: failed, cause: error))
    }
  }

  /// Stores that can take back what they perform come first.
  private static func order(of transactions: [any SaveTransaction]) -> [Int] {
    let own = transactions.indices.filter { transactions[$0] is any ObjectTransaction }
    let others = transactions.indices.filter { !own.contains($0) }
    return others + own
  }

  /// Stores that have saved for good already come first.
  private static func commitOrder(of transactions: [any SaveTransaction]) -> [Int] {
    let own = transactions.indices.filter { transactions[$0] is any ObjectTransaction }
    return own + transactions.indices.filter { !own.contains($0) }
  }

  /// The stores whose metadata alone are to be written.
  private func metadataParts(besides parts: [StoreChanges]) -> [StoreChanges] {
    persistentStores.filter { store in
      store.hasUnsavedMetadata && !store.isReadOnly && !parts.contains { $0.store === store }
    }.map { StoreChanges(store: $0) }
  }

  /// Performs a plan unless something stands against it already; then versions are only compared, so
  /// that one error can tell of everything.
  private func perform(
    _ outcome: SavePlanner.Outcome,
    in store: NSPersistentStore,
    _ transaction: any SaveTransaction,
    _ refusal: inout SaveRefusal
  ) throws -> SaveReceipt? {
    do {
      if refusal.isEmpty {
        guard let own = transaction as? any ObjectTransaction else {
          return try transaction.perform(outcome.plan)
        }
        return try own.perform(outcome)
      }
      let conflicts = try transaction.conflicts(with: outcome.plan)
      if !conflicts.isEmpty { throw SaveConflicts(conflicts: conflicts) }
    } catch let error as SaveConflicts {
      refusal.add(error.conflicts, in: store)
      remember(error.conflicts, in: store)
    }
    return nil
  }

  /// Puts the rows that stand against a save into the cache, so that a refresh sees what it has seen.
  private func remember(_ conflicts: [RowConflict], in store: NSPersistentStore) {
    for row in conflicts {
      let key = ObjectKey(store: store.number, root: row.layout.rootNumber, number: row.number)
      if let stored = row.stored {
        store.rowCache.set(stored, of: row.layout, for: key)
      } else {
        store.rowCache.setGone(row.layout, for: key)
      }
    }
    changes.add(1, ordering: .acquiringAndReleasing)
  }

  private func reserveKeys(
    for parts: [StoreChanges],
    of changes: ChangeSet,
    in transactions: [any SaveTransaction]
  ) throws -> ReservedKeys {
    var keys = ReservedKeys(count: changes.inserted.count)
    for (part, transaction) in zip(parts, transactions) {
      if let own = transaction as? any ObjectTransaction {
        let new = part.inserted.filter { $0.object.record.pointee.key.isTemporary }
        for ((_, place), number) in zip(new, try own.reserveKeys(for: new.map(\.object))) {
          keys.set(number, in: part.store.number, at: place)
        }
        for (object, place) in part.inserted where !object.record.pointee.key.isTemporary {
          keys.set(object.record.pointee.key.number, in: part.store.number, at: place)
        }
        continue
      }
      var needed: [Int32: Int] = [:]
      for (object, _) in part.inserted where object.record.pointee.key.isTemporary {
        needed[object.layout.rootNumber, default: 0] += 1
      }
      var next: [Int32: Int64] = [:]
      for (root, count) in needed {
        next[root] = try transaction.reserveKeys(root: root, count: count)
      }
      for (object, place) in part.inserted {
        let key = object.record.pointee.key
        let number = key.isTemporary ? next[object.layout.rootNumber] ?? 0 : key.number
        if key.isTemporary { next[object.layout.rootNumber] = number + 1 }
        keys.set(number, in: part.store.number, at: place)
      }
    }
    return keys
  }

  private func remember(_ part: SavedPart) {
    let plan = part.outcome.plan
    let store = part.store
    let now = store.rowCache.now
    if !plan.updates.isEmpty || !plan.deletes.isEmpty || !part.receipt.derived.isEmpty {
      changes.add(1, ordering: .acquiringAndReleasing)
    }
    for (object, (row, snapshot)) in zip(
      part.outcome.inserted,
      zip(plan.inserts, part.receipt.inserted)
    ) {
      let key = ObjectKey(store: store.number, root: row.layout.rootNumber, number: row.number)
      store.rowCache.setInserted(snapshot, of: row.layout, for: key, at: now)
      // A row whose key was given before may be one that was deleted.
      if !object.record.pointee.key.isTemporary {
        changes.add(1, ordering: .acquiringAndReleasing)
      }
    }
    for (row, snapshot) in zip(plan.updates, part.receipt.updated) {
      let key = ObjectKey(store: store.number, root: row.layout.rootNumber, number: row.number)
      store.rowCache.set(snapshot, of: row.layout, for: key, at: now)
    }
    for row in plan.deletes {
      let key = ObjectKey(store: store.number, root: row.layout.rootNumber, number: row.number)
      store.rowCache.setGone(row.layout, for: key)
    }
    store.rowCache.set(part.receipt.derived, of: store.number)
  }
}
