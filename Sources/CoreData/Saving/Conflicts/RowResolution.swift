import CoreDataModel

/// Makes one object agree with its row as somebody else has left it, by the rules of a policy.
///
/// ```
///                 title    text     stars
/// as read         One      –        0
/// in memory       Mine     –        5         title and stars are mine
/// in the store    Theirs   long     0         title and text are theirs
///
/// store trump     Theirs   long     5
/// object trump    Mine     long     5
/// overwrite       Mine     –        5
/// rollback        Theirs   long     0
/// ```
///
/// Afterwards the object has the row's version, so that the next attempt finds what it expects.
struct RowResolution {
  private let object: NSManagedObject
  private let context: NSManagedObjectContext
  /// The row as it is; nil when it is gone.
  private let stored: Snapshot?
  private let rule: MergeRule

  /// `nil` for an object that has left its context since.
  init?(_ conflict: NSMergeConflict, _ policy: NSMergePolicyType) throws {
    try self.init(conflict.sourceObject, stored: conflict.currentRow(), policy)
  }

  init?(_ object: NSManagedObject, stored: Snapshot?, _ policy: NSMergePolicyType) {
    guard let context = object.managedObjectContext else { return nil }
    self.object = object
    self.context = context
    self.stored = stored
    rule = policy.rule
  }

  func perform() throws {
    switch object.life {
    case .detached, .fault, .inserted:
      return
    case .clean, .updated:
      if let stored { try merge(stored) } else { try settleMissingRow() }
    case .deleted:
      if let stored { try settleDeletion(stored) } else { drop() }
    }
  }
}

// MARK: - The row has other values

extension RowResolution {
  private func merge(_ row: Snapshot) throws {
    let base = object.snapshot ?? row
    object.forgetIdleChanges()
    let theirs = object.slots(differingFrom: base, in: row)
    let mine = object.existingOverlay?.changed ?? SlotSet()
    try object.observed(on: Array(theirs) + Array(mine)) {
      switch rule.changes {
      case .stay: break
      case .stayWhereRowHasNone: try object.takeBack(mine.filter { theirs.contains($0) })
      case .givenUp: try object.takeBack(Array(mine))
      }
      if rule.overwrites { push(theirs.filter { !mine.contains($0) }) }
      try object.rebase(on: row)
    }
    object.noteMerge()
  }

  /// Makes values that were only read into changes, so that they are written over the store's.
  private func push(_ slots: [Int]) {
    for slot in slots where object.layout.slots[slot].attribute?.derivationExpression == nil {
      let value = object.value(at: slot)
      object.overlay.set(value, at: slot)
      object.overlay.markChanged(slot)
    }
  }
}

// MARK: - The row is gone

extension RowResolution {
  private func settleMissingRow() throws {
    if rule.insists { return try bringBack() }
    object.leaveOthers()
    drop()
  }

  /// The object follows its row.
  private func drop() {
    let wasDeleted = object.willBeDeleted
    context.tracker.leave(object)
    if !wasDeleted { context.tracker.event.deleted.append(object) }
    context.pending.settle(object)
    context.forget(object)
  }

  /// The row is written again, with its key and the columns it had.
  ///
  /// ```
  /// note.folder   ─▶ F    comes back: nobody else has written it down
  /// note.covers   ─▶ F    stays dissolved: F.cover is written in F's row, and leads nowhere now
  /// note.tags     ─▶ t    stays dissolved: the pair is gone
  /// ```
  ///
  /// References to it in other rows are not brought back; related objects without changes read theirs again.
  private func bringBack() throws {
    for slot in 0..<object.layout.propertyCount where object.layout.slots[slot].isPersistent {
      if object.layout.kinds[slot].isToMany {
        let collection = object.collection(at: slot)
        if let inverse = object.layout.slots[slot].end?.inverse {
          for member in object.knownOthers(at: slot) where !collection.added.contains(member) {
            object.forget(in: member, at: inverse)
          }
        }
        collection.becomeNew()
      } else if object.layout.kinds[slot] == .toOne, try staysDissolved(slot) {
        object.overlay.set(.null, at: slot)
        object.overlay.markChanged(slot)
      }
    }
    context.tracker.insertAgain(object)
    object.isNotedInEvent = true
    object.awake(fromSnapshotEvents: .mergePolicy)
  }

  /// Whether a to-one relationship that was not changed here leads to a row that is gone as well, or
  /// to one that has its own column for it; that one forgets the object then.
  private func staysDissolved(_ slot: Int) throws -> Bool {
    guard object.existingOverlay?.changed.contains(slot) != true,
      let target = object.target(at: slot)
    else { return false }
    guard let pair = object.layout.oneToOnes.first(where: { $0.slot == slot }) else {
      return try !target.hasChanges && !hasRow(target)
    }
    _ = try hasRow(target)
    object.leave(target, at: pair.inverse)
    return true
  }

  /// Whether a related object is in its store, which is asked; its row is what a refresh takes then.
  private func hasRow(_ other: NSManagedObject) throws -> Bool {
    let key = other.key
    guard let store = context.persistentStoreCoordinator?.store(numbered: key.store) else {
      return true
    }
    return try context.readPresentRow(for: key, of: other.layout, in: store) != nil
  }
}

// MARK: - The object was deleted here

extension RowResolution {
  private func settleDeletion(_ row: Snapshot) throws {
    if rule.insists {
      object.snapshot = row
      return try deleteWithNewcomers()
    }
    context.tracker.leave(object)
    context.pending.settle(object)
    object.life = object.existingOverlay == nil ? .clean : .updated
    object.trackerIndex = -1
    if object.willBeUpdated { context.tracker.update(object) }
    object.rejoinOthers()
    try merge(row)
  }

  /// Applies the delete rules once more, for objects that others have related to this one since.
  private func deleteWithNewcomers() throws {
    for slot in 0..<object.layout.propertyCount where object.layout.kinds[slot].isToMany {
      object.existingOverlay?.forget(slot)
      try object.loadMembers(at: slot)
      guard let inverse = object.layout.slots[slot].end?.inverse else { continue }
      for member in object.collection(at: slot).members {
        try member.prepareToChange(at: inverse)
      }
    }
    for (slot, inverse) in object.layout.oneToOnes {
      object.existingOverlay?.forget(slot)
      guard let target = object.target(at: slot), target !== object, !target.willBeDeleted else {
        continue
      }
      if try !target.hasChanges && hasRow(target) { context.renew(target, mergeChanges: true) }
      try target.prepareToChange(at: inverse)
    }
    DeletePropagation(object).perform()
  }
}
