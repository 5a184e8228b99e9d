import Foundation

// MARK: - Saving

extension NSManagedObjectContext {
  /// Saves, whatever a subclass makes of ``save()``.
  func saveChanges() throws {
    checkQueue()
    // Observers hear of the changes before they hear that these will be saved.
    processPendingChanges()
    announceSaveToCome()
    try checkReading()
    var changes = try validChanges()
    // Validation and delete rules read values, too.
    try checkReading()
    try WatchedThread.watch?.checkSave()
    if let parent {
      if !changes.isEmpty { try push(changes, to: parent) }
    } else if !changes.isEmpty || persistentStoreCoordinator?.hasUnsavedMetadata == true {
      let coordinator = requiredCoordinator
      let generation = coordinator.rowGeneration
      endMomentOfBlock()
      changes = try saveResolvingConflicts(changes)
      // The context's own save does not make its rows old.
      if coordinator.rowGeneration == generation + 1 {
        freshness.noteOwnSave(from: generation, to: generation + 1)
      }
      advanceGeneration()
    }
    tellChildren(MergedChanges(changes))
    announceSave(of: changes)
  }

  /// The changes after `willSave`, delete rules and validation; again from the beginning for objects
  /// that validation has brought in.
  private func validChanges() throws -> ChangeSet {
    var changes = processedChanges()
    var objects = changes.all
    for _ in 0..<Self.patience {
      if try callWillSave(on: objects) { changes = changesToSave() }
      changes.countQuietValues()
      if !defersValidation {
        try ObjectValidation.validate(changes)
        changes.countQuietValues()
      }
      if pending.deletions.isEmpty, tracker.holds(as: changes) { return changes }
      objects = tracker.event.changed
      changes = processedChanges()
    }
    throw SaveFailure.endlessChanges.error
  }

  /// Ends the event, applies the delete rules, and returns what a save would write then.
  func processedChanges() -> ChangeSet {
    processPendingChanges()
    propagateDeletes()
    return changesToSave()
  }

  func changesToSave() -> ChangeSet {
    tracker.compact()
    return ChangeSet(tracker, locked: pending.locked)
  }

  /// Calls `willSave` on objects that will be saved, and again on those that change during the calls.
  ///
  /// Returns whether the changes to save may differ now.
  private func callWillSave(on objects: [NSManagedObject]) throws -> Bool {
    var objects = objects
    var hasChanged = false
    let locked = pending.locked.count
    for _ in 0..<Self.patience {
      for object in objects { object.willSave() }
      objects = tracker.event.changed
      hasChanged = hasChanged || !objects.isEmpty || !pending.deletions.isEmpty
      processPendingChanges()
      propagateDeletes()
      if objects.isEmpty { return hasChanged || pending.locked.count != locked }
    }
    throw SaveFailure.endlessChanges.error
  }

  /// How often objects may change again before the save is given up.
  private static var patience: Int { 1000 }
}

extension ChangeSet {
  /// Has what primitive access has set saved along with the changes of objects.
  func countQuietValues() {
    for object in updated { object.countQuietValues() }
  }
}

// MARK: - Adopting the saved values

extension NSManagedObjectContext {
  /// Takes over what the stores have agreed to: permanent identities, versions, stored values.
  func adopt(_ saved: [StoreSave]) {
    adoptRows(saved)
    tracker.forgetSaved()
    forgetHiddenMerges()
    pending.forgetSaved()
  }

  func adoptRows(_ saved: [StoreSave]) {
    let family = family
    for part in saved {
      part.forEachInserted { object, key, _, snapshot in
        object.rename(to: key, noting: family)
        object.adopt(snapshot)
      }
      part.forEachUpdated { object, _, row, snapshot in object.adopt(snapshot, of: row) }
      for object in part.plan.deleted { forget(object) }
      adoptDerived(part.receipt?.derived ?? [], of: part.store.number)
    }
  }

