// MARK: - Rows that others have written

extension NSManagedObject {
  /// Lets the other ends of to-one relationships follow a newer row of this object.
  ///
  /// ```
  ///                note.folder   C.notes   D.notes
  /// as it was      C             note      –
  /// newer row      D             –         note
  /// ```
  ///
  /// A save of the note has saved the folders too; but the history of another program, or a read of this row alone,
  /// does not report them. Only ends that were read follow, under the changes made here. Nothing is read now; members
  /// in an order are read when they are asked for next.
  ///
  /// Without a base the object was not known before.
  func followTargets(from base: Snapshot?, to row: Snapshot) {
    if layout.returningToOnes.isEmpty || base?.bytes == row.bytes { return }
    let changed = existingOverlay?.changed ?? SlotSet()
    for (slot, inverse) in layout.returningToOnes {
      guard row.knows(slot), base?.knows(slot) ?? true else { continue }
      let (number, former) = (row.optionalInteger(slot), base?.optionalInteger(slot))
      if base != nil, number == former { continue }
      let target = registeredTarget(at: slot, in: row)
      let formerTarget = base.flatMap { registeredTarget(at: slot, in: $0) }
      if target === formerTarget { continue }
      formerTarget?.followOtherEnd(self, at: inverse, leadsHere: false)
      target?.followOtherEnd(
        self,
        at: inverse,
        leadsHere: true,
        isHidden: changed.contains(slot) && self.target(at: slot) !== target
      )
    }
  }

  /// One end follows: `other` leads here now as it is stored, or does not any more; a change made here
  /// may hide it.
  fileprivate func followOtherEnd(
    _ other: NSManagedObject,
    at slot: Int,
    leadsHere: Bool,
    isHidden: Bool = false
  ) {
    existingExtras?.prefetched?.members[slot] = nil
    guard let context = managedObjectContext, !isFault,
      let isKnown = isKnown(other, at: slot), isKnown != leadsHere
    else { return }
    if willBeDeleted {
      // It follows for the day when the deletion is taken back; nobody hears of it now.
      follow(other, at: slot, leadsHere: leadsHere, isHidden: isHidden)
      return
    }
    observed(on: [slot]) {
      follow(other, at: slot, leadsHere: leadsHere, isHidden: isHidden)
    }
    context.noteRefreshed(self, at: SlotSet([slot]))
  }

  private func follow(
    _ other: NSManagedObject,
    at slot: Int,
    leadsHere: Bool,
    isHidden: Bool
  ) {
    if case .collection(let collection) = value(at: slot) {
      if isHidden {
        collection.hide(other)
        managedObjectContext?.merges.hidden.note(membersOf: self)
      }
      collection.follow(other, isMember: leadsHere)
    } else if !isHidden {
      let former = leadsHere ? target(at: slot) : nil
      overlay.set(leadsHere ? .object(other) : .null, at: slot)
      if let inverse = layout.slots[slot].end?.inverse {
        former?.followOtherEnd(self, at: inverse, leadsHere: false)
      }
    }
  }

  /// Whether this end, as far as it is stored, leads to the other; if that was never read, or is changed here,
  /// nothing has to follow.
  private func isKnown(_ other: NSManagedObject, at slot: Int) -> Bool? {
    guard layout.kinds[slot].isToMany else {
      if existingOverlay?.changed.contains(slot) == true { return nil }
      return target(at: slot) === other
    }
    guard let overlay = existingOverlay, overlay.has(slot),
      case .collection(let collection) = overlay[slot], !collection.isFault
    else { return nil }
    return collection.isStored(other)
  }

  /// The object that a stored to-one relationship leads to, if the context knows it.
  func registeredTarget(at slot: Int, in snapshot: Snapshot) -> NSManagedObject? {
    guard let (key, _) = storedKey(at: slot, in: snapshot), let context = managedObjectContext
    else {
      return nil
    }
    return context.identityMap[key] ?? context.relative(named: key)
  }
}

// MARK: - One to one

extension NSManagedObject {
  /// Gives up targets that are taken: the other end leads elsewhere by an unsaved change, which stays.
  ///
  /// ```
  /// here      D.cover  –        note.covers  E    unsaved
  /// others    D.cover  note     note.covers  D
  /// merged    D.cover  –        note.covers  E    both unsaved
  /// ```
  ///
  /// An object without one-to-one relationships costs one comparison, and so does a context without
  /// changes.
  func yieldTargets() {
    guard let snapshot = self.snapshot else { return }
    for slot in takenTargets(of: snapshot) { changing(slot) { overlay.set(.null, at: slot) } }
  }

