import Foundation

/// The changes of a parent that a child's save makes, as values: complete before the parent is touched, and valid on
/// the parent's queue.
///
/// Attributes and to-one relationships travel as a row of which only some slots count; to-many
/// relationships as differences, so that what the parent has added or removed itself stays.
struct PushPlan {
  var inserted: [PushedObject] = []
  var updated: [PushedObject] = []
  var deleted: [ObjectName] = []
}

/// One object of a child's save.
struct PushedObject {
  let name: ObjectName
  /// The store that a new object was assigned to.
  let assignedStore: NSPersistentStore?
  /// All present values.
  let snapshot: Snapshot
  /// The slots that the child has set.
  let given: SlotSet
  let collections: [PushedCollection]
  /// Values that no row has, by slot.
  let transients: [(slot: Int, value: TransientValue)]
}

/// The value that a child has set in a transient property.
enum TransientValue {
  case attribute(SlotValue)
  case target(ObjectName?)
}

/// The changes that a child has made to a to-many relationship.
struct PushedCollection: Sendable {
  let slot: Int
  /// `nil` if the members themselves name their owners.
  let difference: (added: [ObjectName], removed: [ObjectName])?
  /// The members in the child's order; nil for a relationship without one.
  let order: [ObjectName]?
}

// MARK: - Planning

extension NSManagedObjectContext {
  func pushPlan(for changes: ChangeSet) throws -> PushPlan {
    var writer = SnapshotWriter(expectedBytes: changes.inserted.count * 128)
    var plan = PushPlan()
    plan.inserted = try changes.inserted.map { try pushed($0, into: &writer) }
    plan.updated = try changes.updated.map { try pushed($0, into: &writer) }
    plan.deleted = changes.deleted.map { ObjectName($0) }
    return plan
  }

  private func pushed(
    _ object: NSManagedObject,
    into writer: inout SnapshotWriter
  ) throws -> PushedObject {
    PushedObject(
      name: ObjectName(object),
      assignedStore: pending.assignments[ObjectIdentifier(object)],
      snapshot: try passedValues(of: object, into: &writer),
      given: object.givenSlots,
      collections: object.pushedCollections,
      transients: object.pushedTransients
    )
  }
}

extension NSManagedObject {
  /// The slots whose values a parent takes over; of a new object also those that were set without
  /// being tracked.
  fileprivate var givenSlots: SlotSet {
    guard let overlay = existingOverlay else { return SlotSet() }
    var slots = overlay.changed
    if willBeInserted { slots.formUnion(overlay.present) }
    return slots
  }

  fileprivate var pushedTransients: [(slot: Int, value: TransientValue)] {
    guard !layout.transientSlots.isEmpty, let overlay = existingOverlay else { return [] }
    return givenSlots.compactMap { slot in
      guard layout.transientSlots.contains(slot), overlay.has(slot) else { return nil }
      switch layout.kinds[slot] {
      case .toMany, .orderedToMany, .fetched: return nil
      case .toOne: return (slot, .target(target(at: slot).map { ObjectName($0) }))
      case .integer, .boolean, .real, .date, .decimal, .text, .uri, .uuid, .data, .externalData,
        .transformable, .composite, .object:
        return (slot, .attribute(overlay[slot]))
      }
    }
  }

  fileprivate var pushedCollections: [PushedCollection] {
    guard layout.hasCollections, let overlay = existingOverlay else { return [] }
    var result: [PushedCollection] = []
    for slot in overlay.present {
      guard case .collection(let collection) = overlay[slot], collection.isChanged else { continue }
      let isKeptByMembers = hasToOneInverse(at: slot)
      if isKeptByMembers, !collection.isOrdered { continue }
      let names = { (objects: Set<NSManagedObject>) in objects.map { ObjectName($0) } }
      result.append(
        PushedCollection(
          slot: slot,
          difference: isKeptByMembers
            ? nil : (names(collection.added), names(collection.removed)),
          order: collection.isOrdered ? collection.members.map { ObjectName($0) } : nil
        )
      )
    }
    return result
  }

  private func hasToOneInverse(at slot: Int) -> Bool {
    guard let end = layout.slots[slot].end, let inverse = end.inverse else { return false }
    return layout.model[number: end.destination]?.slots[inverse].kind == .toOne
  }
}
