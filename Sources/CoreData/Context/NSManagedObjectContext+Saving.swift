import Foundation

// MARK: - Saving

extension NSManagedObjectContext {
  /// Writes the unsaved changes to the stores: all of them, or none.
  ///
  /// ```
  /// willSave → delete rules → validation → plan → one transaction for each store → adopt → didSave
  /// ```
  ///
  /// Throws the validation failure, or 1560 with all of them; 133020 when a row has changed in the
  /// store since it was read, and 133021 when values must be unique and are not, unless the
  /// ``mergePolicy`` resolves it; 134030 with SQLite's words when a store cannot write. After an error
  /// everything is as before the call, and the save can be tried again; but for 134040, which tells that
  /// of several stores some were saved and others, with the objects in the error, were not.
  ///
  /// A child saves to its parent alone: its changes become the parent's, on the parent's queue, and no
  /// statement is run. Throws 133020 when the parent has deleted an object that was changed here.
  public func save() throws {
    checkQueue()
    announceSaveToCome()
    var changes = try validChanges()
    if let parent {
      if !changes.isEmpty { try push(changes, to: parent) }
    } else if !changes.isEmpty || persistentStoreCoordinator?.hasUnsavedMetadata == true {
      let coordinator = requiredCoordinator
      let generation = coordinator.rowGeneration
      changes = try saveResolvingConflicts(changes)
      // What this context saves makes none of its own rows old.
      if oldestWaitingGeneration == generation, coordinator.rowGeneration == generation + 1 {
        oldestWaitingGeneration = generation + 1
      }
      advanceGeneration()
    }
    tellChildren(MergedChanges(changes))
    announceSave(of: changes)
  }

  /// The changes after `willSave`, delete rules and validation; again from the beginning for objects
  /// that validation has brought in.
  private func validChanges() throws -> ChangeSet {
    processPendingChanges()
    propagateDeletes()
    var objects = ChangeSet(tracker).all
    for _ in 0..<Self.patience {
      try callWillSave(on: objects)
      tracker.compact()
      let changes = ChangeSet(tracker, locked: lockedObjects)
      if !defersValidation { try ObjectValidation.validate(changes) }
      if pendingDeletions.isEmpty, tracker.holds(as: changes) { return changes }
      objects = tracker.event.changed
      processPendingChanges()
      propagateDeletes()
    }
    throw SaveFailure.endlessChanges.error
  }

  /// Calls `willSave` on objects that will be saved; on those that change meanwhile, again.
  private func callWillSave(on objects: [NSManagedObject]) throws {
    var objects = objects
    for _ in 0..<Self.patience {
      for object in objects { object.willSave() }
      objects = tracker.event.changed
      processPendingChanges()
      propagateDeletes()
      if objects.isEmpty { return }
    }
    throw SaveFailure.endlessChanges.error
  }

  /// How often objects may change again before the save is given up.
  private static var patience: Int { 1000 }
}

// MARK: - Adopting what was saved

extension NSManagedObjectContext {
  /// Takes over what the stores have agreed to: permanent identities, versions, stored values.
  func adopt(_ saved: [SavedPart]) {
    adoptRows(saved)
    tracker.forgetSaved()
    forgetHiddenMerges()
    assignments = [:]
    lockedObjects = []
  }

  func adoptRows(_ saved: [SavedPart]) {
    let family = family
    for part in saved {
      for (object, (row, snapshot)) in zip(
        part.outcome.inserted,
        zip(part.outcome.plan.inserts, part.receipt.inserted)
      ) {
        let root = object.layout.rootNumber
        let key = ObjectKey(store: part.store.number, root: root, number: row.number)
        object.rename(to: key, noting: family)
        object.adopt(snapshot)
      }
      for (object, (row, snapshot)) in zip(
        part.outcome.updated,
        zip(part.outcome.plan.updates, part.receipt.updated)
      ) {
        object.adopt(snapshot, of: row)
      }
      for object in part.outcome.deleted { forget(object) }
      adoptDerived(part.receipt.derived, of: part.store.number)
    }
  }

  /// Gives new objects their permanent identities before they are saved.
  ///
  /// One short transaction for each store, which reserves the keys; a key whose object is never saved
  /// is not used again. What a child has saved to its parent already gets its identity there.
  public func obtainPermanentIDs(for objects: [NSManagedObject]) throws {
    checkQueue()
    try obtainFromParent(objects)
    let new = objects.filter { $0.isInserted && $0.record.pointee.key.isTemporary }
    for (store, objects) in try Dictionary(grouping: new, by: store(for:)) {
      let transaction = try store.rows.beginSave()
      do {
        let keys = try reserveKeys(for: objects, in: transaction)
        try transaction.commit()
        for (number, object) in zip(keys, objects) {
          let root = object.layout.rootNumber
          let key = ObjectKey(store: store.number, root: root, number: number)
          object.rename(to: key, noting: family)
        }
      } catch {
        transaction.rollback()
        throw error
      }
    }
  }

