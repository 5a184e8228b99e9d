extension SnapshotWriter {
  /// Adds what an object has now: its own values, over the stored ones, over the model's defaults.
  ///
  /// `number` says how the row names the object of a to-one relationship; nil leaves the slot empty.
  mutating func setValues(
    of object: NSManagedObject,
    number: (_ target: NSManagedObject, _ slot: Int) throws -> Int64?
  ) rethrows {
    let layout = object.layout
    let stored = object.record.pointee.snapshot
    let overlay = object.record.pointee.overlay
    let changed = overlay?.changed ?? SlotSet()
    for slot in 0..<layout.propertyCount {
      let entry = layout.slots[slot]
      guard entry.isPersistent, !entry.kind.isToMany else { continue }
      if let stored, !changed.contains(slot) {
        copy(slot, from: stored, in: layout)
        if let end = entry.end { copyHidden(of: end, from: stored) }
      } else if entry.kind == .toOne {
        guard let target = object.target(at: slot), let end = entry.end,
          let number = try number(target, slot)
        else { continue }
        set(slot, to: number)
        if let entity = end.entitySlot { set(entity, to: Int64(target.layout.number)) }
      } else {
        let value = overlay.flatMap { $0.has(slot) ? $0[slot] : nil } ?? layout.defaults[slot]
        set(slot, to: value, in: layout)
      }
    }
  }

  private mutating func copyHidden(of end: RelationshipTarget, from stored: Snapshot) {
    if let entity = end.entitySlot, let number = stored.optionalInteger(entity) {
      set(entity, to: number)
    }
    if let order = end.orderSlot, let place = stored.optionalInteger(order) {
      set(order, to: place)
    }
  }
}
