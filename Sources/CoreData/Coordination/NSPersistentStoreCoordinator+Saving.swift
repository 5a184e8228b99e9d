import Foundation
import Synchronization

// MARK: - Saving

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
  ) throws -> [SavedPart] {
    saving.lock()
    defer { saving.unlock() }
    let saved = try save(changes, assigned: context.assignments)
    audience.tell(MergedChanges(saved), except: context)
    return saved
  }

  /// Saves a context's changes in every store they concern: all, or none.
  func save(
    _ changes: ChangeSet,
    assigned assignments: [ObjectIdentifier: NSPersistentStore]
  ) throws -> [SavedPart] {
    saving.lock()
    defer { saving.unlock() }
    let parts = try changes.parts(among: persistentStores, assigned: assignments)
    var transactions: [any SaveTransaction] = []
    do {
      for part in parts { transactions.append(try part.store.rows.beginSave()) }
      let keys = try reserveKeys(for: parts, of: changes, in: transactions)
      let saved = try zip(parts, transactions).map { part, transaction in
        var planner = SavePlanner(part, keys: keys, in: transaction)
        let outcome = try planner.outcome()
        let receipt = try perform(outcome.plan, in: part.store, transaction)
        return SavedPart(store: part.store, outcome: outcome, receipt: receipt)
      }
      for transaction in transactions { try transaction.commit() }
      for part in saved { remember(part) }
      return saved
    } catch {
      for transaction in transactions { transaction.rollback() }
      throw SaveFailure.translated(error, changes)
    }
  }

  /// Performs a plan; the rows that stand against it are in the cache afterwards, so that a refresh
  /// sees what the save has seen.
  private func perform(
    _ plan: SavePlan,
    in store: NSPersistentStore,
    _ transaction: any SaveTransaction
  ) throws -> SaveReceipt {
    do {
      return try transaction.perform(plan)
    } catch let error as SaveConflicts {
      for row in error.conflicts {
        let key = ObjectKey(store: store.number, root: row.layout.rootNumber, number: row.number)
        if let stored = row.stored {
          store.rowCache.set(stored, of: row.layout, for: key)
        } else {
          store.rowCache.setGone(row.layout, for: key)
        }
      }
      changes.add(1, ordering: .acquiringAndReleasing)
      throw error
    }
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
    if !plan.updates.isEmpty || !plan.deletes.isEmpty || !part.receipt.derived.isEmpty {
      changes.add(1, ordering: .acquiringAndReleasing)
    }
    for (row, snapshot) in zip(plan.inserts, part.receipt.inserted) {
      let key = ObjectKey(store: store.number, root: row.layout.rootNumber, number: row.number)
      store.rowCache.set(snapshot, of: row.layout, for: key)
    }
    for (row, snapshot) in zip(plan.updates, part.receipt.updated) {
      let key = ObjectKey(store: store.number, root: row.layout.rootNumber, number: row.number)
      store.rowCache.set(snapshot, of: row.layout, for: key)
    }
    for row in plan.deletes {
      let key = ObjectKey(store: store.number, root: row.layout.rootNumber, number: row.number)
      store.rowCache.setGone(row.layout, for: key)
    }
    store.rowCache.set(part.receipt.derived, of: store.number)
  }
}