  private func reserveKeys(
    for objects: [NSManagedObject],
    in transaction: any SaveTransaction
  ) throws -> [Int64] {
    if let own = transaction as? any ObjectTransaction { return try own.reserveKeys(for: objects) }
    var next: [Int32: Int64] = [:]
    for (root, objects) in Dictionary(grouping: objects, by: \.layout.rootNumber) {
      next[root] = try transaction.reserveKeys(root: root, count: objects.count)
    }
    return objects.map { object in
      let number = next[object.layout.rootNumber] ?? 0
      next[object.layout.rootNumber] = number + 1
      return number
    }
  }

  private func store(for object: NSManagedObject) throws -> NSPersistentStore {
    if let assigned = assignments[ObjectIdentifier(object)] { return assigned }
    let stores = requiredCoordinator.persistentStores
    guard let store = stores.first(where: { $0.holds(object.layout) && !$0.isReadOnly }) else {
      throw SaveFailure.homeless(object.layout, among: stores)
    }
    return store
  }
}

extension NSManagedObject {
  /// Takes over an updated row.
  ///
  /// Where the row's version was not checked, others may have changed values that this object has not
  /// seen; it keeps what it knows, so that the next change of its own is checked.
  fileprivate func adopt(_ snapshot: Snapshot, of row: RowUpdate) {
    guard row.expectedVersion == nil, let known = record.pointee.snapshot else {
      adopt(snapshot)
      return
    }
    var slots = row.changed
    slots.formUnion(layout.derivedSlots)
    record.pointee.snapshot = known.replacing(slots, from: snapshot, in: layout)
  }

  /// What the store has now is what this object has.
  func adopt(_ snapshot: Snapshot) {
    record.pointee.snapshot = snapshot
    record.pointee.life = .clean
    record.pointee.trackerIndex = -1
    guard let overlay = record.pointee.overlay else { return }
    guard !overlay.present.isDisjoint(with: layout.slotsKeptInMemory) else {
      overlay.deallocate()
      record.pointee.overlay = nil
      return
    }
    overlay.changed = SlotSet()
    for slot in overlay.present {
      if case .collection(let collection) = overlay[slot] {
        collection.forgetChanges()
      } else if !layout.slotsKeptInMemory.contains(slot) {
        overlay.forget(slot)
      }
    }
  }
}

// MARK: - Taking changes back

extension NSManagedObjectContext {
  /// Discards every unsaved change: new objects are forgotten, deleted ones are back, changed ones
  /// have their stored values.
  ///
  /// Reads nothing, except for those who observe values of unread relationships.
  public func rollback() {
    checkQueue()
    processPendingChanges()
    forgetUndo()
    let changes = ChangeSet(tracker)
    tracker.removeAll()
    lockedObjects = []
    for object in pendingDeletions where object.record.pointee.snapshot == nil { forget(object) }
    pendingDeletions = []
    assignments = [:]
    for object in changes.inserted {
      forget(object)
      // Who has heard of it hears that it is gone.
      tracker.event.deleted.append(object)
    }
    let stored = changes.updated + changes.deleted
    let observed = stored.filter(\.isObserved).map { ($0, $0.willReplaceValues(.rollback)) }
    for object in stored { object.takeBackValues() }
    showHiddenMerges()
    OneWayRelationships(to: changes.deleted, in: self).readAnew()
    for (object, slots) in observed { object.didReplaceValues(at: slots) }
    for object in stored {
      object.awake(fromSnapshotEvents: .rollback)
      noteRefreshed(object, at: SlotSet())
    }
    processPendingChanges()
  }
}

extension NSManagedObject {
  fileprivate var isObserved: Bool { record.pointee.watch.contains(.observed) }

  fileprivate func takeBackValues() {
    record.pointee.life = .clean
    record.pointee.isNotedInEvent = false
    if let overlay = record.pointee.overlay {
      for slot in overlay.present {
        if case .collection(let collection) = overlay[slot] {
          collection.revert()
        } else if overlay.changed.contains(slot) {
          overlay.forget(slot)
        }
      }
      overlay.changed = SlotSet()
      overlay.changedInEvent = SlotSet()
    }
  }
}
