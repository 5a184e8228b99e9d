import Foundation

// MARK: - Properties that carry @NSManaged

/// Access to properties for the accessors of `@NSManaged`, where a property's type is only known to the
/// class.
///
/// Reading a property fires the object's fault if necessary, with at most one SQL statement. Setting
/// a property records a change. Use both on the context's queue only. A property whose type does not fit
/// the model's stops the program.
extension NSManagedObject {
  /// Accesses an attribute on behalf of generated code.
  ///
  /// - Parameter slot: The attribute or fetched property.
  /// - Returns: The value, or `nil` if nothing is stored.
  @_disfavoredOverload
  public final subscript<Value>(managed slot: ManagedSlot) -> Value? {
    get { self[exactly: slot] }
    set { self[exactly: slot] = newValue }
  }

  /// Accesses a property of a type that values of other types have as well, such as `Any` or `NSObject`, on
  /// behalf of generated code.
  ///
  /// Its label differs from that of the other subscripts, because the compiler would choose one of those for such a
  /// type: a date is also an `Any`, and so is every managed object.
  ///
  /// - Parameter slot: The property.
  /// - Returns: The value, or `nil` if nothing is stored.
  public final subscript<Value>(exactly slot: ManagedSlot) -> Value? {
    get {
      let found = find(slot)
      return boxedValue(at: found).map { fitting($0, slot) }
    }
    set {
      let found = find(slot, .writing)
      let kind = layout.slots[found].kind
      if kind == .toOne || kind.isToMany {
        setModelledValue(newValue, forKey: layout.slots[found].name)
      } else {
        set(slotValue(boxing: newValue, at: found), at: found)
      }
    }
  }

  /// Accesses a Double, Float or Date attribute on behalf of generated code.
  ///
  /// - Parameter slot: The attribute.
  /// - Returns: The number, or the date in seconds since 1 January 2001; `nil` if nothing is stored.
  public final subscript(managed slot: ManagedSlot) -> Double? {
    get {
      switch boxedValue(at: find(slot)) {
      case nil: nil
      case let date as Date: date.timeIntervalSinceReferenceDate
      case .some(let value): fitting(value, slot)
      }
    }
    set {
      let found = find(slot, .writing)
      let isDate = layout.slots[found].kind == .date
      let value: Any? = isDate ? newValue.map(Date.init(timeIntervalSinceReferenceDate:)) : newValue
      set(slotValue(boxing: value, at: found), at: found)
    }
  }

  /// Accesses an attribute that keeps the raw value of an enumeration or option set, on behalf of
  /// generated code.
  ///
  /// - Parameter slot: The attribute.
  /// - Returns: The value, or `nil` if nothing is stored or no case has the stored raw value.
  public final subscript<Value: RawRepresentable>(managed slot: ManagedSlot) -> Value? {
    get {
      let found = find(slot)
      guard let value = boxedValue(at: found) else { return nil }
      // A transformable attribute keeps the value itself.
      return value as? Value ?? Value(rawValue: fitting(value, slot))
    }
    set {
      let found = find(slot, .writing)
      let isKeptItself = [.transformable, .object].contains(layout.slots[found].kind)
      let value: Any? = isKeptItself ? newValue : newValue?.rawValue
      set(slotValue(boxing: value, at: found), at: found)
    }
  }

  /// Accesses a to-one relationship on behalf of generated code.
  ///
  /// - Parameter slot: The relationship.
  /// - Returns: The related object, or `nil`.
  public final subscript<Target: NSManagedObject>(managed slot: ManagedSlot) -> Target? {
    get {
      let found = find(slot)
      return target(at: found).map { fitting($0, slot) }
    }
    set { setTarget(newValue, at: find(slot, .writing)) }
  }

  /// Accesses a to-many relationship as a Swift set, on behalf of generated code.
  ///
  /// - Parameter slot: The relationship.
  /// - Returns: The members. Reading a set of many members copies it.
  public final subscript<Member: NSManagedObject>(managed slot: ManagedSlot) -> Set<Member>? {
    get {
      let found = find(slot)
      return boxedValue(at: found).map { fitting($0, slot) }
    }
    set { setValue(newValue.map { $0 as NSSet }, forKey: slot.name) }
  }

  /// Returns a value that a property declared without an optional type must have.
  ///
  /// Stops the program if the value is `nil`, unless the store could not be read: the context keeps that error for its
  /// next save, and the value says nothing.
  ///
  /// - Parameters:
  ///   - value: The stored value.
  ///   - slot: The property.
  /// - Returns: The value.
  public final func required<Value>(_ value: Value?, _ slot: ManagedSlot) -> Value {
    if let value { return value }
    if record.pointee.watch.contains(.recording) || isUnreadable,
      let placeholder = PropertyProbe.placeholder(Value.self)
    {
      return placeholder
    }
    let place = "\(type(of: self)).\(slot.name)"
    if let stored = boxedValue(at: find(slot)) {
      stop(
        "\(place) holds \(stored), which is no value of \(Value.self); declare it as \(Value.self)?"
      )
    }
    stop(
      """
      \(place) is nil, but it is declared as \(Value.self); declare it as \(Value.self)?, or give it a \
      value before it is read
      """
    )
  }
}

// MARK: - Primitive values

extension NSManagedObject {
  /// Returns the stored value of a property on behalf of generated code, for an accessor such as
  /// `primitiveTitle`.
  ///
  /// - Parameter key: The name of the property.
  /// - Returns: The value, or `nil` if nothing is stored.
  public final func managedPrimitive<Value>(_ key: String) -> Value? {
    guard let value = primitiveValue(forKey: key) else { return nil }
    guard let fitting = value as? Value else {
      stop(Self.mismatch("\(type(of: self)).\(key)", value, Value.self))
    }
    return fitting
  }

  private final func fitting<Value>(_ value: Any, _ slot: ManagedSlot) -> Value {
    guard let fitting = value as? Value else {
      stop(Self.mismatch("\(type(of: self)).\(slot.name)", value, Value.self))
    }
    return fitting
  }

  private static func mismatch(_ place: String, _ value: Any, _ type: Any.Type) -> String {
    """
    \(place) is declared as \(type), but the model gives it a \(Swift.type(of: value)); declare it \
    with the type that the model has
    """
  }
}
