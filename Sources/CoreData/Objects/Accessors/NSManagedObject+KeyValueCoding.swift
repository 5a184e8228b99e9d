import CoreDataPredicates
import Foundation

// MARK: - Values by key

extension NSManagedObject {
  func modelledValue(forKey key: String) -> Any? {
    if let slot = layout.slot(named: key) {
      noteKey(key)
      noteUse(of: slot, .reading)
      return boxedValue(at: slot)
    }
    switch key {
    case "self": return self
    case "objectID": return objectID
    case "entity": return entity
    case _: break
    }
    for child in storedProperties where child.label == key { return child.value }
    if let flag = flag(named: key) { return NSNumber(value: flag) }
    switch key {
    case "managedObjectContext": return managedObjectContext
    case "faultingState": return NSNumber(value: faultingState)
    case _: return value(forUndefinedKey: key)
    }
  }

  /// The Boolean properties of every managed object, also by the names that they have in Objective-C.
  private func flag(named key: String) -> Bool? {
    switch key {
    case "isInserted", "inserted": isInserted
    case "isUpdated", "updated": isUpdated
    case "isDeleted", "deleted": isDeleted
    case "isFault", "fault": isFault
    case "hasChanges": hasChanges
    case "hasPersistentChangedValues": hasPersistentChangedValues
    case _: nil
    }
  }

  func setModelledValue(_ value: Any?, forKey key: String) {
    guard let slot = layout.slot(named: key) else {
      setValue(value, forUndefinedKey: key)
      return
    }
    noteUse(of: slot, .writing)
    switch layout.slots[slot].kind {
    case .toOne:
      let value = slotValue(boxing: value, at: slot)
      if case .object(let object) = value { setTarget(object as? NSManagedObject, at: slot) }
      if case .null = value { setTarget(nil, at: slot) }
    case .toMany, .orderedToMany:
      setMembers(membersFromCollection(value, at: slot), at: slot)
    case .fetched:
      stop("\(layout.name).\(key) is a fetched property and cannot be set")
    case .integer, .boolean, .real, .date, .decimal, .text, .uri, .uuid, .data, .externalData,
      .transformable, .composite, .object:
      set(slotValue(boxing: value, at: slot), at: slot)
    }
  }

  private func membersFromCollection(_ value: Any?, at slot: Int) -> [NSManagedObject] {
    switch value {
    case nil, is NSNull: []
    case let set as NSSet: managedObjects(in: set.allObjects, for: slot)
    case let set as NSOrderedSet: managedObjects(in: set.array, for: slot)
    case let set as Set<AnyHashable>: managedObjects(in: set.map(\.base), for: slot)
    case let value?:
      stop(
        "\(layout.name).\(layout.slots[slot].name) takes a set of objects, not \(type(of: value))"
      )
    }
  }

  /// The stored properties that subclasses declare in Swift.
  private var storedProperties: [Mirror.Child] {
    var children: [Mirror.Child] = []
    var mirror: Mirror? = Mirror(reflecting: self)
    while let current = mirror, current.subjectType != NSManagedObject.self {
      children += current.children
      mirror = current.superclassMirror
    }
    return children
  }

  func unknownKeySentence(_ key: String) -> String {
    "\(layout.name) has no property \(key); its properties are "
      + layout.slots.prefix(layout.propertyCount).map(\.name).joined(separator: ", ")
      + ". A computed property is reached by name where value(forUndefinedKey:) is overridden,"
      + " and set by name where setValue(_:forUndefinedKey:) is."
  }

  /// Accesses the value of the property with the given name.
  ///
  /// Reads as ``value(forKey:)`` does and writes as ``setValue(_:forKey:)`` does.
  ///
  /// - Parameter key: The name of a property of the model.
  /// - Returns: The value, or `nil`.
  public subscript(key: String) -> Any? {
    get { value(forKey: key) }
    set { setValue(newValue, forKey: key) }
  }

  /// Returns the values of several properties, each as ``value(forKey:)`` does.
  ///
  /// - Parameter keys: The names of the properties.
  /// - Returns: The values by property name, with `NSNull` for `nil`.
  public func dictionaryWithValues(forKeys keys: [String]) -> [String: Any] {
    Dictionary(uniqueKeysWithValues: Set(keys).map { ($0, value(forKey: $0) ?? NSNull()) })
  }

  /// Sets the values of several properties, each as ``setValue(_:forKey:)`` does.
  ///
  /// - Parameter values: The new values by property name; `NSNull` sets a property to `nil`.
  public func setValuesForKeys(_ values: [String: Any]) {
    for (key, value) in values.sorted(by: { $0.key < $1.key }) {
      setValue(value is NSNull ? nil : value, forKey: key)
    }
  }
}

// MARK: - Values by key path

