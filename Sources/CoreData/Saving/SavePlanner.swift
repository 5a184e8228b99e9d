import Foundation

/// Turns the changed objects of one store into rows.
///
/// It runs inside the store's transaction, when the keys of new rows are reserved and nobody else
/// can write; objects are only read.
struct SavePlanner {
  private let changes: StoreChanges
  private let keys: ReservedKeys
  private let transaction: any SaveTransaction
  private var writer: SnapshotWriter
  private var plan = SavePlan()
  private var relationships: RelationshipPlanner
  /// The objects of the plan's updates, in its order.
  private var updatedObjects: [NSManagedObject] = []

  /// A plan, and the objects it speaks of.
  struct Outcome {
    let plan: SavePlan
    let inserted: [NSManagedObject]
    let updated: [NSManagedObject]
    let deleted: [NSManagedObject]
  }

  init(_ changes: StoreChanges, keys: ReservedKeys, in transaction: any SaveTransaction) {
    self.transaction = transaction
    self.changes = changes
    self.keys = keys
    relationships = RelationshipPlanner(changes.store.number, keys: keys)
    let slots = changes.inserted.first?.object.layout.slots.count ?? 0
    writer = SnapshotWriter(expectedBytes: changes.inserted.count * (64 + slots * 16))
  }

  mutating func outcome() throws -> Outcome {
    for (object, _) in changes.inserted where object.layout.hasCollections {
      try relationships.relate(object)
    }
    for object in changes.updated where object.layout.hasCollections {
      try relationships.relate(object)
    }
    try planDeletes()
    try planUpdates()
    try planInserts()
    plan.pairs = relationships.pairs
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
    for object in relationships.objectsWithoutChanges { try planPlacement(of: object) }
  }

  private mutating func planUpdate(of object: NSManagedObject) throws {
    guard let stored = object.record.pointee.snapshot else { return }
    var changed = storedSlots(changedIn: object)
    for slot in relationships.hiddenValues(of: object).keys { changed.insert(slot) }
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
    guard let stored = object.record.pointee.snapshot else { return }
    plan.updates.append(
      RowUpdate(
        number: object.record.pointee.key.number,
        layout: object.layout,
        snapshot: try packed(object, version: stored.version),
        changed: SlotSet(relationships.hiddenValues(of: object).keys),
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
      guard entry.isPersistent, !entry.kind.isToMany, !entry.isDerived else { continue }
      result.insert(slot)
      if let entity = entry.end?.entitySlot { result.insert(entity) }
      // An object that has left an ordered relationship has no place in it.
      if let order = entry.end?.orderSlot { result.insert(order) }
      for element in entry.elements { result.insert(element.slot) }
    }
    for derivation in object.layout.derivations {
      guard case .ownText(_, let source) = derivation.source else { continue }
      if result.contains(source) { result.insert(derivation.slot) }
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
      if layout.derivedSlots.contains(slot) {
        if let stored { writer.copy(slot, from: stored, in: layout) }
      } else if let stored, !changed.contains(slot) {
        writer.copy(slot, from: stored, in: layout)
        if let end = entry.end { copyHidden(of: end, from: stored) }
        for element in entry.elements { writer.copy(element.slot, from: stored, in: layout) }
      } else if entry.kind == .toOne {
        try packTarget(of: object, at: slot)
      } else {
        let value = overlay.flatMap { $0.has(slot) ? $0[slot] : nil } ?? layout.defaults[slot]
        if entry.kind == .externalData, let file = try file(for: value) {
          file.withUnsafeBytes { writer.set(slot, to: $0) }
        } else {
          try writer.set(slot, to: value, in: layout)
        }
      }
    }
    packForeignKeys(of: object, stored: stored)
    packDerivedTexts(of: object)
    return writer.finish()
  }

  private mutating func packTarget(of object: NSManagedObject, at slot: Int) throws {
    guard let target = object.target(at: slot), let end = object.layout.slots[slot].end else {
      return
    }
    guard let number = keys.number(of: target, in: changes.store.number) else {
      throw SaveFailure.between(object, slot, target)
    }
    writer.set(slot, to: number)
    if let entity = end.entitySlot { writer.set(entity, to: Int64(target.layout.number)) }
  }

  /// What the row keeps of data that goes into a file; nil for data that stands in the row.
  private func file(for value: SlotValue) throws -> Data? {
    guard case .data(let data) = value else { return nil }
    return try transaction.keepInFile(data).map(ExternalData.reference)
  }

  /// What is derived from the row's own texts goes into it; all else the store computes.
  private mutating func packDerivedTexts(of object: NSManagedObject) {
    for derivation in object.layout.derivations {
      guard case .ownText(let function, let source) = derivation.source else { continue }
      writer.clear(derivation.slot)
      guard let text = object.text(at: source) else { continue }
      writer.set(derivation.slot, to: function.changed(text))
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
    let decided = relationships.hiddenValues(of: object)
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
}
