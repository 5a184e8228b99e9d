import Foundation

/// Turns the changed objects of one store into rows.
///
/// It runs inside the store's transaction, when the keys of new rows are reserved and nobody else
/// can write; objects are only read.
struct SavePlanner {
  private let changes: ChangeSet
  private let store: NSPersistentStore
  private let keys: ReservedKeys
  private let transaction: any SaveTransaction
  private var writer: SnapshotWriter
  private var plan = ObjectPlan()
  private var relationships: RelationshipPlanner

  init(
    _ changes: ChangeSet,
    in store: NSPersistentStore,
    keys: ReservedKeys,
    _ transaction: any SaveTransaction
  ) {
    self.transaction = transaction
    self.changes = changes
    self.store = store
    self.keys = keys
    relationships = RelationshipPlanner(store.number, keys: keys)
    let slots = changes.inserted.first?.layout.slots.count ?? 0
    writer = SnapshotWriter(expectedBytes: changes.inserted.count * (64 + slots * 16))
  }

  mutating func makePlan() throws -> ObjectPlan {
    for object in changes.inserted where object.layout.hasCollections {
      try relationships.relate(object)
    }
    for object in changes.updated where object.layout.hasCollections {
      try relationships.relate(object)
    }
    planExpectations()
    try planDeletes()
    try planUpdates()
    try planInserts()
    plan.relate(relationships.pairs)
    return plan
  }
}

// MARK: - Rows

extension SavePlanner {
  private mutating func planInserts() throws {
    let objects = changes.inserted
    let rows = try objects.map { object in
      RowInsert(
        primaryKey: keys.number(for: object),
        layout: object.layout,
        // A row that comes back is newer than it ever was.
        snapshot: try packed(
          object,
          version: try versionAfter(object.snapshot, of: object)
        )
      )
    }
    plan.insert(objects, rows)
  }

  private mutating func planUpdates() throws {
    for object in changes.updated { try planUpdate(of: object) }
    for object in relationships.objectsWithoutChanges { try planPlacement(of: object) }
  }

  private mutating func planUpdate(of object: NSManagedObject) throws {
    guard let stored = object.snapshot else { return }
    var changed = storedSlots(changedIn: object)
    let hidden = relationships.hiddenValues(of: object)
    for slot in hidden.keys { changed.insert(slot) }
    let version = try versionAfter(stored, of: object)
    let copy = hidden.isEmpty ? copied(stored, of: object, changed, version: version) : nil
    plan.update(
      object,
      RowUpdate(
        primaryKey: object.key.number,
        layout: object.layout,
        snapshot: try copy ?? packed(object, version: version),
        changed: changed,
        expectedVersion: stored.version,
        changedCollections: changedCollections(of: object)
      )
    )
  }

  /// The version that comes next; throws for one that a file has and that none can follow.
  private func versionAfter(_ stored: Snapshot?, of object: NSManagedObject) throws -> Int64 {
    guard let stored else { return 1 }
    guard stored.version <= StoredNumber.greatest else {
      let place =
        "the version (Z_OPT) of \(object.layout.name) p\(object.key.number)"
      throw StoreFailure(
        .saving(.beyondBounds(stored.version, place)),
        path: store.shownPath
      ).error()
    }
    return stored.version + 1
  }

  /// Writes hidden values into the row of an object that itself is unchanged.
  private mutating func planPlacement(of object: NSManagedObject) throws {
    try object.fulfilFault()
    guard let stored = object.snapshot else { return }
    plan.update(
      object,
      RowUpdate(
        primaryKey: object.key.number,
        layout: object.layout,
        snapshot: try packed(object, version: stored.version),
        changed: SlotSet(relationships.hiddenValues(of: object).keys),
        expectedVersion: nil
      )
    )
  }

  private mutating func planExpectations() {
    for object in changes.locked {
      guard let stored = object.snapshot else { continue }
      plan.expect(
        object,
        RowExpectation(
          primaryKey: object.key.number,
          layout: object.layout,
          expectedVersion: stored.version
        )
      )
    }
  }

  private mutating func planDeletes() throws {
    for object in changes.deleted {
      plan.delete(
        object,
        RowDelete(
          primaryKey: object.key.number,
          layout: object.layout,
          expectedVersion: object.snapshot?.version ?? 0
        )
      )
    }
  }

  /// The to-many relationships that have lost or won members, for histories.
  private func changedCollections(of object: NSManagedObject) -> SlotSet {
    var result = SlotSet()
    guard transaction.keepsHistory, object.layout.hasCollections,
      let overlay = object.existingOverlay
    else { return result }
    for slot in overlay.present where object.layout.slots[slot].isPersistent {
      if case .collection(let collection) = overlay[slot], collection.differsFromStored {
        result.insert(slot)
      }
    }
    return result
  }

  /// The slots with a value of their own in the row that differ from it; a file beside the row is not read for that.
  private func storedSlots(changedIn object: NSManagedObject) -> SlotSet {
    var result = SlotSet()
    guard let overlay = object.existingOverlay else { return result }
    for slot in overlay.changed {
      let entry = object.layout.slots[slot]
      guard entry.isPersistent, !entry.kind.isToMany, !entry.isDerived,
        entry.kind == .externalData || object.differsFromStored(at: slot)
      else { continue }
      result.insert(slot)
      if let entity = entry.end?.entitySlot { result.insert(entity) }
      // An object that has left an ordered relationship gives up its place there.
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
    let (keys, store, transaction) = (keys, store.number, transaction)
    writer.begin(slotCount: object.layout.slots.count, version: version)
    try writer.setValues(of: object, file: transaction.keepInFile) { target, slot in
      guard let number = keys.number(of: target, in: store) else {
        throw SaveFailure.between(object, slot, target)
      }
      return number
    }
    packForeignKeys(of: object, stored: object.snapshot)
    return writer.finish()
  }

  /// The stored row as a whole with other numbers in it; `nil` if more than numbers has changed.
  private mutating func copied(
    _ stored: Snapshot,
    of object: NSManagedObject,
    _ changed: SlotSet,
    version: Int64
  ) -> Snapshot? {
    let layout = object.layout
    guard let overlay = object.existingOverlay, stored.partialSlots == nil,
      changed.isDisjoint(with: layout.slotsOfManySizes)
    else { return nil }
    writer.begin(copying: stored, slotCount: layout.slots.count, version: version)
    for slot in changed {
      switch overlay[slot] {
      case .null: writer.clear(slot)
      case .integer(let number): writer.set(slot, to: number)
      case .real(let number) where number.isNaN: writer.clear(slot)
      case .real(let number): writer.set(slot, to: number)
      case .text, .url, .uuid, .data, .object, .collection: return nil
      }
    }
    return writer.finish()
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
