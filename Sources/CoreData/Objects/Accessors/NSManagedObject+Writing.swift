import Foundation

// MARK: - Writing slots

extension NSManagedObject {
  /// Sets an attribute, and records the change.
  ///
  /// Not inlined: the accessors of properties would retain and release the object around it.
  @inline(never)
  func set(_ value: SlotValue, at slot: Int) {
    changing(slot) { overlay.set(value, at: slot) }
  }

  /// Sets a to-one relationship and keeps its inverse true.
  ///
  /// The former target loses this object. If the new target can have only one, the object that had it loses it.
  func setTarget(_ target: NSManagedObject?, at slot: Int) {
    if let target { checkRelatable(target, at: slot) }
    let former = self.target(at: slot)
    write(target, at: slot)
    guard former !== target, let inverse = inverse(at: slot) else { return }
    former?.lose(self, at: inverse)
    target?.gain(self, at: inverse, from: slot)
  }

  /// Adds an object to a to-many relationship, at a place of an ordered one, and sees to the inverse.
  func addMember(_ member: NSManagedObject, at slot: Int, index: Int? = nil) {
    checkRelatable(member, at: slot)
    let inverse = inverse(at: slot)
    if hasMember(member, at: slot) { return }
    let former = inverse.flatMap { inverse -> NSManagedObject? in
      member.layout.slots[inverse].kind == .toOne ? member.target(at: inverse) : nil
    }
    insert(member, at: slot, index: index)
    guard let inverse else { return }
    former?.withdraw(member, at: slot)
    member.gain(self, at: inverse, from: slot, keepsFormer: true)
  }

  func removeMember(_ member: NSManagedObject, at slot: Int) {
    guard hasMember(member, at: slot) else { return }
    withdraw(member, at: slot)
    if let inverse = inverse(at: slot) { member.lose(self, at: inverse) }
  }

  /// The relationship back, which follows each change; not while the object awakes from a fetch.
  func inverse(at slot: Int) -> Int? {
    watch.contains(.awakening) ? nil : layout.slots[slot].end?.inverse
  }

  /// Replaces the members of a to-many relationship; of an ordered one, also their order.
  ///
  /// Observers of the relationship hear once that it was set, and not of each member.
  func setMembers(_ members: [NSManagedObject], at slot: Int) {
    if life == .fault { fireFault(for: slot) }
    guard watch.contains(.observed), extras.slotBeingSet == nil else {
      takeMembers(members, at: slot)
      return
    }
    willChange(slot, .setting)
    extras.slotBeingSet = slot
    takeMembers(members, at: slot)
    extras.slotBeingSet = nil
    didChange(slot, .setting)
  }

  private func takeMembers(_ members: [NSManagedObject], at slot: Int) {
    let collection = loadedCollection(at: slot)
    let wanted = Set(members)
    for member in collection.members where !wanted.contains(member) {
      removeMember(member, at: slot)
    }
    for member in members { addMember(member, at: slot) }
    if collection.isOrdered, !collection.members.elementsEqual(members, by: ===) {
      changing(slot) { collection.reorder(members) }
    }
  }

  /// Whether a to-many relationship has the object, read from the other end if that is cheaper.
  private func hasMember(_ member: NSManagedObject, at slot: Int) -> Bool {
    let collection = collection(at: slot)
    guard collection.isFault else { return collection.contains(member) }
    if let inverse = layout.slots[slot].end?.inverse, member.layout.slots[inverse].kind == .toOne {
      return member.target(at: inverse) === self
    }
    return loadedCollection(at: slot).contains(member)
  }
}

// MARK: - One end at a time

extension NSManagedObject {
  private func write(_ target: NSManagedObject?, at slot: Int) {
    changing(slot) { overlay.set(target.map(SlotValue.object) ?? .null, at: slot) }
  }

  private func insert(_ member: NSManagedObject, at slot: Int, index: Int? = nil) {
    // The end of an ordered relationship is only known when its members are.
    let isOrdered = layout.slots[slot].isOrdered
    let collection = isOrdered ? loadedCollection(at: slot) : collection(at: slot)
    changing(slot, gaining: member) { collection.insert(member, at: index) }
  }

