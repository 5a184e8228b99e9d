import CoreDataPredicates
import Foundation

// MARK: - Getting and letting go of values

extension NSManagedObject {
  /// Gets the values of a fault, and says whether it could; does nothing for an object that has them.
  @discardableResult
  func fulfilFault() throws -> Bool {
    guard life == .fault else { return true }
    if takeWaitingRow() { return true }
    guard let context = managedObjectContext else {
      stop("the values of \(objectID) cannot be read: its context is gone, or was reset")
    }
    guard let snapshot = try context.snapshot(for: self) else { return false }
    fulfil(with: snapshot)
    return true
  }

  /// Takes the row that waits, if nothing has changed since it was read: the way of most faults, which looks at
  /// nothing else.
  private func takeWaitingRow() -> Bool {
    guard hasWholeRow, !watch.contains(.emptied), let identityMap,
      identityMap.currentRows.areCurrent
        || identityMap.address.ask({ $0.takesWaitingRows }) == true
    else { return false }
    forgetUnpackedPart()
    becomeClean()
    return true
  }

  /// Keeps a row that was just read until somebody asks for a value; an object with values stays as it is, and so does
  /// a fault that knows more than the row has.
  func haveWait(_ row: Row) {
    guard isFault, let snapshot = row.snapshot, row.layout.isKind(of: layout),
      snapshot.partialSlots == nil || stored == nil
    else { return }
    followTargets(fromWaitingTo: snapshot)
    self.snapshot = snapshot
  }

  func fulfil(with snapshot: Snapshot) {
    forgetUnpackedPart()
    followTargets(fromWaitingTo: snapshot)
    self.snapshot = snapshot
    becomeClean()
  }

  /// Values that were unpacked from a part of the row may be old.
  private func forgetUnpackedPart() {
    existingOverlay?.deallocate()
    existingOverlay = nil
  }

  private func becomeClean() {
    life = .clean
    watch.insert(.awakening)
    awakeFromFetch()
    watch.remove(.awakening)
  }

  /// Lets go of values and related objects; the row waits if it is known.
  func turnIntoFault() {
    willTurnIntoFault()
    existingOverlay?.deallocate()
    existingOverlay = nil
    self.snapshot = nil
    existingExtras?.prefetched = nil
    isNotedInEvent = false
    life = .fault
    didTurnIntoFault()
  }
}

// MARK: - Newer values

extension NSManagedObject {
  /// Takes newer stored values, under the changes made here.
  func takeStoredValues() {
    guard let context = managedObjectContext else { return }
    var newer = self.snapshot
    do {
      newer = try context.snapshot(for: self)
    } catch {
      // A store that cannot be read now leaves the values as they are.
    }
    if newer == nil, life == .clean {
      replacingValues(.refault(nil)) { turnIntoFault() }
      return
    }
    if newer?.version != self.snapshot?.version { forgetIdleChanges() }
    replacingValues(.refresh(newer)) { takeStoredValues(newer) }
    awake(fromSnapshotEvents: .refresh)
  }

  private func takeStoredValues(_ newer: Snapshot?) {
    if let newer {
      let base = self.snapshot
      self.snapshot = newer
      followTargets(from: base, to: newer)
    }
    forgetUnpackedValues { managedObjectContext?.storedMembers(of: self, at: $0) ?? [] }
  }

  /// Releases the values that were read from a former row; changed ones stay.
  ///
  /// An order that was made here is put on the members that are stored now.
  func forgetUnpackedValues(readingMembers members: (Int) throws -> [NSManagedObject]) rethrows {
    guard let overlay = existingOverlay else { return }
    let changed = overlay.changed
    for slot in overlay.present {
      if layout.slots[slot].kind == .fetched { overlay.forget(slot) }
      guard layout.slots[slot].isPersistent else { continue }
      if !changed.contains(slot) {
        overlay.forget(slot)
      } else if case .collection(let collection) = overlay[slot] {
        collection.forgetStored()
        if collection.isOrdered, !collection.isFault {
          rebase(collection, onto: try members(slot), at: slot)
        }
      }
    }
  }
}

