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
