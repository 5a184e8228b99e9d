import Foundation

// MARK: - Access for models above the objects

/// The module `SwiftData` reads and writes the slots of its rows by these.
extension NSManagedObject {
  /// The knowledge of a module above about the object's entity.
  ///
  /// It is not counted as a reference: the entity's description keeps it.
  package final var rowKind: Unmanaged<AnyObject>? { layout.rowKind }

  /// The value of a property; fires the object's fault, and counts as a read.
  package final func rowValue(_ slot: ManagedSlot) -> SlotValue { value(at: find(slot)) }

  /// The value of an attribute of integers or Booleans; `nil` if the slot is empty.
  package final func rowInteger(_ slot: ManagedSlot) -> Int64? { optionalInteger(at: find(slot)) }

  /// The value of an attribute of numbers or dates; `nil` if the slot is empty.
  package final func rowReal(_ slot: ManagedSlot) -> Double? { optionalReal(slot) }

  /// The value of an attribute of texts; `nil` if the slot is empty.
  package final func rowText(_ slot: ManagedSlot) -> String? { text(slot) }

  /// Sets an attribute, and records the change.
  package final func setRowValue(_ value: SlotValue, _ slot: ManagedSlot) {
    set(value, at: find(slot, .writing))
  }

  /// The value of an attribute as an object: a composite's as a dictionary.
  package final func boxedRowValue(_ slot: ManagedSlot) -> Any? { boxedValue(at: find(slot)) }

  /// Sets an attribute to the value of an object, and records the change.
  package final func setBoxedRowValue(_ value: Any?, _ slot: ManagedSlot) {
    let found = find(slot, .writing)
    set(slotValue(boxing: value, at: found), at: found)
  }

  /// The object of a to-one relationship.
  package final func rowTarget(_ slot: ManagedSlot) -> NSManagedObject? { target(at: find(slot)) }

  /// Sets a to-one relationship and its inverse.
  package final func setRowTarget(_ target: NSManagedObject?, _ slot: ManagedSlot) {
    setTarget(target, at: find(slot, .writing))
  }

  /// The objects of a to-many relationship.
  package final func rowMembers(_ slot: ManagedSlot) -> [NSManagedObject] {
    loadedCollection(at: find(slot)).members
  }

  /// Replaces the objects of a to-many relationship, and sets their inverses.
  package final func setRowMembers(_ members: [NSManagedObject], _ slot: ManagedSlot) {
    setMembers(members, at: find(slot, .writing))
  }

  /// Whether the object belongs to a context.
  package final var isInContext: Bool { identityMap != nil }

  /// Whether the object has unsaved changes, or is one of those that a save is ending with.
  package final var isUnsaved: Bool { life.hasChanges }

  /// Whether the object only notes which properties are read.
  package final var isRecording: Bool { watch.contains(.recording) }

  /// Lets `withObservationTracking` notice reads, also before the object has a context.
  package final func becomeTrackable() { watch.insert(.trackable) }

  /// Whether the row of the object is gone, so that its properties cannot be read.
  package final var isRowGone: Bool { isInaccessible }

  /// Takes the values of an object without a context, apart from its relationships.
  package final func takeAttributes(of other: NSManagedObject) {
    guard let values = other.existingOverlay else { return }
    for slot in values.present where !other.layout.slots[slot].kind.isRelationship {
      guard let own = layout.slot(named: other.layout.slots[slot].name) else { continue }
      set(slotValue(boxing: other.boxedValue(at: slot), at: own), at: own)
    }
  }

  /// The related objects of an object without a context, by relationship, which forgets them.
  package final func takeOutRelated() -> [(name: String, members: [NSManagedObject])] {
    guard let overlay = existingOverlay else { return [] }
    var related: [(name: String, members: [NSManagedObject])] = []
    for slot in overlay.present where layout.slots[slot].kind.isRelationship {
      let name = layout.slots[slot].name
      switch overlay[slot] {
      case .collection(let collection): related.append((name, collection.members))
      case .object(let object):
        related.append((name, [object as? NSManagedObject].compactMap(\.self)))
      case .null, .integer, .real, .text, .data, .uuid, .url: break
      }
      overlay.forget(slot)
      overlay.changed.remove(slot)
    }
    return related
  }

  /// The related objects of an object without a context.
  package final var relatedRows: [NSManagedObject] {
    guard let overlay = existingOverlay else { return [] }
    return overlay.present.flatMap { slot -> [NSManagedObject] in
      switch overlay[slot] {
      case .collection(let collection): collection.members
      case .object(let object): (object as? NSManagedObject).map { [$0] } ?? []
      case .null, .integer, .real, .text, .data, .uuid, .url: []
      }
    }
  }

  /// Whether an object without a context has related objects.
  package final var hasRelatedRows: Bool {
    guard let overlay = existingOverlay else { return false }
    return overlay.present.contains { slot in
      guard layout.kinds[slot].isRelationship else { return false }
      switch overlay[slot] {
      case .collection(let collection): return !collection.members.isEmpty
      case .object: return true
      case .null, .integer, .real, .text, .data, .uuid, .url: return false
      }
    }
  }

  /// Whether the object's entity is one of the context's model.
  package final func isOfModel(of context: NSManagedObjectContext) -> Bool {
    layout.belongs(to: context.model)
  }

  /// Whether two objects without a context can be related: their entities are of one model.
  package final func sharesModel(with other: NSManagedObject) -> Bool {
    layout.model === other.layout.model
  }

  /// Creates an object without a context that only notes which properties are read.
  package static func recorder(of entity: NSEntityDescription) -> NSManagedObject {
    let probe = entity.layout.objectClass.init(entity: entity, insertInto: nil)
    probe.watch.insert(.recording)
    return probe
  }
}

extension NSManagedObjectContext {
  /// Lets the context be used by one thread at a time, whichever that is.
  package func allowAnyThread() { watch.remove(.guarded) }

  /// The context's queue as an executor.
  package var executor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }

  /// Whether the context may be used here: its queue is the one that runs.
  package var isOnItsQueue: Bool { queue.isCurrent }

  /// Runs a job of an actor on the context's queue.
  package func run(_ job: consuming ExecutorJob) { queue.enqueue(job) }

  /// The objects that the next save inserts, changes and deletes, without the sets in which programs get them.
  package var trackedObjects:
    (inserted: [NSManagedObject], updated: [NSManagedObject], deleted: [NSManagedObject])
  {
    (
      Array(tracker.inserted.objects), Array(tracker.updated.objects),
      Array(tracker.deleted.objects)
    )
  }

  /// The objects with unsaved changes.
  package var unsavedObjects: [NSManagedObject] {
    Array(tracker.inserted.objects) + Array(tracker.updated.objects)
      + Array(tracker.deleted.objects)
  }
}
