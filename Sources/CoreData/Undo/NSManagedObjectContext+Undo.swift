import Foundation

/// The undo manager and the recorder of a context's changes.
struct ContextUndo {
  var manager: UndoManager?
  /// Hears when the manager wants to know of all changes so far.
  var checkpoints: (any NSObjectProtocol)?
}

// MARK: - Undo and redo

extension NSManagedObjectContext {
  func undoChanges() {
    checkQueue()
    processPendingChanges()
    undoManager?.undo()
  }

  func redoChanges() {
    checkQueue()
    processPendingChanges()
    undoManager?.redo()
  }
}

// MARK: - Registering

extension NSManagedObjectContext {
  /// Follows a new undo manager; changes from now on can be taken back.
  func record(with manager: UndoManager?) {
    let former = recording.manager
    guard former !== manager else { return }
    recording.checkpoints.map(NotificationCenter.default.removeObserver)
    recording = ContextUndo(manager: manager)
    former?.removeAllActions(withTarget: self)
    guard let manager else {
      identityMap.recorder = nil
      return
    }
    identityMap.recorder = UndoRecorder()
    let address = identityMap.address
    recording.checkpoints = NotificationCenter.default.addObserver(
      forName: .NSUndoManagerCheckpoint,
      object: manager,
      queue: nil
    ) { _ in address.context?.processPendingChanges() }
  }

  /// Registers how the event that ends now is taken back.
  func registerUndo() {
    guard let recorder = identityMap.recorder, !recorder.isEmpty, let undoManager else { return }
    let step = recorder.takeStep()
    undoManager.registerUndo(withTarget: self) { $0.takeBack(step) }
  }

  /// Forgets what could be undone: the objects are not what they were then.
  func forgetUndo() {
    identityMap.recorder?.forget()
    undoManager?.removeAllActions(withTarget: self)
  }
}

extension NSManagedObjectContext {
  /// Makes changes that undo does not take back.
  func withoutRecording<Result>(_ body: () throws -> Result) rethrows -> Result {
    let recorder = identityMap.recorder
    identityMap.recorder = nil
    defer { identityMap.recorder = recorder }
    return try body()
  }
}

// MARK: - Taking back

extension NSManagedObjectContext {
  /// Makes the objects of an event what they were before; that is an event as well, which redo
  /// takes back.
  ///
  /// ```
  /// the gone come back → values and members, one end at a time → the new go
  /// ```
  ///
  /// Objects that others have deleted since stay away, and so do those in a store that was removed. If others have
  /// changed relationships since, the ends that the step does not contain follow.
  private func takeBack(_ step: UndoStep) {
    let befores = step.befores.filter { !$0.isDeletedByOthers && !hasLostStore($0.object) }
    var returned: Set<NSManagedObject> = []
    for before in befores where !before.life.isGone && before.object.life.isGone {
      bringBack(before)
      returned.insert(before.object)
    }
    let former = befores.map { $0.targets }
    for before in befores { before.restoreValues() }
    for (before, former) in zip(befores, former) {
      if before.life.isGone {
        before.object.leaveBehind()
        sendAway(before.object)
      } else {
        before.mendOtherEnds(of: former)
      }
    }
    for before in befores {
      before.restoreMarks()
      awake(before.object, returned.contains(before.object) ? .undoDeletion : .undoUpdate)
    }
    processPendingChanges()
  }

  /// Whether the object was in a store that was removed, so that no save could write it.
  private func hasLostStore(_ object: NSManagedObject) -> Bool {
    let key = object.key
    guard !key.isTemporary, let coordinator = persistentStoreCoordinator else { return false }
    return coordinator.store(numbered: key.store) == nil
  }

  private func bringBack(_ before: ObjectBefore) {
    let object = before.object
    identityMap.recorder?.noteInsertion(of: object)
    guard object.life == .deleted else {
      revive(object)
      if let store = before.assignedStore, store.persistentStoreCoordinator != nil {
        pending.assign(object, to: store)
      }
      before.becomeWhole()
      return
    }
    tracker.leave(object)
    pending.settle(object)
    // One that was never stored is new again; until its deletion is propagated, nobody has forgotten it.
    guard object.snapshot != nil else {
      object.life = .inserted
      tracker.insert(object)
      object.isNotedInEvent = true
      return
    }
    object.life = .clean
    renewIfOutdated(object)
    tracker.event.inserted.append(object)
    if before.life == .updated { object.recordChange() }
  }