  private func withdraw(_ member: NSManagedObject, at slot: Int) {
    let isOrdered = layout.kinds[slot] == .orderedToMany
    let collection =
      isOrdered ? loadedCollection(at: slot) : collection(at: slot) { $0.contains(member) }
    changing(slot, losing: member) { collection.remove(member) }
  }

  /// A collection that may lose members; the closure returns whether any of those that were added here must go.
  ///
  /// It is read where others may have linked a pair that was added here, as both ends must know of it alike.
  func collection(
    at slot: Int,
    whichLoses losesAny: (Set<NSManagedObject>) -> Bool
  ) -> ToMany {
    let collection = collection(at: slot)
    guard collection.isFault, losesAny(collection.added), layout.isPaired(slot) else {
      return collection
    }
    return loadedCollection(at: slot)
  }

  /// The other end has taken this object: point back.
  func gain(
    _ other: NSManagedObject,
    at slot: Int,
    from inverse: Int,
    keepsFormer: Bool = false
  ) {
    guard layout.slots[slot].kind == .toOne else {
      insert(other, at: slot)
      return
    }
    let former = target(at: slot)
    write(other, at: slot)
    if !keepsFormer, let former, former !== other { former.lose(self, at: inverse) }
  }

  /// The other end has dropped this object: stop pointing back.
  func lose(_ other: NSManagedObject, at slot: Int) {
    if layout.kinds[slot] == .toOne {
      if target(at: slot) === other { write(nil, at: slot) }
    } else {
      withdraw(other, at: slot)
    }
  }

  func checkRelatable(_ target: NSManagedObject, at slot: Int) {
    let name = "\(layout.name).\(layout.slots[slot].name)"
    require(
      target.identityMap === identityMap,
      """
      \(name) cannot lead to \(target.objectID): the two objects belong to different contexts. \
      Get the object from this context, with object(with: objectID), first.
      """
    )
    guard let end = layout.slots[slot].end else { return }
    let destination = layout.model[number: end.destination]
    require(
      destination.map { $0.numbers.contains(target.layout.number) } ?? false
        && target.layout.model === layout.model,
      "\(name) leads to \(destination?.name ?? "another model"), not to \(target.layout.name)"
    )
  }
}

// MARK: - Recording a change

extension NSManagedObject {
  /// Makes a change to a slot and records it; observers hear of it before and after.
  @inline(__always)
  func changing(
    _ slot: Int,
    gaining gained: NSManagedObject? = nil,
    losing lost: NSManagedObject? = nil,
    _ change: () -> Void
  ) {
    if life == .fault { fireFault(for: slot) }
    noteBefore(slot, gained, lost)
    guard watch.contains(.observed), extras.slotBeingSet != slot else {
      change()
      recordChange(of: slot)
      return
    }
    let kind = KeyValueChange(gained: gained.map { [$0] }, lost: lost.map { [$0] })
    willChange(slot, kind)
    change()
    recordChange(of: slot)
    didChange(slot, kind)
  }

  /// Lets the current event, and a context with an undo manager, know what a slot holds before it changes.
  @inline(__always)
  func noteBefore(
    _ slot: Int,
    _ gained: NSManagedObject? = nil,
    _ lost: NSManagedObject? = nil
  ) {
    if watch.contains(.awakening) { return }
    if let overlay = existingOverlay, overlay.isChanged(slot),
      gained != nil || lost != nil || !overlay.isChangedInEvent(slot)
    {
      noteForEvent(slot, of: overlay, gained, lost)
    }
    guard let recorder = identityMap?.recorder, life != .deleted else { return }
    recorder.noteChange(of: self, at: slot, gaining: gained, losing: lost)
  }

  func recordChange(of slot: Int) {
    if watch.contains(.awakening) { return }
    overlay.markChanged(slot)
    recordChange()
  }

  /// Makes a clean object an updated one, and informs the context of a change.
  func recordChange() {
    switch life {
    case .clean:
      life = .updated
      managedObjectContext?.noteUpdate(of: self)
    case .inserted, .updated:
      if !isNotedInEvent { managedObjectContext?.noteFurtherChange(of: self) }
    case .detached, .fault, .deleted:
      break
    }
  }
}
