// MARK: - Values

extension NSManagedObject {
  /// The properties whose values in the row are not what they were.
  func slots(differingFrom base: Snapshot, in row: Snapshot) -> SlotSet {
    SlotSet(
      plainSlots.filter { slot in
        if layout.kinds[slot] == .composite {
          return layout.elements(of: slot).contains { element in
            !base.hasSameValue(as: row, at: element.slot, in: layout)
          }
        }
        guard base.hasValue(slot), row.hasValue(slot) else {
          return base.hasValue(slot) != row.hasValue(slot)
        }
        switch layout.kinds[slot] {
        case .integer, .boolean, .toOne:
          return base.integer(slot) != row.integer(slot)
        case .real, .date:
          return base.real(slot) != row.real(slot)
        case .decimal, .text, .uri, .uuid, .data, .externalData, .transformable:
          return !base.bytes(slot).elementsEqual(row.bytes(slot))
        case .composite, .object, .toMany, .orderedToMany, .fetched:
          return false
        }
      }
    )
  }

  /// Makes changes undone, at both ends of relationships.
  func takeBack(_ slots: [Int]) throws {
    for slot in slots {
      switch layout.kinds[slot] {
      case .toOne: try takeBackTarget(at: slot)
      case .toMany, .orderedToMany: try takeBackMembers(at: slot)
      case .integer, .boolean, .real, .date, .decimal, .text, .uri, .uuid, .data, .externalData,
        .transformable, .composite, .object, .fetched:
        break
      }
      existingOverlay?.forget(slot)
      existingOverlay?.changed.remove(slot)
    }
  }

  private func takeBackTarget(at slot: Int) throws {
    guard let snapshot = self.snapshot else { return }
    let stored = storedTarget(at: slot, in: snapshot)
    if let inverse = layout.slots[slot].end?.inverse {
      for other in [target(at: slot), stored] { try other?.prepareToChange(at: inverse) }
    }
    setTarget(stored?.willBeDeleted == true ? nil : stored, at: slot)
  }

  /// The members of a one-to-many relationship keep their values, because the relationship is stored in their rows.
  private func takeBackMembers(at slot: Int) throws {
    guard let end = layout.slots[slot].end, let inverse = end.inverse,
      layout.model[number: end.destination]?.slots[inverse].kind != .toOne
    else { return }
    let collection = collection(at: slot)
    let (added, removed) = (collection.added, collection.removed.filter { !$0.willBeDeleted })
    try loadMembers(at: slot)
    for member in added.union(removed) { try member.prepareToChange(at: inverse) }
    for member in added { removeMember(member, at: slot) }
    for member in removed { addMember(member, at: slot) }
  }

  /// Takes over a row as what is stored, under the changes that are left.
  func rebase(on row: Snapshot) throws {
    let base = self.snapshot
    let changed = existingOverlay?.changed ?? SlotSet()
    self.snapshot = row
    try forgetUnpackedValues { slot in
      try managedObjectContext?.readMembers(of: self, at: slot) ?? []
    }
    for slot in plainSlots where layout.kinds[slot] == .toOne && !changed.contains(slot) {
      followTarget(at: slot, from: base, to: row)
    }
  }

  /// The other ends of a to-one relationship that somebody else has set.
  private func followTarget(at slot: Int, from base: Snapshot?, to row: Snapshot) {
    guard let inverse = layout.slots[slot].end?.inverse,
      base?.optionalInteger(slot) != row.optionalInteger(slot)
    else { return }
    let former = base.flatMap { storedTarget(at: slot, in: $0) }
    for (other, isMember) in [(former, false), (storedTarget(at: slot, in: row), true)] {
      guard let other, let context = managedObjectContext else { continue }
      if other.layout.kinds[inverse] == .toOne {
        if !other.hasChanges, other !== self { context.renew(other, mergeChanges: true) }
      } else if let overlay = other.existingOverlay,
        case .collection(let collection) = overlay[inverse]
      {
        collection.follow(self, isMember: isMember)
        context.noteRefreshed(other)
      }
    }
  }

