import Foundation

// MARK: - What has changed

extension NSManagedObject {
  /// The stored properties that were set since the last fetch or save, with their values now.
  public func changedValues() -> [String: Any] {
    guard hasChanges, let overlay = record.pointee.overlay else { return [:] }
    return values(of: overlay.changed)
  }

  /// The properties that were set since observers last heard of changes, with their values now.
  ///
  /// Within `NSManagedObjectContextObjectsDidChange` these are the changes it tells of.
  public func changedValuesForCurrentEvent() -> [String: Any] {
    guard let overlay = record.pointee.overlay else { return [:] }
    return values(of: overlay.changedInCurrentEvent)
  }

  private func values(of slots: SlotSet) -> [String: Any] {
    var values: [String: Any] = [:]
    for slot in slots where layout.slots[slot].isPersistent {
      values[layout.slots[slot].name] = boxedValue(at: slot) ?? NSNull()
    }
    return values
  }

  /// The values as they were fetched or saved last; nil keys ask for every stored property.
  ///
  /// `NSNull` stands for nil. Of an object that was never saved the dictionary is empty.
  public func committedValues(forKeys keys: [String]?) -> [String: Any] {
    if isFault { fireFault() }
    let slots = keys?.map { key -> Int in
      guard let slot = layout.slot(named: key) else { stop(unknownKeySentence(key)) }
      return slot
    }
    var values: [String: Any] = [:]
    if record.pointee.snapshot == nil { return values }
    for slot in slots ?? Array(0..<layout.propertyCount) where layout.slots[slot].isPersistent {
      values[layout.slots[slot].name] = committedValue(at: slot) ?? NSNull()
    }
    return values
  }

  private func committedValue(at slot: Int) -> Any? {
    guard let snapshot = record.pointee.snapshot else { return nil }
    if layout.slots[slot].kind == .externalData {
      return box(externalValue(at: slot, in: snapshot), at: slot)
    }
    guard layout.slots[slot].kind.isRelationship else {
      return box(SlotValue(unpacking: slot, of: snapshot, in: layout), at: slot)
    }
    if layout.slots[slot].kind == .toOne { return storedTarget(at: slot, in: snapshot) }
    let members = loadedCollection(at: slot).originalMembers
    return layout.slots[slot].isOrdered
      ? NSOrderedSet(array: members) : NSSet(array: members)
  }

  /// Whether a stored property differs from what is stored; setting an equal value does not count.
  public var hasPersistentChangedValues: Bool {
    guard hasChanges, let overlay = record.pointee.overlay else { return isInserted || isDeleted }
    return isInserted || isDeleted
      || overlay.changed.contains { slot in
        guard layout.slots[slot].isPersistent else { return false }
        if layout.slots[slot].kind == .composite { return hasChangedElement(at: slot) }
        let now = boxedValue(at: slot) as? AnyHashable
        return now != committedValue(at: slot) as? AnyHashable
      }
  }

  /// Whether a relationship's objects are still unknown.
  ///
  /// Never fires a fault.
  public func hasFault(forRelationshipNamed key: String) -> Bool {
    guard let slot = layout.slot(named: key), layout.slots[slot].kind.isRelationship else {
      stop("\(layout.name) has no relationship \(key)")
    }
    return hasFault(at: slot)
  }

  /// The identities of a relationship's objects, whatever its cardinality.
  public func objectIDs(forRelationshipNamed key: String) -> [NSManagedObjectID] {
    guard let slot = layout.slot(named: key), layout.slots[slot].kind.isRelationship else {
      stop("\(layout.name) has no relationship \(key)")
    }
    if layout.slots[slot].kind == .toOne { return target(at: slot).map { [$0.objectID] } ?? [] }
    return loadedCollection(at: slot).members.map(\.objectID)
  }
}
