import Foundation

extension SnapshotWriter {
  /// Adds the present values of an object: its own values, over the stored ones, over the model's defaults.
  ///
  /// `number` says how the row names the object of a to-one relationship; nil leaves the slot empty.
  /// `file` may put data into a file; then the row contains the name of the file.
  ///
  /// Throws what these two throw, and 134030 if a value transformer cannot turn a value into data.
  mutating func setValues(
    of object: NSManagedObject,
    file: (Data) throws -> String? = { _ in nil },
    number: (_ target: NSManagedObject, _ slot: Int) throws -> Int64?
  ) throws {
    let layout = object.layout
    let stored = object.snapshot
    let overlay = object.existingOverlay
    let changed = overlay?.changed ?? SlotSet()
    for property in layout.keptProperties {
      let slot = property.slot
      if property.isDerived {
        if let stored { copy(slot, from: stored, in: layout) }
      } else if let stored, !changed.contains(slot) {
        copy(slot, from: stored, in: layout)
        if !property.isSingle { copyRest(of: layout.slots[slot], from: stored, in: layout) }
      } else if property.kind == .toOne {
        guard let target = object.target(at: slot), let end = layout.slots[slot].end,
          let number = try number(target, slot)
        else { continue }
        set(slot, to: number)
        if let entity = end.entitySlot { set(entity, to: Int64(target.layout.number)) }
        if let stored, object.leadsWhereStored(at: slot) { copyPlace(of: end, from: stored) }
      } else {
        let value = overlay.flatMap { $0.has(slot) ? $0[slot] : nil } ?? layout.defaults[slot]
        if property.kind == .externalData, case .data(let data) = value, let name = try file(data) {
          ExternalData.reference(toFile: name).withUnsafeBytes { set(slot, to: $0) }
        } else {
          try set(slot, to: value, in: layout)
        }
      }
    }
    setDerivedTexts(of: object)
  }

  /// Sets values that are derived from the row's own texts; the store computes all others.
  private mutating func setDerivedTexts(of object: NSManagedObject) {
    for derivation in object.layout.derivations {
      guard case .ownText(let form, let source) = derivation.source else { continue }
      clear(derivation.slot)
      guard let text = object.text(at: source) else { continue }
      set(derivation.slot, to: form.of(text))
    }
  }

  /// Copies what a row keeps of a property besides its own slot.
  private mutating func copyRest(of entry: Slot, from stored: Snapshot, in layout: EntityLayout) {
    if let end = entry.end { copyHidden(of: end, from: stored) }
    for element in entry.elements { copy(element.slot, from: stored, in: layout) }
  }

  private mutating func copyHidden(of end: RelationshipTarget, from stored: Snapshot) {
    if let entity = end.entitySlot, let number = stored.optionalInteger(entity) {
      set(entity, to: number)
    }
    copyPlace(of: end, from: stored)
  }

  private mutating func copyPlace(of end: RelationshipTarget, from stored: Snapshot) {
    if let order = end.orderSlot, let place = stored.optionalInteger(order) {
      set(order, to: place)
    }
  }
}
