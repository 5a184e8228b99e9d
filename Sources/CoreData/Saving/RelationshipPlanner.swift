import Foundation

/// Decides what the changed to-many relationships of a save mean for the rows of a store.
///
/// ```
/// one-to-many, ordered      a place for each member, in the member's row
/// to-many without inverse   the owner's key, in the member's row
/// many-to-many              pairs, and places for those that are ordered
/// ```
///
/// Values for rows of other objects are collected by object, so that each row is written once.
struct RelationshipPlanner {
  private let store: StoreNumber
  private let keys: ReservedKeys
  private(set) var pairs: [PairChange] = []
  private var decided: [ObjectIdentifier: HiddenValues] = [:]

  /// Values for hidden slots of one object.
  struct HiddenValues {
    let object: NSManagedObject
    /// Nil takes a value away.
    fileprivate(set) var values: [Int: Int64?] = [:]
  }

  init(_ store: StoreNumber, keys: ReservedKeys) {
    self.store = store
    self.keys = keys
  }

  /// The values that were decided for an object's hidden slots.
  func hiddenValues(of object: NSManagedObject) -> [Int: Int64?] {
    decided[ObjectIdentifier(object)]?.values ?? [:]
  }

  /// Objects whose rows change although they did not, in the order of their keys.
  var objectsWithoutChanges: [NSManagedObject] {
    if decided.isEmpty { return [] }
    return decided.values.map(\.object).filter { !$0.hasChanges }
      .sorted { number(of: $0) ?? 0 < number(of: $1) ?? 0 }
  }

  private func number(of object: NSManagedObject) -> Int64? { keys.number(of: object, in: store) }
}

// MARK: - One object's relationships

extension RelationshipPlanner {
  /// Decides what an object's to-many relationships mean for the rows of others.
  ///
  /// Throws 133010 for members that are in another store.
  mutating func relate(_ object: NSManagedObject) throws {
    guard let overlay = object.existingOverlay else { return }
    for slot in overlay.present {
      guard case .collection(let collection) = overlay[slot], collection.isChanged,
        object.layout.slots[slot].isPersistent, let end = object.layout.slots[slot].end
      else { continue }
      guard let inverse = end.inverse else {
        try check(collection, of: object, at: slot)
        adopt(collection, of: object, at: slot)
        continue
      }
      guard let destination = object.layout.model[number: end.destination] else { continue }
      if destination.slots[inverse].kind == .toOne {
        if collection.isOrdered { try place(collection.members, by: inverse) }
      } else {
        try check(collection, of: object, at: slot)
        pair(collection, of: object, at: slot, inverse: destination.slots[inverse])
      }
    }
  }

  private func check(_ collection: ToMany, of object: NSManagedObject, at slot: Int) throws {
    for member in collection.added
    where member.life != .detached && number(of: member) == nil {
      throw SaveFailure.between(object, slot, member)
    }
  }
}

// MARK: - Kinds of relationships

extension RelationshipPlanner {
  /// Numbers the members of an ordered one-to-many relationship.
  private mutating func place(_ members: [NSManagedObject], by inverse: Int) throws {
    let stored = try members.map { member -> Int64? in
      guard let order = member.layout.slots[inverse].end?.orderSlot,
        member.existingOverlay?.changed.contains(inverse) != true
          || member.leadsWhereStored(at: inverse)
      else { return nil }
      try member.fulfilFault()
      return member.snapshot?.optionalInteger(order)
    }
    for (member, (place, before)) in zip(members, zip(OrderPlaces.places(for: stored), stored))
    where place != before {
      guard let order = member.layout.slots[inverse].end?.orderSlot else { continue }
      decide(place, for: member, at: order)
    }
  }

  /// Writes the owner's key into the members of a to-many relationship without an inverse.
  private mutating func adopt(_ collection: ToMany, of object: NSManagedObject, at slot: Int) {
    guard let owner = number(of: object) else { return }
    let declarer = object.layout.declarer(of: slot)
    for member in collection.removed {
      if let key = member.layout.hiddenSlot(.foreignKey(entity: declarer, slot: slot)) {
        release(member, at: key)
        if let order = member.layout.hiddenSlot(.foreignOrder(of: key)) {
          release(member, at: order)
        }
      }
    }
    let places = OrderPlaces.evenPlaces(count: collection.isOrdered ? collection.count : 0)
    let members = collection.isOrdered ? collection.members : Array(collection.added)
    for (index, member) in members.enumerated() {
      guard let key = member.layout.hiddenSlot(.foreignKey(entity: declarer, slot: slot)) else {
        continue
      }
      decide(owner, for: member, at: key)
      if let order = member.layout.hiddenSlot(.foreignOrder(of: key)) {
        decide(places[index], for: member, at: order)
      }
    }
  }

  /// Takes a hidden value away, unless another object of this save has given a new one already.
  private mutating func release(_ object: NSManagedObject, at slot: Int) {
    if decided[ObjectIdentifier(object)]?.values[slot] == nil { decide(nil, for: object, at: slot) }
  }

  private mutating func decide(_ value: Int64?, for object: NSManagedObject, at slot: Int) {
    let id = ObjectIdentifier(object)
    decided[id, default: HiddenValues(object: object)].values.updateValue(value, forKey: slot)
  }

  /// Links and unlinks the pairs of a many-to-many relationship; one of its two ends speaks for both.
  private mutating func pair(
    _ collection: ToMany,
    of object: NSManagedObject,
    at slot: Int,
    inverse: Slot
  ) {
    guard let owner = number(of: object) else { return }
    let layout = object.layout
    let change = { (member: Int64, action: PairChange.Action) in
      PairChange(layout: layout, slot: slot, owner: owner, member: member, action: action)
    }
    if layout.speaksForPair(slot) {
      let isOwnInverse = layout.slots[slot].relationship == inverse.relationship
      let counts = { (member: Int64) in !isOwnInverse || owner <= member }
      pairs += numbers(of: collection.removed).filter(counts).map { change($0, .unlink) }
      pairs += numbers(of: collection.added).filter(counts).map { change($0, .link) }
    }
    if collection.isOrdered {
      let places = OrderPlaces.evenPlaces(count: collection.count)
      for (member, place) in zip(collection.members, places) {
        if let number = number(of: member) { pairs.append(change(number, .place(place))) }
      }
    }
  }

  private func numbers(of objects: Set<NSManagedObject>) -> [Int64] {
    objects.compactMap(number).sorted()
  }
}
