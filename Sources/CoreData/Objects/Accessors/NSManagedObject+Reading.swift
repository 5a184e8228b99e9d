import Foundation

// MARK: - Reading slots

extension NSManagedObject {
  /// The value in a slot; fires a fault.
  ///
  /// Numbers and texts are unpacked each time; values that are expensive to make are kept.
  func value(at slot: Int) -> SlotValue {
    if life == .fault { fireFault(toRead: slot) }
    if let overlay = existingOverlay, overlay.has(slot) { return overlay[slot] }
    return unpackedValue(at: slot)
  }

  /// The value as it is stored, or the model's default for an object that never was and for a property
  /// that never is.
  private func unpackedValue(at slot: Int) -> SlotValue {
    guard let stored, isStored(slot) else { return firstValue(at: slot) }
    if let value = SlotValue(unpackingPlain: slot, of: stored, in: layout) { return value }
    guard let snapshot = self.snapshot else { return firstValue(at: slot) }
    switch layout.kinds[slot] {
    case .toMany, .orderedToMany:
      let collection = ToMany(isOrdered: layout.slots[slot].isOrdered, isFault: true)
      if existingExtras != nil { loadPrefetched(collection, at: slot) }
      return keep(.collection(collection), slot)
    case .toOne:
      guard let target = storedTarget(at: slot, in: snapshot) else { return .null }
      return keep(.object(target), slot)
    case .uri, .data, .decimal, .transformable, .composite:
      let value = SlotValue(unpacking: slot, of: snapshot, in: layout)
      return value.isNull ? value : keep(value, slot)
    case .externalData:
      return keep(externalValue(at: slot, in: snapshot), slot)
    case .integer, .boolean, .real, .date, .text, .uuid, .object:
      return SlotValue(unpacking: slot, of: snapshot, in: layout)
    case .fetched:
      return keep(.object(fetchedObjects(at: slot) as NSArray), slot)
    }
  }

  /// Bytes that are in the row or in a file beside the store; null if the file is missing.
  func externalValue(at slot: Int, in snapshot: Snapshot) -> SlotValue {
    guard snapshot.hasValue(slot), let name = ExternalData.fileName(snapshot.bytes(slot)) else {
      return SlotValue(unpacking: slot, of: snapshot, in: layout)
    }
    let store = StoreHome.ofStore(self.key.store)?.store
    return (store?.externalData(named: name)).map(SlotValue.data) ?? .null
  }

  /// The values of an object without a row: defaults, and collections of its own.
  private func firstValue(at slot: Int) -> SlotValue {
    switch layout.kinds[slot] {
    case .toMany, .orderedToMany:
      keep(.collection(ToMany(isOrdered: layout.slots[slot].isOrdered, isFault: false)), slot)
    case .toOne:
      watch.contains(.recording) ? recordingTarget(at: slot) : .null
    case .fetched:
      keep(.object(fetchedObjects(at: slot) as NSArray), slot)
    case .integer, .boolean, .real, .date, .decimal, .text, .uri, .uuid, .data, .transformable,
      .externalData, .composite, .object:
      layout.defaults[slot]
    }
  }

  private func keep(_ value: SlotValue, _ slot: Int) -> SlotValue {
    overlay.set(value, at: slot)
    return value
  }

  /// The overlay, made when it is first needed.
  var overlay: Overlay {
    if let overlay = existingOverlay { return overlay }
    let overlay = Overlay(slotCount: layout.propertyCount)
    // As long as it is empty, no value is another.
    record.pointee.overlay = overlay
    return overlay
  }

  /// The object that a stored to-one relationship leads to, as a fault if it was not known.
  func storedTarget(at slot: Int, in snapshot: Snapshot) -> NSManagedObject? {
    guard let (key, destination) = storedKey(at: slot, in: snapshot),
      let context = managedObjectContext
    else { return nil }
    context.walks.followed = (self.key, layout.number, slot, key)
    return context.object(for: key, of: destination)
  }

  /// Whether a to-one relationship leads where its row leads, whatever it was set to in between.
  func leadsWhereStored(at slot: Int) -> Bool {
    guard let snapshot = self.snapshot else { return false }
    return target(at: slot)?.key == storedKey(at: slot, in: snapshot)?.0
  }

  /// The key of the object that a stored to-one relationship leads to, and its entity.
  func storedKey(at slot: Int, in snapshot: Snapshot) -> (ObjectKey, EntityLayout)? {
    guard let end = layout.slots[slot].end, let number = snapshot.optionalInteger(slot) else {
      return nil
    }
    let entity = end.entitySlot.flatMap { snapshot.optionalInteger($0) }
      .map { Int32(truncatingIfNeeded: $0) }
    guard let destination = layout.model[number: entity ?? end.destination] else { return nil }
    // A parent names by negative numbers what is not in the owner's store.
    let store = number < 0 ? .none : self.key.store
    let key = number < 0 ? 0 &- number : number
    return (ObjectKey(store: store, root: destination.rootNumber, number: key), destination)
  }
}

// MARK: - Typed reading

/// The getters of generated code. Their short way is compiled into the program: an object that has its values, of which
/// none was set or unpacked since, is read in place.
extension NSManagedObject {
  /// 0 if the slot is empty.
  @inlinable
  @inline(__always)
  final func integer(_ slot: ManagedSlot) -> Int64 {
    if let row = untouchedRow(with: slot) { return row.integer(slot.index) }
    return integerTheLongWay(slot)
  }

  /// 0 if the slot is empty.
  @inlinable
  @inline(__always)
  final func real(_ slot: ManagedSlot) -> Double {
    if let row = untouchedRow(with: slot) { return row.real(slot.index) }
    return realTheLongWay(slot)
  }

