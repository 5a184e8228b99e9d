import CoreData

/// What the history says of how the members of a set came to be there.
struct Making {
  let touch: LocalChanges.Touch
  let name: String
  /// The relationship that leads back.
  let inverse: String?

  init(of object: NSManagedObject, _ name: String, _ touch: LocalChanges.Touch) {
    self.touch = touch
    self.name = name
    inverse = object.entity.relationshipsByName[name]?.inverseRelationship?.name
  }

  /// The transactions that have changed the set, and if possible that at the other end.
  func makers(with end: LocalChanges.Touch?) -> [Int] {
    guard let end, let inverse else { return touch.transactions(of: name) }
    // One of the ends may be changed by each save that there is.
    let common =
      touch.countOfTransactions(of: name) < end.countOfTransactions(of: inverse)
      ? touch.transactions(of: name).filter { end.isChanged(inverse, by: $0) }
      : end.transactions(of: inverse).filter { touch.isChanged(name, by: $0) }
    return common.isEmpty ? touch.transactions(of: name) : common
  }
}
