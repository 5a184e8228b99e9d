import Foundation

// MARK: - Saving against others

extension NSManagedObjectContext {
  func lockObject(_ object: NSManagedObject) {
    checkQueue()
    guard object.managedObjectContext === self, parent == nil else { return }
    if object.isFault { object.fireFault() }
    guard !object.willBeInserted, !object.isInaccessible else { return }
    pending.lock(object)
  }

  /// How often a policy may resolve conflicts in one save, while others go on writing.
  private static let rounds = 10

  /// Saves; if others have been faster, asks the merge policy and tries again.
  ///
  /// ```
  /// plan → perform ─ refused ─▶ roll back → conflicts → policy → validate → plan …
  /// ```
  ///
  /// Returns the changes as they were saved in the end. After an error the context is as before, even if a policy has
  /// changed objects.
  func saveResolvingConflicts(_ changes: ChangeSet) throws -> ChangeSet {
    var changes = changes
    var before: ContextMemento?
    var reasons: Set<String> = []
    do {
      for _ in 0..<Self.rounds {
        switch try requiredCoordinator.save(changes, of: self) {
        case .saved(let parts):
          adopt(parts)
          before?.tellRelatives()
          if before != nil { processPendingChanges() }
          changes.historyToken = .reached(by: parts)
          return changes
        case .incomplete(let save):
          before = nil
          adoptAlone(save.saved)
          throw save.error
        case .refused(let refusal):
          before = before ?? ContextMemento(self)
          try resolve(refusal, seen: &reasons)
          changes = try validChangesAfterMerge()
        }
      }
      throw SaveFailure.endlessConflicts.error
    } catch {
      before?.restore()
      throw error
    }
  }

  /// Lets the objects that a policy has changed, and those that change then, make up for it: what one
  /// counts may have become more.
  ///
  /// Nobody else hears of changes before the save has succeeded, for they may be taken back.
  private func callWillSaveAfterMerge() {
    var asked: Set<ObjectIdentifier> = []
    while true {
      let objects = tracker.event.changed.filter {
        $0.managedObjectContext === self && $0.hasChanges
          && asked.insert(ObjectIdentifier($0)).inserted
      }
      if objects.isEmpty { return }
      for object in objects where object.hasChanges { object.willSave() }
    }
  }

  /// Returns the changes to save now, including those that validation itself has made.
  private func validChangesAfterMerge() throws -> ChangeSet {
    let changes = ChangeSet(tracker)
    changes.countQuietValues()
    try ObjectValidation.validate(changes)
    propagateDeletes()
    return changesToSave()
  }

  /// Takes over what some of the stores have saved; the changes of the others stay unsaved.
  private func adoptAlone(_ saved: [StoreSave]) {
    let changes = ChangeSet(saved)
    for object in changes.all {
      tracker.leave(object)
      pending.assign(object, to: nil)
    }
    adoptRows(saved)
    processPendingChanges()
    tellChildren(MergedChanges(changes))
    announceSave(of: changes)
  }

  /// Lets the policy resolve the conflicts of a save; its changes cannot be undone.
  private func resolve(_ refusal: SaveRefusal, seen: inout Set<String>) throws {
    guard let policy = mergePolicy as? NSMergePolicy else { return }
    try withoutRecording {
      let conflicts = refusal.conflicts(in: self)
      guard seen.isDisjoint(with: refusal.reasons) else {
        throw ConflictFailure.left(conflicts, by: policy)
      }
      seen.formUnion(refusal.reasons)
      try policy.resolve(mergeConflicts: conflicts)
      propagateDeletes()
      callWillSaveAfterMerge()
      propagateDeletes()
      tracker.compact()
    }
  }
}
