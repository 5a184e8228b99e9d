/// Notes, before each change of an event, the former values; at the event's end they become one step to undo.
///
/// A context has one while it has an undo manager; without, changing an object asks for it and no more.
final class UndoRecorder {
  private var objects: [NSManagedObject] = []
  private var befores: [ObjectIdentifier: ObjectBefore] = [:]

  var isEmpty: Bool { objects.isEmpty }

  /// An object that was in no context is about to be inserted.
  func noteInsertion(of object: NSManagedObject) {
    _ = before(object)
  }

  /// An object is about to be marked for deletion.
  func noteDeletion(of object: NSManagedObject) {
    before(object).keepAllValues()
  }

  /// A property is about to change; of a to-many relationship, by one member or as a whole.
  func noteChange(
    of object: NSManagedObject,
    at slot: Int,
    gaining gained: NSManagedObject?,
    losing lost: NSManagedObject?
  ) {
    before(object).keep(slot, gaining: gained, losing: lost)
  }

  private func before(_ object: NSManagedObject) -> ObjectBefore {
    if let known = befores[ObjectIdentifier(object)] { return known }
    let before = ObjectBefore(object)
    befores[ObjectIdentifier(object)] = before
    objects.append(object)
    return before
  }

  /// Returns the noted step, and starts over.
  func takeStep() -> UndoStep {
    defer { forget() }
    return UndoStep(befores: objects.compactMap { befores[ObjectIdentifier($0)] })
  }

  func forget() {
    objects = []
    befores = [:]
  }
}

/// The step that undoes an event: its objects as they were before it.
struct UndoStep {
  let befores: [ObjectBefore]
}

/// An object as it was before an event, as far as the event has changed it.
///
/// It keeps the object alive: one whose deletion was saved can come back.
final class ObjectBefore {
  let object: NSManagedObject
  let life: ObjectLife
  /// The values that were stored then.
  let snapshot: Snapshot?
  /// The slots that were changed but not saved then.
  let changed: SlotSet
  /// The values that the event has changed.
  private(set) var values: [Int: Value] = [:]
  /// All values of an object that the event has deleted, for the day when its row is gone.
  ///
  /// One that comes back to its row keeps its present values: others may have saved some of them since.
  private var whole: [Int: Value]?
  /// The store that a new object was assigned to when the event deleted it.
  private(set) weak var assignedStore: NSPersistentStore?

  enum Value {
    case single(SlotValue)
    /// All members of an object that was deleted, in their order if there is one.
    case members([NSManagedObject])
    /// Which members of an unordered relationship have come and gone since.
    case difference(MembersBefore)
    /// The same of an ordered one, whose members stood like this.
    case ordered([NSManagedObject], MembersBefore)
  }

  init(_ object: NSManagedObject) {
    self.object = object
    life = object.life
    snapshot = object.snapshot
    changed = object.existingOverlay?.changed ?? SlotSet()
  }

  fileprivate func keep(_ slot: Int, gaining: NSManagedObject?, losing: NSManagedObject?) {
    guard object.layout.kinds[slot].isToMany else {
      if values[slot] == nil { values[slot] = .single(object.value(at: slot)) }
      return
    }
    switch values[slot] {
    case nil where object.layout.slots[slot].isOrdered:
      let members = object.loadedCollection(at: slot).members
      values[slot] = .ordered(members, MembersBefore(gaining, losing))
    case nil: values[slot] = .difference(MembersBefore(gaining, losing))
    case .difference(let members), .ordered(_, let members): members.note(gaining, losing)
    case .single, .members: break
    }
  }

  /// Keeps what the object had, so that it can come back when its row is gone.
  fileprivate func keepAllValues() {
    var whole: [Int: Value] = [:]
    for slot in 0..<object.layout.propertyCount {
      switch object.layout.kinds[slot] {
      case .fetched: continue
      case .toMany, .orderedToMany: whole[slot] = .members(members(at: slot))
      case .integer, .boolean, .real, .date, .decimal, .text, .uri, .uuid, .data, .externalData,
        .transformable, .composite, .object, .toOne:
        whole[slot] = values[slot] ?? .single(object.value(at: slot))
      }
    }
    self.whole = whole
    assignedStore = object.managedObjectContext?.pending.assignments[ObjectIdentifier(object)]
  }

  /// The members before the event, from those that there are now.
  private func members(at slot: Int) -> [NSManagedObject] {
    switch values[slot] {
    case .members(let members), .ordered(let members, _): members
    case .difference(let since):
      object.loadedCollection(at: slot).members.filter { !since.gained.contains($0) }
        + Array(since.lost)
    case nil, .single: object.loadedCollection(at: slot).members
    }
  }

  /// An object whose row is gone is inserted again, with everything that it had.
  func becomeWhole() {
    if let whole { values = whole }
  }

  /// Whether there is nothing to restore: the event did not delete the object, and it is gone.
  var isDeletedByOthers: Bool {
    whole == nil && !life.isGone && object.life.isGone
  }
}
