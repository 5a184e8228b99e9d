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
    do {
      let saved = try save(changes, assigned: context.assignments)
      audience.tell(MergedChanges(saved), except: context)
      return saved
    } catch let incomplete as IncompleteSave {
      audience.tell(MergedChanges(incomplete.saved), except: context)
      throw incomplete
    }
  }

  /// Whether a store was given metadata that no save has written.
  var hasUnsavedMetadata: Bool { persistentStores.contains(where: \.hasUnsavedMetadata) }

  /// Saves a context's changes in every store they concern: all, or none.
  ///
  /// ```
  /// begin everywhere → reserve keys → plan everything → perform → commit
  /// ```
  ///
  /// Throws ``IncompleteSave`` where a store fails after another has saved for good.
  func save(
    _ changes: ChangeSet,
    assigned assignments: [ObjectIdentifier: NSPersistentStore]
  ) throws -> [SavedPart] {
    saving.lock()
    defer { saving.unlock() }
    let changed = try changes.parts(among: persistentStores, assigned: assignments)
    let parts = changed + metadataParts(besides: changed)
    var transactions: [any SaveTransaction] = []
    var identities = PermanentIdentities()
    var saved: [SavedPart] = []
    do {
      for part in parts { transactions.append(try part.store.rows.beginSave()) }
      let keys = try reserveKeys(for: parts, of: changes, in: transactions)
      let outcomes = try zip(parts, transactions).map { part, transaction in
        var planner = SavePlanner(part, keys: keys, in: transaction)
        return try planner.outcome()
      }
      for (part, transaction) in zip(parts, transactions) where part.store.hasUnsavedMetadata {
        try transaction.setMetadata(part.store.metadata)
      }
      let order = Self.order(of: transactions)
      var performed: [Int: SavedPart] = [:]
      for index in order {
        let (part, transaction) = (parts[index], transactions[index])
        if transaction is any ObjectTransaction { identities.give(part, keys) }
        let receipt = try perform(outcomes[index], in: part.store, transaction)
        performed[index] = SavedPart(store: part.store, outcome: outcomes[index], receipt: receipt)
        if (transaction as? any ObjectTransaction)?.isIrrevocable == true {
          saved += [performed[index]].compactMap { $0 }
        }
      }
      // What cannot be taken back comes first, so that it is not left waiting for the others.
      for index in order.reversed() {
        try transactions[index].commit()
        parts[index].store.hasUnsavedMetadata = false
        if !saved.contains(where: { $0.store === parts[index].store }) {
          saved += [performed[index]].compactMap { $0 }
        }
      }
      for part in saved { remember(part) }
      identities.announce()
      return saved
    } catch {
      for transaction in transactions { transaction.rollback() }
      identities.takeBack(except: saved)
      if !saved.isEmpty {
        for part in saved { remember(part) }
        let failed = parts.filter { part in !saved.contains { $0.store === part.store } }
        throw IncompleteSave(saved: saved, failed: failed, cause: error)
      }
      throw SaveFailure.translated(error, changes)
    }
  }

  /// Stores that can take back what they perform come first.
  private static func order(of transactions: [any SaveTransaction]) -> [Int] {
    let own = transactions.indices.filter { transactions[$0] is any ObjectTransaction }
    let others = transactions.indices.filter { !own.contains($0) }
    return others + own
  }

  /// The stores whose metadata alone are to be written.
  private func metadataParts(besides parts: [StoreChanges]) -> [StoreChanges] {
    persistentStores.filter { store in
      store.hasUnsavedMetadata && !store.isReadOnly && !parts.contains { $0.store === store }
    }.map { StoreChanges(store: $0) }
  }

  /// Performs a plan; the rows that stand against it are in the cache afterwards, so that a refresh
  /// sees what the save has seen.
  private func perform(
    _ outcome: SavePlanner.Outcome,
    in store: NSPersistentStore,
    _ transaction: any SaveTransaction
  ) throws -> SaveReceipt {
    do {
      guard let own = transaction as? any ObjectTransaction else {
        return try transaction.perform(outcome.plan)
      }
      return try own.perform(outcome)
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