  /// `nil` if the slot is empty.
  @inlinable
  @inline(__always)
  final func optionalReal(_ slot: ManagedSlot) -> Double? {
    if let row = untouchedRow(with: slot) {
      return row.hasValue(slot.index) ? row.real(slot.index) : nil
    }
    return optionalRealTheLongWay(slot)
  }

  /// `nil` if the slot is empty.
  @inlinable
  @inline(__always)
  final func text(_ slot: ManagedSlot) -> String? {
    if let row = untouchedRow(with: slot) {
      return row.hasValue(slot.index) ? row.text(slot.index) : nil
    }
    return textTheLongWay(slot)
  }

  /// The row of an object that can be read in place; `nil` if reading takes the long way.
  ///
  /// Observation hears of the read if it is at work.
  ///
  /// Safety: the slot's index is checked against the number of properties and, with its hash, against the model.
  @inlinable
  @inline(__always)
  final func untouchedRow(with slot: ManagedSlot) -> SnapshotBytes? {
    let record = self.record
    // A pattern and integers: a program would call the operators of the enumeration and of the option set.
    if case .fault = record.pointee.life { return nil }
    let hashes = record.pointee.layout.hashesOfStored
    guard record.pointee.overlay == nil, slot.index < hashes.count,
      hashes[slot.index] == slot.hash
    else { return nil }
    let reasons = record.pointee.watch.rawValue & ObjectRecord.Watch.longWayBits
    if reasons != 0 {
      guard reasons == ObjectRecord.Watch.trackableBit else { return nil }
      trackRead(of: slot.index)
    }
    return record.pointee.stored
  }

  @usableFromInline
  @inline(never)
  final func integerTheLongWay(_ slot: ManagedSlot) -> Int64 {
    let slot = find(slot)
    if life == .fault { fireFault(toRead: slot) }
    if let overlay = existingOverlay, overlay.has(slot) {
      if case .integer(let value) = overlay[slot] { return value }
      return 0
    }
    if let stored = self.stored, isStored(slot) { return stored.integer(slot) }
    if case .integer(let value) = layout.defaults[slot] { return value }
    return 0
  }

  @usableFromInline
  @inline(never)
  final func realTheLongWay(_ slot: ManagedSlot) -> Double {
    let slot = find(slot)
    if life == .fault { fireFault(toRead: slot) }
    if let overlay = existingOverlay, overlay.has(slot) {
      if case .real(let value) = overlay[slot] { return value }
      return 0
    }
    if let stored = self.stored, isStored(slot) { return stored.real(slot) }
    if case .real(let value) = layout.defaults[slot] { return value }
    return 0
  }

  @usableFromInline
  @inline(never)
  final func optionalRealTheLongWay(_ slot: ManagedSlot) -> Double? { optionalReal(at: find(slot)) }

  @usableFromInline
  @inline(never)
  final func textTheLongWay(_ slot: ManagedSlot) -> String? { text(at: find(slot)) }

  /// `nil` if the slot is empty.
  final func optionalInteger(at slot: Int) -> Int64? {
    if case .integer(let value) = value(at: slot) { return value }
    return nil
  }

  /// `nil` if the slot is empty.
  final func optionalReal(at slot: Int) -> Double? {
    if life == .fault { fireFault(toRead: slot) }
    if let overlay = existingOverlay, overlay.has(slot) {
      if case .real(let value) = overlay[slot] { return value }
      return nil
    }
    if let stored = self.stored, isStored(slot) {
      return stored.hasValue(slot) ? stored.real(slot) : nil
    }
    if case .real(let value) = layout.defaults[slot] { return value }
    return nil
  }

  /// `nil` if the slot is empty.
  final func text(at slot: Int) -> String? {
    if life == .fault { fireFault(toRead: slot) }
    if let overlay = existingOverlay, overlay.has(slot) {
      if case .text(let text) = overlay[slot] { return text }
      return nil
    }
    if let stored = self.stored, isStored(slot) {
      return stored.hasValue(slot) ? stored.text(slot) : nil
    }
    if case .text(let text) = layout.defaults[slot] { return text }
    return nil
  }

  /// The object of a to-one relationship.
  func target(at slot: Int) -> NSManagedObject? {
    if case .object(let object) = value(at: slot) { object as? NSManagedObject } else { nil }
  }

  /// The collection of a to-many relationship; may be a fault.
  func collection(at slot: Int) -> ToMany {
    guard case .collection(let collection) = value(at: slot) else {
      stop("\(layout.name).\(layout.slots[slot].name) is no to-many relationship")
    }
    return collection
  }

  /// The collection of a to-many relationship with its members known.
  func loadedCollection(at slot: Int) -> ToMany {
    let collection = collection(at: slot)
    if collection.isFault {
      let stored = managedObjectContext?.storedMembersOnTheWay(of: self, at: slot) ?? []
      load(collection, with: stored, at: slot)
    }
    return collection
  }

  /// Whether the members of a to-many relationship, or the object of a to-one, are unknown so far.
  func hasFault(at slot: Int) -> Bool {
    if isFault { return true }
    guard let overlay = existingOverlay, overlay.has(slot) else {
      guard let snapshot = self.snapshot, isStored(slot) else { return false }
      if layout.kinds[slot].isToMany { return true }
      // A reference that is empty, or leads to an object whose values are known, loads nothing.
      guard layout.kinds[slot] == .toOne, storedKey(at: slot, in: snapshot) != nil else {
        return false
      }
      return registeredTarget(at: slot, in: snapshot)?.isFault ?? true
    }
    switch overlay[slot] {
    case .collection(let collection): return collection.isFault
    case .object(let object): return (object as? NSManagedObject)?.isFault ?? false
    case .null, .integer, .real, .text, .data, .uuid, .url: return false
    }
  }
}
