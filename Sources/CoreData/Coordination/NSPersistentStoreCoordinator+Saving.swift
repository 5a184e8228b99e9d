import Foundation
import Synchronization

// MARK: - Saving

/// What came of an attempt to save.
enum SaveAttempt {
  case saved([SavedPart])
  /// Others stand against it; nothing was written.
  case refused(SaveRefusal)
  /// A store could not end its transaction when another had ended it already.
  case incomplete(saved: [SavedPart], unsaved: [SavedPart], any Error)
}

/// What one store has saved.
struct SavedPart {
  let store: NSPersistentStore
  let outcome: SavePlanner.Outcome
  let receipt: SaveReceipt
}

extension NSPersistentStoreCoordinator {
  /// Saves a context's changes, and tells the contexts that merge what others save, in the order of
  /// the saves.
  func saveAndTell(
    _ changes: ChangeSet,
    of context: NSManagedObjectContext
  ) throws -> SaveAttempt {
    saving.lock()
    defer { saving.unlock() }
    let attempt = try save(changes, assigned: context.assignments)
    switch attempt {
    case .saved(let parts), .incomplete(let parts, _, _):
      audience.tell(MergedChanges(parts), except: context)
    case .refused:
      break
    }
    return attempt
  }

  /// Saves a context's changes in every store they concern: all, or none.
  ///
  /// A refusal tells of everything that stands against it in all the stores.
  func save(
    _ changes: ChangeSet,
    assigned assignments: [ObjectIdentifier: NSPersistentStore]
  ) throws -> SaveAttempt {
    saving.lock()
    defer { saving.unlock() }
    let parts = try changes.parts(among: persistentStores, assigned: assignments)
    var transactions: [any SaveTransaction] = []
    do {
      for part in parts { transactions.append(try part.store.rows.beginSave()) }
      let keys = try reserveKeys(for: parts, of: changes, in: transactions)
      var refusal = SaveRefusal()
      var saved: [SavedPart] = []
      for (part, transaction) in zip(parts, transactions) {
        var planner = SavePlanner(part, keys: keys)
        var outcome = try planner.outcome()
        if layout.hasConstraints {
          let check = try ConstraintCheck(outcome, in: transaction)
          outcome.plan.vacancies = check.vacancies
          refusal.add(check.violations, in: part.store)
        }
        if let receipt = try perform(outcome.plan, in: part.store, transaction, &refusal) {
          saved.append(SavedPart(store: part.store, outcome: outcome, receipt: receipt))
        }
      }
      guard refusal.isEmpty else {
        for transaction in transactions { transaction.rollback() }
        return .refused(refusal)
      }
      return try commit(saved, transactions)
    } catch {
      for transaction in transactions { transaction.rollback() }
      throw error
    }
  }

  /// Ends all transactions; what one store has committed, another cannot take back.
  private func commit(
    _ saved: [SavedPart],
    _ transactions: [any SaveTransaction]
  ) throws -> SaveAttempt {
    var count = 0
    do {
      for transaction in transactions {
        try transaction.commit()
        count += 1
      }
    } catch  where count > 0 {
      for transaction in transactions { transaction.rollback() }
      for part in saved.prefix(count) { remember(part) }
      return .incomplete(
        saved: Array(saved.prefix(count)),
        unsaved: Array(saved.dropFirst(count)),
        error
      )
    }
    for part in saved { remember(part) }
    return .saved(saved)
  }

  /// Performs a plan unless something stands against it already; then versions are only compared, so
  /// that one error can tell of everything.
  private func perform(
    _ plan: SavePlan,
    in store: NSPersistentStore,
    _ transaction: any SaveTransaction,
    _ refusal: inout SaveRefusal
  ) throws -> SaveReceipt? {
    do {
      if refusal.isEmpty { return try transaction.perform(plan) }
      let conflicts = try transaction.conflicts(with: plan)
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
    if !plan.updates.isEmpty || !plan.deletes.isEmpty {
      changes.add(1, ordering: .acquiringAndReleasing)
    }
    for (object, (row, snapshot)) in zip(
      part.outcome.inserted,
      zip(plan.inserts, part.receipt.inserted)
    ) {
      let key = ObjectKey(store: store.number, root: row.layout.rootNumber, number: row.number)
      // A row whose key was given before may be one that was deleted.
      if object.record.pointee.key.isTemporary {
        store.rowCache.set(snapshot, of: row.layout, for: key)
      } else {
        changes.add(1, ordering: .acquiringAndReleasing)
        store.rowCache.setBack(snapshot, of: row.layout, for: key)
      }
    }
    for (row, snapshot) in zip(plan.updates, part.receipt.updated) {
      let key = ObjectKey(store: store.number, root: row.layout.rootNumber, number: row.number)
      store.rowCache.set(snapshot, of: row.layout, for: key)
    }
    for row in plan.deletes {
      let key = ObjectKey(store: store.number, root: row.layout.rootNumber, number: row.number)
      store.rowCache.setGone(row.layout, for: key)
    }
  }
}
