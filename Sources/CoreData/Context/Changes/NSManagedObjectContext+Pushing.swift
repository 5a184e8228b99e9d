import Foundation

// MARK: - A child's save

extension NSManagedObjectContext {
  /// Makes this context's changes unsaved changes of its parent.
  ///
  /// ```
  /// plan here ─▶ perform in the parent, on its queue ─▶ adopt here
  /// ```
  ///
  /// If both have changed a value, the child's wins, property by property. An object that the parent has deleted
  /// since refuses the save, as a missing row would.
  func push(_ changes: ChangeSet, to parent: NSManagedObjectContext) throws {
    followRenamings()
    let plan = try pushPlan(for: changes)
    do {
      try parent.queue.sync {
        let generation = rowGeneration
        try parent.take(plan)
        parent.tellChildren(MergedChanges(changes), except: self)
        if hasMergesUnderway {
          // Changes that others have made to the same objects come with their merge.
          noteRows(try parent.passedRows(named: (plan.inserted + plan.updated).map(\.name)))
        }
        // The context's own push does not make its rows old.
        freshness.noteOwnSave(from: generation, to: rowGeneration)
      }
    } catch let missing as MissingObjects {
      throw ConflictFailure.unresolved(missing.keys.compactMap { conflict(about: $0) }, [])
    }
    adopt(plan, of: changes)
  }

  /// An object that the parent does not have any more.
  private func conflict(about key: ObjectKey) -> NSMergeConflict? {
    guard let object = identityMap[key] else { return nil }
    return NSMergeConflict(
      source: object,
      newVersion: 0,
      oldVersion: object.snapshot.map { Int($0.version) } ?? 0,
      cachedSnapshot: nil,
      persistedSnapshot: nil
    )
  }

  private func adopt(_ plan: PushPlan, of changes: ChangeSet) {
    for (object, pushed) in zip(changes.inserted, plan.inserted) { object.adopt(pushed.snapshot) }
    for (object, pushed) in zip(changes.updated, plan.updated) { object.adopt(pushed.snapshot) }
    for object in changes.deleted { forget(object) }
    tracker.forgetSaved()
    forgetHiddenMerges()
    pending.forgetAssignments()
  }
}

// MARK: - Permanent identities

extension NSManagedObjectContext {
  /// Has the parent obtain the identities of objects that are in the parent already.
  func obtainFromParent(_ objects: [NSManagedObject]) throws {
    guard let parent else { return }
    followRenamings()
    let names = objects.filter { object in
      object.managedObjectContext === self && !object.willBeInserted
        && object.key.isTemporary
    }.map { ObjectName($0) }
    if names.isEmpty { return }
    try parent.queue.sync {
      try parent.obtainPermanentIDs(for: names.map { parent.object(for: $0.key, of: $0.layout) })
    }
    followRenamings()
  }
}

// MARK: - The parent takes it

extension NSManagedObjectContext {
  /// Takes a child's changes; nothing has changed when it throws.
  ///
  /// New objects keep the names that the child gave them. `awakeFromInsert` and `prepareForDeletion` have run in the
  /// child and do not run again; Apple does not document the behaviour of its framework here.
  fileprivate func take(_ plan: PushPlan) throws {
    followRenamings()
    let updated = try presentObjects(plan.updated)
    let deleted = try plan.deleted.compactMap { name in
      let object = object(for: name.key, of: name.layout)
      return try object.fulfilFault() && !object.willBeDeleted ? object : nil
    }
    let inserted = plan.inserted.map { pushed in
      let object = enrol(pushed.name)
      if let store = pushed.assignedStore { pending.assign(object, to: store) }
      return object
    }
    let changed = Array(zip(inserted + updated, plan.inserted + plan.updated))
    for (object, pushed) in changed { object.takeAttributes(pushed) }
    for (object, pushed) in changed { object.takeTargets(pushed) }
    for (object, pushed) in changed where !pushed.collections.isEmpty {
      takeMembers(of: object, pushed)
    }
    for (object, pushed) in changed where !pushed.collections.isEmpty {
      takeOrders(of: object, pushed)
    }
    for object in deleted where !object.willBeDeleted { markDeleted(object) }
    processPendingChanges()
  }

  /// The objects with their values; throws ``MissingObjects`` when some are gone.
  private func presentObjects(_ pushed: [PushedObject]) throws -> [NSManagedObject] {
    var missing: [ObjectKey] = []
    let objects = try pushed.map { pushed in
      let object = object(for: pushed.name.key, of: pushed.name.layout)
      if try !object.fulfilFault() || object.willBeDeleted { missing.append(pushed.name.key) }
      return object
    }
    if !missing.isEmpty { throw MissingObjects(keys: missing) }
    return objects
  }

  /// The new object, which may be known here as a fault that leads nowhere yet, or as one whose
  /// deletion the child had saved before it took it back.
  private func enrol(_ name: ObjectName) -> NSManagedObject {
    let object = object(for: name.key, of: name.layout)
    if object.life == .deleted, object.snapshot != nil {
      insertObject(object)
      return object
    }
    object.existingOverlay?.deallocate()
    object.existingOverlay = nil
    object.snapshot = nil
    object.life = .detached
    enrol(object)
    return object
  }

  private func takeMembers(of object: NSManagedObject, _ pushed: PushedObject) {
    for collection in pushed.collections {
      guard let difference = collection.difference else { continue }
      for name in difference.removed {
        object.removeMember(self.object(for: name.key, of: name.layout), at: collection.slot)
      }
      for name in difference.added {
        let member = self.object(for: name.key, of: name.layout)
        if !member.willBeDeleted { object.addMember(member, at: collection.slot) }
      }
    }
  }

  private func takeOrders(of object: NSManagedObject, _ pushed: PushedObject) {
    for collection in pushed.collections {
      guard let order = collection.order else { continue }
      let known = object.loadedCollection(at: collection.slot)
      let wanted = order.map { self.object(for: $0.key, of: $0.layout) }
      let merged = MergedOrder.merge(wanted, into: known.members)
      if known.members.elementsEqual(merged, by: ===) { continue }
      object.changing(collection.slot) { known.reorder(merged) }
    }
  }
}

extension NSManagedObject {
  fileprivate func takeAttributes(_ pushed: PushedObject) {
    for slot in pushed.given {
      let entry = layout.slots[slot]
      guard entry.isPersistent, entry.attribute != nil else { continue }
      set(SlotValue(unpacking: slot, of: pushed.snapshot, in: layout), at: slot)
    }
    for case (let slot, .attribute(let value)) in pushed.transients { set(value, at: slot) }
  }

  /// A target that is deleted here becomes `nil`.
  fileprivate func takeTargets(_ pushed: PushedObject) {
    for slot in pushed.given {
      let entry = layout.slots[slot]
      guard entry.isPersistent, entry.kind == .toOne else { continue }
      let target = storedTarget(at: slot, in: pushed.snapshot)
      setTarget(target?.willBeDeleted == true ? nil : target, at: slot)
    }
    for case (let slot, .target(let name)) in pushed.transients {
      let target = name.flatMap { managedObjectContext?.object(for: $0.key, of: $0.layout) }
      setTarget(target?.willBeDeleted == true ? nil : target, at: slot)
    }
  }
}

/// Objects that a child has changed and its parent has deleted.
private struct MissingObjects: Error {
  let keys: [ObjectKey]
}