  /// The same for one whose row has just come; a fault gets its values only if it must.
  func yieldTargets(of row: Snapshot) {
    if takenTargets(of: row).isEmpty { return }
    if isFault { fulfil(with: row) }
    yieldTargets()
  }

  private func takenTargets(of snapshot: Snapshot) -> [Int] {
    guard !layout.oneToOnes.isEmpty, managedObjectContext?.tracker.hasChanges == true else {
      return []
    }
    return layout.oneToOnes.filter { slot, inverse in
      guard existingOverlay?.changed.contains(slot) != true, snapshot.knows(slot),
        let target = registeredTarget(at: slot, in: snapshot), !target.willBeDeleted,
        target.existingOverlay?.changed.contains(inverse) == true
      else { return false }
      return target.target(at: inverse) !== self
    }.map(\.slot)
  }
}

// MARK: - Objects that are gone

extension NSManagedObject {
  /// Makes the objects that count this one, as far as it knows them, forget it: its row is gone.
  func leaveTargets() {
    for (slot, inverse) in layout.inverses {
      for other in registeredOthers(at: slot) where other !== self {
        other.followOtherEnd(self, at: inverse, leadsHere: false)
      }
    }
  }

  /// The objects of a relationship without making faults for those that nobody has asked for.
  private func registeredOthers(at slot: Int) -> [NSManagedObject] {
    if existingOverlay?.has(slot) == true { return knownOthers(at: slot) }
    guard layout.kinds[slot] == .toOne, let snapshot = self.snapshot else { return [] }
    return registeredTarget(at: slot, in: snapshot).map { [$0] } ?? []
  }

  /// Forgets those of the members that are gone, in each relationship that was read.
  func forgetMembers(among gone: Set<NSManagedObject>) {
    guard let overlay = existingOverlay, !isFault else { return }
    for slot in overlay.present where layout.slots[slot].isPersistent {
      guard case .collection(let collection) = overlay[slot], !collection.isFault else { continue }
      for member in collection.storedMembers(among: gone) {
        followOtherEnd(member, at: slot, leadsHere: false)
      }
    }
  }
}

// MARK: - Objects without values

/// The former targets of the to-one relationships of an object when it became a fault, by slot: only those that still
/// count it.
///
/// The row that it gets next may lead elsewhere.
typealias FormerTargets = [Int: ObjectKey]

extension NSManagedObject {
  /// Notes the objects that count an object that gives up its row.
  func rememberTargets(in snapshot: Snapshot?) {
    guard let snapshot, !layout.returningToOnes.isEmpty else { return }
    watch.insert(.emptied)
    var targets: FormerTargets = [:]
    for (slot, inverse) in layout.returningToOnes where snapshot.knows(slot) {
      if let target = registeredTarget(at: slot, in: snapshot), !target.isFault,
        target.isKnown(self, at: inverse) == true
      {
        targets[slot] = target.key
      }
    }
    if targets.isEmpty { return }
    let extras = existingExtras ?? ObjectExtras()
    extras.formerTargets = targets
    existingExtras = extras
  }

  /// A fault gets a row: the objects that counted it by its former row follow, and so do those that do now.
  ///
  /// A fault that never had another row costs two comparisons.
  func followTargets(fromWaitingTo row: Snapshot) {
    if watch.contains(.emptied) {
      watch.remove(.emptied)
      let former = existingExtras?.formerTargets
      existingExtras?.formerTargets = nil
      followTargets(from: former ?? [:], to: row)
    } else if let waiting = self.snapshot, waiting.version != row.version {
      followTargets(from: waiting, to: row)
    }
  }

  private func followTargets(from former: FormerTargets, to row: Snapshot) {
    guard let context = managedObjectContext else { return }
    for (slot, inverse) in layout.returningToOnes where row.knows(slot) {
      let target = registeredTarget(at: slot, in: row)
      let formerTarget = former[slot].flatMap { context.identityMap[$0] }
      if target === formerTarget { continue }
      formerTarget?.followOtherEnd(self, at: inverse, leadsHere: false)
      target?.followOtherEnd(self, at: inverse, leadsHere: true)
    }
  }
}

extension Snapshot {
  /// Whether the slot was read.
  fileprivate func knows(_ slot: Int) -> Bool { partialSlots?.contains(slot) ?? true }
}
