import CoreData

/// The history's account of how the members of a set came to be there.
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

  /// The first transaction that has changed the set, and if possible that at the other end.
  func maker(with end: LocalChanges.Touch?) -> Int? {
    let own = touch.transactions(of: name)
    guard let end, let inverse else { return own.first }
    // One of the ends may be changed by each save that there is.
    let common =
      own.count < end.countOfTransactions(of: inverse)
      ? own.first { end.isChanged(inverse, by: $0) }
      : end.transactions(of: inverse).first { touch.isChanged(name, by: $0) }
    return common ?? own.first
  }
}
