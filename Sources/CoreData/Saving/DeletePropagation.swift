import CoreDataModel

/// The effect of the deletion of one object on related objects.
///
/// ```
/// Nullify     the others forget this object
/// Cascade     the others are deleted too
/// Deny        nothing; validation refuses the deletion while there are others
/// No Action   nothing
/// ```
struct DeletePropagation {
  private let object: NSManagedObject

  init(_ object: NSManagedObject) {
    self.object = object
  }

  func perform() {
    for duty in object.layout.deletionDuties {
      switch duty.rule {
      case .nullify: forgetMe(at: duty)
      case .cascade: deleteOthers(at: duty)
      case .deny, .noAction: break
      }
    }
  }

  private func forgetMe(at duty: DeletionDuty) {
    guard let inverse = duty.inverse else { return }
    for other in others(at: duty.slot) where !other.willBeDeleted {
      other.lose(object, at: inverse)
    }
  }

  private func deleteOthers(at duty: DeletionDuty) {
    for other in others(at: duty.slot) where !other.willBeDeleted {
      object.managedObjectContext?.deleteObject(other)
      // A cascade goes one way: the other end's own rule must not come back to this object.
      if let inverse = duty.inverse,
        other.layout.slots[inverse].relationship?.deleteRule == .deny
      {
        other.lose(object, at: inverse)
      }
    }
  }

  private func others(at slot: Int) -> [NSManagedObject] {
    if object.layout.kinds[slot].isToMany { return object.loadedCollection(at: slot).members }
    return object.target(at: slot).map { [$0] } ?? []
  }
}

/// The duty that the deletion of an object has for one of its relationships.
struct DeletionDuty: Sendable {
  let slot: Int
  let rule: RelationshipSchema.DeleteRule
  /// The slot of the way back, if there is one.
  let inverse: Int?

  /// Those of an entity, in the order of its slots; found once, for every deletion goes through them.
  static func all(of layout: EntityLayout) -> [DeletionDuty] {
    (0..<layout.propertyCount).compactMap { slot in
      layout.slots[slot].relationship.map {
        DeletionDuty(
          slot: slot,
          rule: $0.deleteRule,
          inverse: layout.slots[slot].end?.inverse
        )
      }
    }
  }
}

// MARK: - Reading ahead

extension NSManagedObjectContext {
  /// Reads the targets of the relationships of objects that will be deleted together: one statement for each
  /// relationship, and not one for each object.
  func readAhead(toDelete objects: [NSManagedObject]) {
    // Nobody else knows of objects that were never saved.
    let stored = objects.filter { $0.snapshot != nil }
    let groups = Dictionary(grouping: stored, by: \.layout.number).values
    for objects in groups where objects.count > 1 {
      let layout = objects[0].layout
      let paths = PrefetchPaths(layout.namesToFollowInDeletion, of: layout)
      // If this fails, each object is asked again by itself, where the error can be thrown.
      try? prefetch(paths, of: objects)
    }
  }
}

extension EntityLayout {
  /// The to-many relationships whose members hear of a deletion.
  fileprivate var namesToFollowInDeletion: [String] {
    slots.prefix(propertyCount).filter { slot in
      guard slot.kind.isToMany, slot.isPersistent, let rule = slot.relationship?.deleteRule else {
        return false
      }
      return rule == .cascade || rule == .nullify && slot.end?.inverse != nil
    }.map(\.name)
  }
}
