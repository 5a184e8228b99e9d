/// Makes objects of one context agree about a value that only one of them can have, by the rules of a
/// policy.
///
/// ```
/// stored   Tag 7  name swift   colour red      on 12 notes
/// new      Tag –  name swift   colour blue     on 1 note
///
/// object trump   Tag 7  name swift   colour blue    on 13 notes
/// store trump    Tag 7  name swift   colour red     on 13 notes
/// rollback       Tag 7  name swift   colour red     on 12 notes
/// ```
struct DuplicateResolution {
  private let conflict: NSConstraintConflict
  private let rule: MergeRule

  init(_ conflict: NSConstraintConflict, _ policy: NSMergePolicyType) {
    self.conflict = conflict
    rule = policy.rule
  }

  /// Several new objects are resolved as if they had been saved one after another; those that were
  /// stored come first, because they have rows.
  func perform() throws {
    let objects = conflict.conflictingObjects.filter(conflict.concerns)
    var rest = (objects.filter(\.willBeUpdated) + objects.filter(\.willBeInserted))[...]
    guard var holder = conflict.databaseObject ?? rest.popFirst() else { return }
    for object in rest {
      guard holder.managedObjectContext != nil else { return }
      holder = try resolve(object, against: holder)
    }
  }

  /// Gives the object that has the values afterwards.
  private func resolve(
    _ object: NSManagedObject,
    against holder: NSManagedObject
  ) throws -> NSManagedObject {
    switch rule.newcomer {
    case .refused:
      break
    case .givenUp:
      if object.willBeInserted {
        try object.discardNew()
      } else {
        try giveUp(Array(object.existingOverlay?.changed ?? SlotSet()), of: object)
      }
    case .joins:
      if object.willBeInserted { return try unite(object, with: holder) }
      try giveUp(slots(of: conflict.constraint, in: object), of: object)
    case .writesChanges, .writesAll:
      if object.willBeInserted { return try unite(object, with: holder) }
      try replace(holder, by: object)
      return object
    }
    return holder
  }

  private func slots(of names: [String], in object: NSManagedObject) -> [Int] {
    names.compactMap { object.layout.slot(named: $0) }
  }

  /// A stored object gets its former values back.
  private func giveUp(_ slots: [Int], of object: NSManagedObject) throws {
    let changed = object.existingOverlay?.changed ?? SlotSet()
    let taken = slots.filter { changed.contains($0) }
    try object.observed(on: taken) { try object.takeBack(taken) }
    object.noteMerge()
  }
}

// MARK: - A new object and one that has a row

extension DuplicateResolution {
  private func unite(
    _ object: NSManagedObject,
    with holder: NSManagedObject
  ) throws -> NSManagedObject {
    let isUnknown = conflict.isDatabaseObjectNew && holder === conflict.databaseObject
    if isUnknown, !holder.hasChanges, holder.layout === object.layout, let row = conflict.row {
      try object.become(holder, with: row, rule.newcomer)
      conflict.databaseObject = object
      return object
    }
    try catchUp(holder)
    if holder.willBeDeleted { return holder }
    try object.hand(over: rule.newcomer, to: holder)
    try object.discardNew()
    let key = holder.key
    if holder.layout === object.layout, !key.isTemporary {
      object.key = key
      object.existingID = nil
    }
    return holder
  }

  /// The stored object takes the value, and the other row goes.
  private func replace(_ holder: NSManagedObject, by object: NSManagedObject) throws {
    try catchUp(holder)
    guard let context = holder.managedObjectContext, !holder.willBeDeleted else { return }
    try holder.handMembers(to: object)
    for (slot, inverse) in holder.layout.inverses {
      if holder.layout.kinds[slot].isToMany { try holder.loadMembers(at: slot) }
      for other in holder.knownOthers(at: slot) { try other.prepareToChange(at: inverse) }
    }
    context.deleteObject(holder)
  }

  /// Lets the object of the row have the row as the save has found it.
  private func catchUp(_ holder: NSManagedObject) throws {
    try holder.fulfilFault()
    guard holder === conflict.databaseObject, let row = conflict.row,
      holder.snapshot?.version != row.version
    else { return }
    try RowResolution(holder, stored: row, .objectTrump)?.perform()
  }
}