extension NSManagedObject {
  /// Returns the value at the end of a key path such as `folder.name`.
  ///
  /// A key path through a to-many relationship gives the set of its members' values; through two of
  /// them, such as `notes.tags`, a set of sets. `notes.@distinctUnionOfSets.tags` gives one set.
  /// Collection operators such as `notes.@count` are supported. The program stops if the key path
  /// cannot be read.
  ///
  /// - Parameter keyPath: Property names, separated by dots.
  /// - Returns: The value, or `nil` if a property on the way is `nil`.
  @discardableResult
  public func value(forKeyPath keyPath: String) -> Any? {
    do {
      let keys = keyPath.split(separator: ".").map(String.init)
      return try KeyValues.value(ofPath: keys[...], in: self, .kept).asObject
    } catch {
      stop("\(layout.name).\(keyPath) cannot be read: \(error)")
    }
  }

  /// Sets the last property of a key path on the object to which the properties before it lead.
  ///
  /// A key path such as `place.latitude` sets one element of a composite attribute. A key path
  /// through a to-many relationship, such as `notes.title`, sets the property of each member. Nothing
  /// happens if a property on the way is `nil`.
  ///
  /// - Parameters:
  ///   - value: The new value, or `nil`.
  ///   - keyPath: Property names, separated by dots.
  public func setValue(_ value: Any?, forKeyPath keyPath: String) {
    if let part = compositePart(atPath: keyPath) {
      part.owner.setPart(part.path, of: part.slot, to: value)
      return
    }
    let keys = keyPath.split(separator: ".", maxSplits: 1).map(String.init)
    guard keys.count == 2 else {
      let (_, key) = owner(ofLastKeyIn: keyPath)
      setValue(value, forKey: key)
      return
    }
    guard let next = self.value(forKey: keys[0]) else { return }
    for owner in owners(next, at: keyPath) { owner.setValue(value, forKeyPath: keys[1]) }
  }

  /// The object to which the first key of a path leads, or the members of a relationship.
  private func owners(_ value: Any, at keyPath: String) -> [NSManagedObject] {
    let elements = ValueCollection(value)?.elements ?? [value]
    return elements.map { element in
      guard let object = element as? NSManagedObject else {
        stop("\(layout.name).\(keyPath) cannot be set: it leads to no managed object")
      }
      return object
    }
  }

  /// The object that has the last key of a path; `nil` if an earlier key has the value `nil`.
  func owner(ofLastKeyIn keyPath: String) -> (NSManagedObject?, key: String) {
    var keys = keyPath.split(separator: ".").map(String.init)
    guard let last = keys.popLast() else {
      stop("an empty key path names no property of \(layout.name)")
    }
    var owner: NSManagedObject? = self
    for key in keys {
      guard let value = owner?.value(forKey: key) else { return (nil, last) }
      guard let next = value as? NSManagedObject else {
        stop("\(layout.name).\(keyPath): \(key) leads to no managed object")
      }
      owner = next
    }
    return (owner, last)
  }
}

// MARK: - Primitive values

extension NSManagedObject {
  /// Returns the stored value of a property without access notifications.
  ///
  /// Use it between ``willAccessValue(forKey:)`` and ``didAccessValue(forKey:)`` in custom
  /// accessors.
  ///
  /// - Parameter key: The name of a property of the model.
  /// - Returns: The value, or `nil`.
  @discardableResult
  public func primitiveValue(forKey key: String) -> Any? {
    guard let slot = layout.slot(named: key) else { return value(forUndefinedKey: key) }
    noteKey(key)
    noteUse(of: slot, .reading)
    return boxedValue(at: slot)
  }

  /// Sets the stored value of a property without recording a change or maintaining the inverse
  /// relationship.
  ///
  /// An object without other changes is not saved for it. In one that is, such as in `willSave()`, the value
  /// is saved with the others.
  ///
  /// Use it between ``willChangeValue(forKey:)`` and ``didChangeValue(forKey:)``, which do both, in
  /// custom accessors:
  ///
  /// ```swift
  /// var stars: Int16 {
  ///   get { … }
  ///   set {
  ///     willChangeValue(forKey: "stars")
  ///     setPrimitiveValue(newValue, forKey: "stars")
  ///     didChangeValue(forKey: "stars")
  ///   }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - value: The new value, or `nil`.
  ///   - key: The name of a property of the model.
  public func setPrimitiveValue(_ value: Any?, forKey key: String) {
    guard let slot = layout.slot(named: key) else {
      setValue(value, forUndefinedKey: key)
      return
    }
    noteUse(of: slot, .writing)
    if isFault { fireFault() }
    guard layout.slots[slot].kind.isToMany else {
      overlay.set(slotValue(boxing: value, at: slot), at: slot)
      noteQuietValue(at: slot)
      return
    }
    let (collection, members) = (loadedCollection(at: slot), membersFromCollection(value, at: slot))
    for member in Set(collection.members).subtracting(members) { collection.remove(member) }
    for member in members where !collection.contains(member) { collection.insert(member) }
    if collection.isOrdered, !collection.members.elementsEqual(members, by: ===) {
      collection.reorder(members)
    }
  }
}
