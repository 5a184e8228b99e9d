import Foundation

/// Turns the changed objects of one store into rows.
///
/// It runs inside the store's transaction, when the keys of new rows are reserved and nobody else
/// can write; objects are only read.
struct SavePlanner {
  private let changes: StoreChanges
  private let keys: ReservedKeys
  private var writer: SnapshotWriter
  private var plan = SavePlan()
  /// Values of hidden slots that relationships of other objects decide.
  private var hidden: [ObjectIdentifier: HiddenValues] = [:]
  /// The objects of the plan's updates, in its order.
  private var updatedObjects: [NSManagedObject] = []

  private struct HiddenValues {
    let object: NSManagedObject
    var values: [Int: Int64?] = [:]
  }

  /// A plan, and the objects it speaks of.
  struct Outcome {
    let plan: SavePlan
    let inserted: [NSManagedObject]
    let updated: [NSManagedObject]
    let deleted: [NSManagedObject]
  }

  init(_ changes: StoreChanges, keys: ReservedKeys) {
    self.changes = changes
    self.keys = keys
    let slots = changes.inserted.first?.object.layout.slots.count ?? 0
    writer = SnapshotWriter(expectedBytes: changes.inserted.count * (64 + slots * 16))
  }

  mutating func outcome() throws -> Outcome {
    for (object, _) in changes.inserted where object.layout.hasCollections { try relate(object) }
    for object in changes.updated where object.layout.hasCollections { try relate(object) }
    try planDeletes()
    try planUpdates()
    try planInserts()
    return Outcome(
      plan: plan,
      inserted: changes.inserted.map(\.object),
      updated: updatedObjects,
      deleted: changes.deleted
    )
  }
}

// MARK: - Rows

extension SavePlanner {
  private mutating func planInserts() throws {
    plan.inserts.reserveCapacity(changes.inserted.count)
    for (object, place) in changes.inserted {
      plan.inserts.append(
        RowInsert(
          number: keys.number(at: place),
          layout: object.layout,
          snapshot: try packed(object, version: 1)
        )
      )
    }
  }

  private mutating func planUpdates() throws {
    for object in changes.updated { try planUpdate(of: object) }
    let places = hidden.values.filter { !$0.object.hasChanges || $0.object.isDeleted }
    for values in places.sorted(by: { number(of: $0.object) ?? 0 < number(of: $1.object) ?? 0 })
    where !values.object.isDeleted {
      try planPlacement(of: values.object)
    }
  }

  private mutating func planUpdate(of object: NSManagedObject) throws {
    guard let stored = object.record.pointee.snapshot else { return }
    var changed = storedSlots(changedIn: object)
    if let decided = hidden[ObjectIdentifier(object)]?.values {
      for slot in decided.keys { changed.insert(slot) }
    }
    plan.updates.append(
      RowUpdate(
        number: object.record.pointee.key.number,
        layout: object.layout,
        snapshot: try packed(object, version: stored.version + 1),
        changed: changed,
        expectedVersion: stored.version
      )
    )
    updatedObjects.append(object)
  }

  /// Writes hidden values into the row of an object that has no change of its own.
  private mutating func planPlacement(of object: NSManagedObject) throws {
    try object.fulfilFault()
    guard let stored = object.record.pointee.snapshot,
      let values = hidden[ObjectIdentifier(object)]?.values
    else { return }
    plan.updates.append(
      RowUpdate(
        number: object.record.pointee.key.number,
        layout: object.layout,
        snapshot: try packed(object, version: stored.version),
        changed: SlotSet(values.keys),
        expectedVersion: nil
      )
    )
    updatedObjects.append(object)
  }

  private mutating func planDeletes() throws {
    for object in changes.deleted {
      plan.deletes.append(
        RowDelete(
          number: object.record.pointee.key.number,
          layout: object.layout,
          expectedVersion: object.record.pointee.snapshot?.version ?? 0
        )
      )
    }
  }

  /// The slots with a value of their own in the row that were set since the last save.
  private func storedSlots(changedIn object: NSManagedObject) -> SlotSet {
    var result = SlotSet()
    guard let overlay = object.record.pointee.overlay else { return result }
    for slot in overlay.changed {
      let entry = object.layout.slots[slot]
      guard entry.isPersistent, !entry.kind.isToMany else { continue }
      result.insert(slot)
      if let entity = entry.end?.entitySlot { result.insert(entity) }
      // An object that has left an ordered relationship has no place in it.
      if let order = entry.end?.orderSlot { result.insert(order) }
    }
    return result
  }
}

// MARK: - Packing

extension SavePlanner {
  private mutating func packed(_ object: NSManagedObject, version: Int64) throws -> Snapshot {
    let layout = object.layout
    let stored = object.record.pointee.snapshot
    let overlay = object.record.pointee.overlay
    let changed = overlay?.changed ?? SlotSet()
    writer.begin(slotCount: layout.slots.count, version: version)
    for slot in 0..<layout.propertyCount {
      let entry = layout.slots[slot]
      guard entry.isPersistent, !entry.kind.isToMany else { continue }
      if let stored, !changed.contains(slot) {
        writer.copy(slot, from: stored, in: layout)
        if let end = entry.end { copyHidden(of: end, from: stored) }
      } else if entry.kind == .toOne {
        try packTarget(of: object, at: slot)
      } else {
        let value = overlay.flatMap { $0.has(slot) ? $0[slot] : nil } ?? layout.defaults[slot]
        writer.set(slot, to: value, in: layout)
      }
    }
    packForeignKeys(of: object, stored: stored)
    return writer.finish()
  }

