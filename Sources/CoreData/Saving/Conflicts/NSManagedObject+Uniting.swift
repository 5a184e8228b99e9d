import CoreDataModel

// MARK: - A new object becomes that of a row

extension NSManagedObject {
  /// Takes over the identity of a row for which its context did not have an object so far; `holder` was made for the
  /// conflict only.
  func become(
    _ holder: NSManagedObject,
    with row: Snapshot,
    _ newcomer: MergeRule.Newcomer
  ) throws {
    guard let context = managedObjectContext else { return }
    let key = holder.key
    // References to the holder that come from the conflict stay readable.
    if holder.isFault { holder.fulfil(with: row) }
    context.forget(holder)
    if newcomer == .writesAll { markAllChanged() }
    context.tracker.leave(self)
    context.pending.assign(self, to: nil)
    rename(to: key)
    life = .updated
    context.tracker.update(self)
    snapshot = row
    for slot in 0..<layout.propertyCount where layout.kinds[slot].isToMany {
      if existingOverlay?.has(slot) == true { collection(at: slot).becomeAdditions() }
    }
    let mine = existingOverlay?.changed ?? SlotSet()
    try observed(on: plainSlots) {
      if newcomer == .joins { try takeBack(plainSlots.filter { mine.contains($0) }) }
      snapshot = nil
      try rebase(on: row)
    }
    noteMerge()
  }

  /// Makes values that a new object has by default into changes.
  private func markAllChanged() {
    for slot in plainSlots where layout.slots[slot].attribute?.derivationExpression == nil {
      let value = value(at: slot)
      overlay.set(value, at: slot)
      overlay.markChanged(slot)
    }
  }
}

// MARK: - A new object goes into another

extension NSManagedObject {
  /// Gives what this object has to another one with the same unique values.
  ///
  /// Members of to-many relationships go over in any case: they will be related to the one object that is left.
  func hand(over newcomer: MergeRule.Newcomer, to holder: NSManagedObject) throws {
    let changed = existingOverlay?.changed ?? SlotSet()
    if newcomer != .joins {
      for slot in slotsShared(with: holder) {
        let entry = layout.slots[slot]
        guard newcomer == .writesAll && entry.isPersistent || changed.contains(slot) else {
          continue
        }
        if entry.kind == .toOne {
          try handTarget(at: slot, to: holder)
        } else if !entry.kind.isToMany, entry.kind != .fetched,
          entry.attribute?.derivationExpression == nil
        {
          holder.set(value(at: slot), at: slot)
        }
      }
    }
    try handMembers(to: holder)
    handLooseEnds(to: holder)
  }

  private func handTarget(at slot: Int, to holder: NSManagedObject) throws {
    let target = target(at: slot)
    if let inverse = layout.slots[slot].end?.inverse {
      for other in [target, holder.target(at: slot)] { try other?.prepareToChange(at: inverse) }
    }
    setTarget(nil, at: slot)
    holder.setTarget(target, at: slot)
  }

  /// Moves the members of to-many relationships, as far as the other object has the same ones.
  func handMembers(to holder: NSManagedObject) throws {
    for slot in slotsShared(with: holder) where layout.kinds[slot].isToMany {
      try loadMembers(at: slot)
      let members = collection(at: slot).members
      if members.isEmpty { continue }
      try holder.prepareToChange(at: slot)
      for member in members {
        if let inverse = layout.slots[slot].end?.inverse {
          try member.prepareToChange(at: inverse)
        }
        removeMember(member, at: slot)
        if !member.willBeDeleted { holder.addMember(member, at: slot) }
      }
    }
  }

  /// Changed objects that lead here by a relationship without a way back.
  private func handLooseEnds(to holder: NSManagedObject) {
    guard layout.isReachedOneWay, let tracker = managedObjectContext?.tracker else { return }
    for other in tracker.inserted.objects + tracker.updated.objects where other !== self {
      guard let changed = other.existingOverlay?.changed else { continue }
      for slot in changed {
        guard let end = other.layout.slots[slot].end, end.inverse == nil else { continue }
        if other.layout.kinds[slot] == .toOne {
          if other.target(at: slot) === self { other.setTarget(holder, at: slot) }
        } else if other.collection(at: slot).added.contains(self) {
          other.removeMember(self, at: slot)
          other.addMember(holder, at: slot)
        }
      }
    }
  }

  /// The properties that two objects of one tree of entities have in common.
  private func slotsShared(with other: NSManagedObject) -> Range<Int> {
    let common = layout.model.entities.filter {
      layout.isKind(of: $0) && other.layout.isKind(of: $0)
    }
    return 0..<(common.map(\.propertyCount).max() ?? 0)
  }

  /// Takes a new object out of all relationships and out of its context.
  ///
  /// Delete rules do not apply: it was never there. Its attributes stay readable.
  func discardNew() throws {
    guard let context = managedObjectContext, willBeInserted else { return }
    for (slot, inverse) in layout.inverses {
      for other in knownOthers(at: slot) {
        try other.prepareToChange(at: inverse)
        if layout.kinds[slot].isToMany {
          removeMember(other, at: slot)
        } else {
          setTarget(nil, at: slot)
        }
      }
    }
    context.tracker.delete(self)
    context.forget(self)
  }
}

extension EntityLayout {
  /// Whether relationships without a way back lead to objects of this entity.
  fileprivate var isReachedOneWay: Bool {
    model.entities.contains { entity in
      entity.slots.contains { slot in
        guard let end = slot.end, end.inverse == nil else { return false }
        return model[number: end.destination]?.numbers.contains(number) ?? false
      }
    }
  }
}
