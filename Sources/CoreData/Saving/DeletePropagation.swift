import CoreDataModel

/// What the deletion of one object does to the objects around it.
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
    for slot in 0..<object.layout.propertyCount {
      guard let relationship = object.layout.slots[slot].relationship else { continue }
      switch relationship.deleteRule {
      case .nullify: forgetMe(at: slot)
      case .cascade: deleteOthers(at: slot)
      case .deny, .noAction: break
      }
    }
  }

  private func forgetMe(at slot: Int) {
    guard let inverse = object.layout.slots[slot].end?.inverse else { return }
    for other in others(at: slot) where !other.isDeleted { other.lose(object, at: inverse) }
  }

  private func deleteOthers(at slot: Int) {
    let inverse = object.layout.slots[slot].end?.inverse
    for other in others(at: slot) where !other.isDeleted {
      object.managedObjectContext?.delete(other)
      // A cascade goes one way: the other end's own rule must not come back to this object.
      if let inverse, other.layout.slots[inverse].relationship?.deleteRule == .deny {
        other.lose(object, at: inverse)
      }
    }
  }

  private func others(at slot: Int) -> [NSManagedObject] {
    if object.layout.slots[slot].kind.isToMany { return object.loadedCollection(at: slot).members }
    return object.target(at: slot).map { [$0] } ?? []
  }
}

// MARK: - Reading ahead

extension NSManagedObjectContext {
  /// Reads what the relationships of objects lead to that are to be deleted together: one statement for
  /// each relationship, and not one for each object.
  func readAhead(toDelete objects: [NSManagedObject]) {
    // Nobody else knows of objects that were never saved.
    let stored = objects.filter { $0.snapshot != nil }
    let groups = Dictionary(grouping: stored, by: \.layout.number).values
    for objects in groups where objects.count > 1 {
      let layout = objects[0].layout
      let paths = PrefetchPaths(layout.namesToFollowInDeletion, of: layout)
      // What cannot be read now is asked for again, object by object, where an error has somewhere to go.
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