  /// Puts the object where its changes belong after a merge: none, and it is as stored.
  func noteMerge() {
    guard let context = managedObjectContext else { return }
    let isChanged = !(existingOverlay?.changed.isEmpty ?? true)
    if isChanged, life == .clean {
      life = .updated
      context.noteUpdate(of: self)
    } else if !isChanged, life == .updated {
      context.tracker.leave(self)
      life = .clean
    }
    context.noteRefreshed(self)
    awake(fromSnapshotEvents: .mergePolicy)
  }

  /// Tells the object's observers of whatever the body does to properties.
  func observed(on slots: [Int], _ body: () throws -> Void) rethrows {
    guard watch.contains(.observed) else { return try body() }
    let names = Set(slots).map { layout.slots[$0].name }
    for name in names { willChangeValue(forKey: name) }
    try body()
    for name in names { didChangeValue(forKey: name) }
  }
}

// MARK: - Reading ahead

extension NSManagedObject {
  /// Reads what a change of one end of a relationship has to know, so that it cannot fail later.
  func prepareToChange(at slot: Int) throws {
    try fulfilFault()
    if willBeDeleted || !layout.kinds[slot].isToMany { return }
    guard let end = layout.slots[slot].end else { return }
    let inverse = end.inverse.flatMap { layout.model[number: end.destination]?.slots[$0].kind }
    if layout.slots[slot].isOrdered || inverse != .toOne { try loadMembers(at: slot) }
  }

  /// Reads the members of a to-many relationship.
  func loadMembers(at slot: Int) throws {
    let collection = collection(at: slot)
    guard collection.isFault, let context = managedObjectContext else { return }
    load(collection, with: try context.readMembers(of: self, at: slot), at: slot)
  }
}

// MARK: - Related objects

extension NSManagedObject {
  /// The objects of a relationship as far as they are known; nothing is read.
  func knownOthers(at slot: Int) -> [NSManagedObject] {
    if let overlay = existingOverlay, overlay.has(slot) {
      switch overlay[slot] {
      case .object(let object): return (object as? NSManagedObject).map { [$0] } ?? []
      case .collection(let collection):
        return collection.isFault ? Array(collection.added) : collection.members
      case .null, .integer, .real, .text, .data, .uuid, .url: return []
      }
    }
    guard layout.kinds[slot] == .toOne, let snapshot = self.snapshot else { return [] }
    return storedTarget(at: slot, in: snapshot).map { [$0] } ?? []
  }

  /// Lets related objects forget this one, whose row is gone.
  func leaveOthers() {
    for (slot, inverse) in layout.inverses {
      for other in knownOthers(at: slot) { leave(other, at: inverse) }
    }
  }

  /// Makes a related object forget this one, even if it has changes of its own.
  func leave(_ other: NSManagedObject, at inverse: Int) {
    if other.willBeDeleted || other === self { return }
    forget(in: other, at: inverse)
    if other.layout.kinds[inverse] == .toOne, other.hasChanges { other.lose(self, at: inverse) }
  }

  /// Makes a related object forget that the row has led here: by its members, or by reading them again.
  func forget(in other: NSManagedObject, at inverse: Int) {
    guard let context = managedObjectContext else { return }
    if other.layout.kinds[inverse].isToMany {
      guard let overlay = other.existingOverlay,
        case .collection(let collection) = overlay[inverse]
      else { return }
      other.observed(on: [inverse]) { collection.dismiss(self) }
      context.noteRefreshed(other)
    } else if !other.hasChanges {
      context.renew(other, mergeChanges: false)
    }
  }

  /// Makes related objects lead back to this one, which was deleted and is not any more.
  func rejoinOthers() {
    for (slot, inverse) in layout.inverses {
      for other in knownOthers(at: slot) where !other.willBeDeleted && other !== self {
        guard let overlay = other.existingOverlay, overlay.changed.contains(inverse) else {
          continue
        }
        if case .collection(let collection) = overlay[inverse] {
          guard collection.removed.contains(self) else { continue }
        } else if other.target(at: inverse) != nil {
          continue
        }
        other.gain(self, at: inverse, from: slot, keepsFormer: true)
      }
    }
  }
}