  private mutating func packTarget(of object: NSManagedObject, at slot: Int) throws {
    guard let target = object.target(at: slot), let end = object.layout.slots[slot].end else {
      return
    }
    guard let number = number(of: target) else {
      throw betweenStores(object, slot, target)
    }
    writer.set(slot, to: number)
    if let entity = end.entitySlot { writer.set(entity, to: Int64(target.layout.number)) }
    let places = hidden[ObjectIdentifier(object)]?.values
    if let order = end.orderSlot, case .some(.some(let place)) = places?[order] {
      writer.set(order, to: place)
    }
  }

  private mutating func copyHidden(of end: RelationshipTarget, from stored: Snapshot) {
    if let entity = end.entitySlot, let number = stored.optionalInteger(entity) {
      writer.set(entity, to: number)
    }
    if let order = end.orderSlot, let place = stored.optionalInteger(order) {
      writer.set(order, to: place)
    }
  }

  /// Hidden values that were decided for this save replace the stored ones.
  private mutating func packForeignKeys(of object: NSManagedObject, stored: Snapshot?) {
    let decided = hidden[ObjectIdentifier(object)]?.values ?? [:]
    for slot in object.layout.propertyCount..<object.layout.slots.count {
      if let value = decided[slot] {
        if let value { writer.set(slot, to: value) } else { writer.clear(slot) }
      } else if let value = stored?.optionalInteger(slot),
        object.layout.slots[slot].hidden?.isForeign ?? false
      {
        writer.set(slot, to: value)
      }
    }
  }

  /// The key that an object has, or will have, in this plan's store; nil for one of another store.
  private func number(of object: NSManagedObject) -> Int64? {
    let key = object.record.pointee.key
    if key.store == changes.store.number { return key.number }
    guard key.isTemporary, object.record.pointee.life == .inserted else { return nil }
    return keys.number(of: object, in: changes.store)
  }
}

// MARK: - Relationships

extension SavePlanner {
  /// Decides what an object's to-many relationships mean for the rows of others.
  ///
  /// Throws 133010 for members that are in another store.
  private mutating func relate(_ object: NSManagedObject) throws {
    guard let overlay = object.record.pointee.overlay else { return }
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
    where member.record.pointee.life != .detached && number(of: member) == nil {
      throw betweenStores(object, slot, member)
    }
  }

  private func betweenStores(
    _ object: NSManagedObject,
    _ slot: Int,
    _ target: NSManagedObject
  ) -> NSError {
    SaveFailure.relationshipBetweenStores(
      key: object.layout.slots[slot].name,
      entity: object.layout.name,
      destination: "\(target.objectID)"
    ).error
  }

  /// Numbers the members of an ordered one-to-many relationship.
  private mutating func place(_ members: [NSManagedObject], by inverse: Int) throws {
    let stored = try members.map { member -> Int64? in
      guard let order = member.layout.slots[inverse].end?.orderSlot,
        member.record.pointee.overlay?.changed.contains(inverse) != true
      else { return nil }
      try member.fulfilFault()
      return member.record.pointee.snapshot?.optionalInteger(order)
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
    if hidden[ObjectIdentifier(object)]?.values[slot] == nil { decide(nil, for: object, at: slot) }
  }

  private mutating func decide(_ value: Int64?, for object: NSManagedObject, at slot: Int) {
    let id = ObjectIdentifier(object)
    hidden[id, default: HiddenValues(object: object)].values.updateValue(value, forKey: slot)
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
      plan.pairs += numbers(of: collection.removed).filter(counts).map { change($0, .unlink) }
      plan.pairs += numbers(of: collection.added).filter(counts).map { change($0, .link) }
    }
    if collection.isOrdered {
      let places = OrderPlaces.evenPlaces(count: collection.count)
      for (member, place) in zip(collection.members, places) {
        if let number = number(of: member) { plan.pairs.append(change(number, .place(place))) }
      }
    }
  }

  private func numbers(of objects: Set<NSManagedObject>) -> [Int64] {
    objects.compactMap(number).sorted()
  }
}

/// The keys that stores have reserved for the new objects of one save.
struct ReservedKeys {
  /// By the objects' places in the list of inserted objects.
  private var numbers: [Int64]
  private var stores: [StoreNumber]

  init(count: Int) {
    numbers = Array(repeating: 0, count: count)
    stores = Array(repeating: .none, count: count)
  }

  mutating func set(_ number: Int64, in store: StoreNumber, at place: Int) {
    numbers[place] = number
    stores[place] = store
  }

  func number(at place: Int) -> Int64 { numbers[place] }

  func key(at place: Int, root: Int32) -> ObjectKey {
    ObjectKey(store: stores[place], root: root, number: numbers[place])
  }

  func number(of object: NSManagedObject, in store: NSPersistentStore) -> Int64? {
    let place = Int(object.record.pointee.trackerIndex)
    guard numbers.indices.contains(place), stores[place] == store.number else { return nil }
    return numbers[place]
  }
}
