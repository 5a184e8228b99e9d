import CoreDataModel

// MARK: - Ends that a step does not speak of

/// A step restores each end by itself. Others may have changed some since:
///
/// ```
/// step      C deleted                  C.notes  1     1.folder  C
/// others    note 1 goes to D           D.notes  1     1.folder  D
/// undo                                 C.notes  1     1.folder  C     and D.notes loses 1
/// ```
extension ObjectBefore {
  /// Where the restored to-one relationships lead now.
  var targets: [Int: NSManagedObject] {
    var targets: [Int: NSManagedObject] = [:]
    for slot in values.keys where object.layout.kinds[slot] == .toOne {
      targets[slot] = object.target(at: slot)
    }
    return targets
  }

  /// Makes the other ends agree with the values that were restored here.
  func mendOtherEnds(of former: [Int: NSManagedObject]) {
    for (slot, inverse) in object.layout.inverses {
      switch values[slot] {
      case nil: continue
      case .single: object.mendTarget(at: slot, inverse, former: former[slot])
      case .members(let members):
        object.drop(Set(members), at: slot, ifTheyLeadElsewhereBy: inverse)
      case .difference(let since), .ordered(_, let since):
        object.drop(since.lost, at: slot, ifTheyLeadElsewhereBy: inverse)
      }
    }
  }
}

extension NSManagedObject {
  /// The former target drops this object, and the present one has it, and no other.
  fileprivate func mendTarget(at slot: Int, _ inverse: Int, former: NSManagedObject?) {
    let target = target(at: slot)
    if let former, former !== target, !former.isGone, former.leads(to: self, at: inverse) {
      former.lose(self, at: inverse)
    }
    if let target, !target.leads(to: self, at: inverse) {
      target.gain(self, at: inverse, from: slot)
    }
  }

  /// A member that came back, but whose own end leads to somebody else by others' doing, goes again.
  fileprivate func drop(
    _ returned: Set<NSManagedObject>,
    at slot: Int,
    ifTheyLeadElsewhereBy inverse: Int
  ) {
    let collection = collection(at: slot)
    for member in returned where collection.contains(member) {
      if member.isGone || !member.leads(to: self, at: inverse) {
        changing(slot, losing: member) { collection.remove(member) }
      }
    }
  }

  /// An object that goes is dropped by objects that others have related to it.
  func leaveBehind() {
    if isGone { return }
    for (slot, inverse) in layout.inverses
    where layout.slots[slot].relationship?.deleteRule != .noAction {
      let others =
        layout.kinds[slot].isToMany
        ? loadedCollection(at: slot).members : target(at: slot).map { [$0] } ?? []
      for other in others
      where other !== self && !other.isGone && other.leads(to: self, at: inverse) {
        other.lose(self, at: inverse)
      }
    }
  }

  private var isGone: Bool { life.isGone }

  /// Whether this end leads to the other; if it was not read, the other's row decides, as far as it can.
  private func leads(to other: NSManagedObject, at slot: Int) -> Bool {
    if layout.kinds[slot] == .toOne { return target(at: slot) === other }
    let collection = collection(at: slot)
    if !collection.isFault { return collection.contains(other) }
    if collection.added.contains(other) { return true }
    return !collection.removed.contains(other) && other.isStored(with: self, by: slot)
  }

  private func isStored(with owner: NSManagedObject, by slot: Int) -> Bool {
    guard let inverse = owner.layout.slots[slot].end?.inverse, layout.kinds[inverse] == .toOne,
      let snapshot = self.snapshot
    else { return true }
    return storedKey(at: inverse, in: snapshot)?.0 == owner.key
  }
}