  /// Inserts an object again that had left the context, without telling it that it is new.
  private func revive(_ object: NSManagedObject) {
    object.snapshot = nil
    object.takeTemporaryNumber()
    object.life = .inserted
    register(object)
    tracker.insert(object)
    object.isNotedInEvent = true
    scheduleEventEnd()
  }

  /// The other ends are restored by themselves, so no delete rule is applied.
  private func sendAway(_ object: NSManagedObject) {
    if object.life.isGone { return }
    if object.isFault { object.fireFault() }
    if object.isInaccessible {
      forget(object)
      return
    }
    identityMap.recorder?.noteDeletion(of: object)
    let wasStored = object.snapshot != nil
    tracker.delete(object)
    scheduleEventEnd()
    awake(object, .undoInsertion)
    if !wasStored { forget(object) }
  }

  /// Informs an object why it has other values; changes that it makes then do not count.
  private func awake(_ object: NSManagedObject, _ reason: NSSnapshotEventType) {
    guard object.managedObjectContext === self,
      !object.willBeDeleted || reason == .undoInsertion
    else {
      return
    }
    object.watch.insert(.awakening)
    object.awake(fromSnapshotEvents: reason)
    object.watch.remove(.awakening)
    tracker.noteValues(of: object)
  }
}

extension ObjectLife {
  /// Whether an object would not be found in its context.
  var isGone: Bool {
    switch self {
    case .detached, .deleted: true
    case .fault, .clean, .inserted, .updated: false
    }
  }
}

// MARK: - One object

extension ObjectBefore {
  fileprivate func restoreValues() {
    for (slot, value) in values {
      switch value {
      case .single(let value): object.set(value.isThere ? value : .null, at: slot)
      case .members(let members):
        object.replaceMembers(by: members.filter(\.isThere), at: slot)
      case .difference(let since):
        object.exchangeMembers(
          losing: since.gained,
          gaining: since.lost.filter(\.isThere),
          at: slot
        )
      case .ordered(let members, let since):
        object.exchangeMembers(
          losing: since.gained,
          gaining: since.lost.filter(\.isThere),
          at: slot
        )
        object.rearrangeMembers(by: members, at: slot)
      }
    }
  }

  /// An object whose stored values are the same as then is changed as much as it was, and no more.
  fileprivate func restoreMarks() {
    guard let overlay = object.existingOverlay, let context = object.managedObjectContext,
      object.stored == snapshot?.bytes, snapshot != nil,
      life == .clean || life == .updated, object.life == .updated
    else { return }
    for slot in overlay.changed where !changed.contains(slot) {
      if case .collection(let collection) = overlay[slot] { collection.forgetChanges() }
    }
    overlay.changed = changed
    if life == .clean {
      context.tracker.leave(object)
      object.life = .clean
    }
  }
}

extension NSManagedObject {
  /// Gives a to-many relationship these members, in this order if it has one; the other ends stay.
  fileprivate func replaceMembers(by members: [NSManagedObject], at slot: Int) {
    let present = Set(loadedCollection(at: slot).members)
    let wanted = Set(members)
    exchangeMembers(
      losing: present.subtracting(wanted),
      gaining: wanted.subtracting(present),
      at: slot
    )
    rearrangeMembers(by: members, at: slot)
  }

  fileprivate func exchangeMembers(
    losing lost: Set<NSManagedObject>,
    gaining gained: Set<NSManagedObject>,
    at slot: Int
  ) {
    let collection = collection(at: slot) { !$0.isDisjoint(with: lost) }
    for member in lost { changing(slot, losing: member) { collection.remove(member) } }
    for member in gained { changing(slot, gaining: member) { collection.insert(member) } }
  }

  /// Puts the members into the order that they had, if there is one; others stay behind the one they follow.
  fileprivate func rearrangeMembers(by order: [NSManagedObject], at slot: Int) {
    let collection = loadedCollection(at: slot)
    guard collection.isOrdered else { return }
    let members = MergedOrder.merge(order, into: collection.members)
    if !collection.members.elementsEqual(members, by: ===) {
      changing(slot) { collection.reorder(members) }
    }
  }
}

extension NSManagedObject {
  /// Whether others have not deleted the object.
  fileprivate var isThere: Bool { !life.isGone }
}

extension SlotValue {
  /// Whether it is not an object that others have deleted.
  fileprivate var isThere: Bool {
    guard case .object(let object) = self, let object = object as? NSManagedObject else {
      return true
    }
    return object.isThere
  }
}
