import Foundation

// MARK: - Changed values

extension NSManagedObject {
  /// Returns the stored properties that differ from the values of the last fetch or save, with
  /// their current values.
  ///
  /// ```swift
  /// note.title = "Second"
  /// note.changedValues()                      // ["title": "Second"]
  /// note.committedValues(forKeys: ["title"])  // ["title": "First"]
  /// ```
  ///
  /// A property that was set to an equal value, or set back to its stored value, is left out, although
  /// ``isUpdated`` and ``hasChanges`` are `true`. Of a new object, all properties that were set are included.
  ///
  /// Call this method on the context's queue. It runs no SQL statement.
  ///
  /// - Returns: The values by property name, with `NSNull` for `nil`. The dictionary is empty if the object does not
  ///   have changes.
  public func changedValues() -> [String: Any] {
    guard hasChanges, let overlay = existingOverlay else { return [:] }
    return values(of: overlay.changed.filter(differsFromStored(at:)), boxedValue(at:))
  }

  /// Returns the stored properties that were set since the last change notification, with the values that
  /// they had before.
  ///
  /// ```swift
  /// note.title = "Second"
  /// note.changedValuesForCurrentEvent()       // ["title": "First"]
  /// ```
  ///
  /// While `NSManagedObjectContextObjectsDidChange` is posted, these are the changes that it
  /// reports. The values before are those at the beginning of the event, whether they were saved or not;
  /// of a new object in its first event, they are the defaults of the model.
  ///
  /// - Returns: The former values by property name, with `NSNull` for `nil`.
  public func changedValuesForCurrentEvent() -> [String: Any] {
    guard let overlay = existingOverlay else { return [:] }
    let told = managedObjectContext?.eventEnd.told
    return values(of: overlay.slotsChanged(inEvent: told), valueBeforeEvent(at:))
  }

  private func values(of slots: some Sequence<Int>, _ value: (Int) -> Any?) -> [String: Any] {
    var values: [String: Any] = [:]
    for slot in slots where layout.slots[slot].isPersistent {
      values[layout.slots[slot].name] = value(slot) ?? NSNull()
    }
    return values
  }

  /// Returns the values of properties as they were last fetched or saved.
  ///
  /// Unsaved changes are not taken into account. Fires the object's fault if necessary, with at most one SQL statement.
  /// Loads each of the to-many relationships, with one statement for each that is not loaded yet: pass the names that
  /// you need.
  ///
  /// Call this method on the context's queue.
  ///
  /// - Parameter keys: The names of properties, or `nil` for all. An unknown name stops the program.
  /// - Returns: The values by property name, with `NSNull` for `nil`. Transient properties are left out. The dictionary is
  ///   empty if the object was never saved.
  public func committedValues(forKeys keys: [String]?) -> [String: Any] {
    if isFault { fireFault() }
    let slots = keys?.map { key -> Int in
      guard let slot = layout.slot(named: key) else { stop(unknownKeySentence(key)) }
      return slot
    }
    var values: [String: Any] = [:]
    if self.snapshot == nil { return values }
    for slot in slots ?? Array(0..<layout.propertyCount) where layout.slots[slot].isPersistent {
      values[layout.slots[slot].name] = committedValue(at: slot) ?? NSNull()
    }
    return values
  }

  /// The value of a slot when the object was last fetched or saved.
  func committedValue(at slot: Int) -> Any? {
    guard let snapshot = self.snapshot else { return nil }
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

  /// A Boolean value that indicates whether a stored property differs from its stored value.
  ///
  /// Unlike ``hasChanges``, setting a property to an equal value does not count. The value is
  /// `true` for inserted and deleted objects. Reading it runs no SQL statement.
  public var hasPersistentChangedValues: Bool {
    if willBeInserted || willBeDeleted { return true }
    guard hasChanges, let overlay = existingOverlay else { return false }
    return overlay.changed.contains { layout.slots[$0].isPersistent && differsFromStored(at: $0) }
  }

  /// Returns whether the value of a slot differs from that in the row.
  ///
  /// Two texts or URLs are equal only if they have the same bytes in a file. Values that cannot be compared differ,
  /// as do those of an object without a row.
  func differsFromStored(at slot: Int) -> Bool {
    guard let snapshot = self.snapshot else { return true }
    switch layout.kinds[slot] {
    case .toOne: return !leadsWhereStored(at: slot)
    case .toMany, .orderedToMany:
      guard case .collection(let collection)? = existingOverlay?[slot] else { return false }
      return collection.differsFromStored
    case .composite: return hasChangedElement(at: slot)
    case .fetched: return false
    case .integer, .boolean, .real, .date, .decimal, .text, .uri, .uuid, .data, .externalData,
      .transformable, .object:
      break
    }
    if layout.kinds[slot] != .externalData,
      let isSame = value(at: slot)
        .isSameInFile(as: SlotValue(unpacking: slot, of: snapshot, in: layout))
    {
      return !isSame
    }
    let (now, stored) = (boxedValue(at: slot), committedValue(at: slot))
    guard let one = now as? AnyHashable, let other = stored as? AnyHashable else {
      return now != nil || stored != nil
    }
    return one != other
  }

  /// Returns whether the objects of a relationship have not been loaded yet.
  ///
  /// Does not fire a fault and runs no SQL statement.
  ///
  /// - Parameter key: The name of a relationship. Another name stops the program.
  /// - Returns: `true` if reading the relationship would load it.
  public func hasFault(forRelationshipNamed key: String) -> Bool {
    guard let slot = layout.slot(named: key), layout.slots[slot].kind.isRelationship else {
      stop("\(layout.name) has no relationship \(key)")
    }
    return hasFault(at: slot)
  }

  /// Returns the identities of the objects in a relationship, including unsaved changes.
  ///
  /// Loads the relationship if necessary, with one SQL statement.
  ///
  /// - Parameter key: The name of a to-one or to-many relationship. Another name stops the program.
  /// - Returns: The identities, in the order of the relationship if it is ordered.
  public func objectIDs(forRelationshipNamed key: String) -> [NSManagedObjectID] {
    guard let slot = layout.slot(named: key), layout.slots[slot].kind.isRelationship else {
      stop("\(layout.name) has no relationship \(key)")
    }
    if layout.slots[slot].kind == .toOne { return target(at: slot).map { [$0.objectID] } ?? [] }
    return loadedCollection(at: slot).members.map(\.objectID)
  }
}