  func reservePermanentIDs(for objects: [NSManagedObject]) throws {
    checkQueue()
    try obtainFromParent(objects)
    // An object may be among them twice, as what several lead to.
    var seen: Set<NSManagedObject> = []
    let new = objects.filter {
      $0.willBeInserted && $0.key.isTemporary && seen.insert($0).inserted
    }
    for (store, objects) in try Dictionary(grouping: new, by: store(for:)) {
      let transaction = try store.backend.beginSave()
      do {
        let keys = try transaction.reserveKeys(for: objects)
        try transaction.commit()
        for (number, object) in zip(keys, objects) {
          let root = object.layout.rootNumber
          let key = ObjectKey(store: store.number, root: root, number: number)
          object.rename(to: key, noting: family)
          tracker.noteValues(of: object)
        }
      } catch {
        transaction.rollback()
        throw error
      }
    }
  }

  private func store(for object: NSManagedObject) throws -> NSPersistentStore {
    let stores = requiredCoordinator.persistentStores
    guard let store = futureStore(of: object, among: stores) else {
      throw SaveFailure.homeless(object.layout, among: stores)
    }
    return store
  }

  /// The store that a new object goes to: the one that it was assigned to, or the first that can take it.
  fileprivate func futureStore(
    of object: NSManagedObject,
    among stores: [NSPersistentStore]
  ) -> NSPersistentStore? {
    pending.assignments[ObjectIdentifier(object)]
      ?? stores.first { $0.holds(object.layout) && !$0.isReadOnly }
  }
}

extension NSManagedObject {
  /// Whether the object is in one of the stores, or will be when it is saved; `nil` means all stores.
  func belongs(to stores: Set<StoreNumber>?) -> Bool {
    guard let stores else { return true }
    let store = key.store
    if store != .none { return stores.contains(store) }
    guard let context = managedObjectContext,
      let all = context.persistentStoreCoordinator?.persistentStores,
      let future = context.futureStore(of: self, among: all)
    else { return true }
    return stores.contains(future.number)
  }
}

extension NSManagedObject {
  /// Takes over an updated row.
  ///
  /// If the row's version was not checked, others may have changed values that this object has not seen; it keeps
  /// what it knows, so that the next change of its own is checked.
  fileprivate func adopt(_ snapshot: Snapshot, of row: RowUpdate) {
    guard row.expectedVersion == nil, let known = self.snapshot else {
      adopt(snapshot)
      return
    }
    var slots = row.changed
    slots.formUnion(layout.derivedSlots)
    self.snapshot = known.replacing(slots, from: snapshot, in: layout)
  }

  /// Makes `snapshot`, which the store has now, the values of this object.
  func adopt(_ snapshot: Snapshot) {
    // Out of the tracker first, which would look at the values of the others again.
    trackerIndex = -1
    self.snapshot = snapshot
    life = .clean
    guard let overlay = existingOverlay else { return }
    guard !overlay.present.isDisjoint(with: layout.slotsKeptInMemory) else {
      overlay.deallocate()
      existingOverlay = nil
      return
    }
    overlay.changed = SlotSet()
    overlay.quiet = SlotSet()
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
  func takeBackChanges() {
    checkQueue()
    processPendingChanges()
    forgetUndo()
    let changes = ChangeSet(tracker)
    tracker.removeAll()
    for object in pending.deletions.objects where object.snapshot == nil { forget(object) }
    pending = PendingSave()
    for object in changes.inserted {
      forget(object)
      // Observers of the insertion hear that the object is gone.
      tracker.event.deleted.append(object)
    }
    let stored = changes.updated + changes.deleted
    let observed = stored.filter(\.isObserved).map { ($0, $0.willReplaceValues(.rollback)) }
    for object in stored { object.takeBackValues() }
    showHiddenMerges()
    forgetUnreadableValues()
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
  fileprivate var isObserved: Bool { watch.contains(.observed) }

  fileprivate func takeBackValues() {
    life = .clean
    isNotedInEvent = false
    if let overlay = existingOverlay {
      for slot in overlay.present {
        if case .collection(let collection) = overlay[slot] {
          collection.revert()
        } else if overlay.changed.contains(slot) || overlay.quiet.contains(slot) {
          overlay.forget(slot)
        }
      }
      overlay.changed = SlotSet()
      overlay.quiet = SlotSet()
      overlay.forgetEvent()
    }
  }
}
