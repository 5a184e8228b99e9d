import CoreDataModel
import Foundation

// MARK: - What a batch can set

extension EntityLayout {
  /// The slot of a property whose value a batch can set; throws for any other, naming `place`.
  package func slotForBatch(_ name: String, place: @autoclosure () -> String) throws -> Int {
    guard let slot = slot(named: name) else {
      throw BatchFailure.unknownProperty(name, entity: self.name, place: place()).error(key: name)
    }
    if let obstacle = obstacleForBatch(slot) { throw obstacle.error(key: name) }
    return slot
  }

  /// The slots of all such properties.
  var slotsSettableByBatches: SlotSet {
    SlotSet((0..<propertyCount).filter { obstacleForBatch($0) == nil })
  }

  private func obstacleForBatch(_ slot: Int) -> BatchFailure? {
    let property = "\(name).\(slots[slot].name)"
    let entry = slots[slot]
    if entry.kind.isToMany {
      return .unsettable(
        property,
        why: "is to many, which is kept in other rows",
        remedy: "Set the to-one relationship at the other end, or save objects."
      )
    }
    if entry.isDerived {
      return .unsettable(
        property,
        why: "is derived: the store computes it",
        remedy: "Set what it is derived from."
      )
    }
    if !entry.isPersistent {
      return .unsettable(property, why: "is never stored", remedy: "Leave it out.")
    }
    if entry.kind == .toOne, let inverse = entry.end?.inverse,
      let destination = entry.end.flatMap({ model[number: $0.destination] }),
      destination.slots[inverse].kind == .toOne
    {
      return .unsettable(
        property,
        why: "is to one at both ends, and the other end is kept in other rows",
        remedy: "Save objects instead."
      )
    }
    return nil
  }

  /// The slots whose columns are written when these are set: those of derived texts too, and what
  /// rows keep besides.
  func slotsWritten(bySetting given: SlotSet) -> SlotSet {
    var written = given
    for slot in given {
      if let entity = slots[slot].end?.entitySlot { written.insert(entity) }
      for element in slots[slot].elements { written.insert(element.slot) }
    }
    for derivation in derivations {
      guard case .ownText(_, let source) = derivation.source else { continue }
      if given.contains(source) { written.insert(derivation.slot) }
    }
    return written
  }
}