// MARK: - Changes of relationships that are undone, or change nothing

extension NSManagedObject {
  /// Makes the other ends of this object's relationships as if it had not changed them.
  func takeBackRelationships() {
    guard let overlay = existingOverlay, let snapshot = self.snapshot else {
      return
    }
    for slot in overlay.changed {
      guard let inverse = layout.slots[slot].end?.inverse else { continue }
      guard case .collection(let collection) = overlay[slot] else {
        let stored = storedTarget(at: slot, in: snapshot)
        setTarget(stored?.willBeDeleted == true ? nil : stored, at: slot)
        continue
      }
      for member in collection.added { member.takeBack(self, at: inverse, from: slot) }
      for member in collection.removed where !member.willBeDeleted {
        addMember(member, at: slot)
        member.forgetChange(at: inverse)
      }
    }
  }

  /// Leaves all objects that it is related to, as far as they lead back.
  func leaveRelationships() {
    guard let overlay = existingOverlay else { return }
    for slot in overlay.present where layout.slots[slot].end?.inverse != nil {
      if case .collection(let collection) = overlay[slot] {
        for member in collection.members { removeMember(member, at: slot) }
      } else {
        setTarget(nil, at: slot)
      }
    }
  }

  /// Leaves a relationship of `owner` that it was added to, for the object it is stored with.
  private func takeBack(_ owner: NSManagedObject, at inverse: Int, from slot: Int) {
    guard layout.slots[inverse].kind == .toOne else {
      owner.removeMember(self, at: slot)
      return
    }
    if willBeDeleted { return }
    let stored = self.snapshot.flatMap { storedTarget(at: inverse, in: $0) }
    setTarget(stored?.willBeDeleted == true ? nil : stored, at: inverse)
    if self.snapshot != nil { forgetChange(at: inverse) }
  }

  /// A property that was set to its stored value is not a change, under which a newer row would have to stay.
  func forgetIdleChanges() {
    guard life == .updated, let changed = existingOverlay?.changed else {
      return
    }
    for slot in changed { forgetChange(at: slot) }
  }

  /// Removes the mark of a property that has its stored value; an object without another change is as stored then.
  private func forgetChange(at slot: Int) {
    guard layout.slots[slot].isPersistent, !layout.slots[slot].kind.isToMany,
      let overlay = existingOverlay, self.snapshot != nil, !differsFromStored(at: slot)
    else { return }
    overlay.changed.remove(slot)
    guard overlay.changed.isEmpty, life == .updated else { return }
    managedObjectContext?.tracker.leave(self)
    life = .clean
  }

  /// Whether this object, stored as a member of `other`, has left it by an unsaved change; `slot` is
  /// its way back, if it has one.
  ///
  /// `other` may not have heard of it, when it was another context that made the two related.
  func hasLeft(_ other: NSManagedObject, at slot: Int?) -> Bool {
    guard hasChanges else { return false }
    guard let slot else { return willBeDeleted }
    guard layout.slots[slot].kind == .toOne else { return false }
    if willBeDeleted { return target(at: slot) !== other }
    return existingOverlay?.changed.contains(slot) == true && !leadsWhereStored(at: slot)
      && target(at: slot) !== other
  }
}

// MARK: - Fetched properties

extension NSManagedObject {
  /// A fetched property: the request of the model, with this object as `$FETCH_SOURCE`.
  func fetchedObjects(at slot: Int) -> [Any] {
    guard let context = managedObjectContext, !watch.contains(.recording),
      let property = entity.propertiesByName[layout.slots[slot].name]
        as? NSFetchedPropertyDescription,
      let request = property.fetchRequest?.copy() as? NSFetchRequest<any NSFetchRequestResult>
    else { return [] }
    request.predicate = request.predicate?.withSubstitutionVariables([
      "FETCH_SOURCE": self, "FETCHED_PROPERTY": property,
    ])
    do {
      return try context.readingToTheEnd { try context.fetch(request.retyped(Any.self)) }
    } catch {
      context.unreadable.note(self, error)
      return []
    }
  }
}
