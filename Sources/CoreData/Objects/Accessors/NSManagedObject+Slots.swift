public import Foundation

// MARK: - Attributes

/// Access to properties for generated code.
///
/// Reading a property fires the object's fault if necessary, with at most one SQL statement. Setting
/// a property records a change. Use both on the context's queue only.
extension NSManagedObject {
  /// Accesses an Integer 64 attribute on behalf of generated code.
  ///
  /// - Parameter slot: The attribute.
  /// - Returns: The value, or 0 if nothing is stored.
  public final subscript(slot slot: ManagedSlot) -> Int64 {
    @inlinable @inline(__always) get { integer(slot) }
    set { set(.integer(newValue), at: find(slot, .writing)) }
  }

  /// Accesses an Integer 64 attribute on behalf of generated code.
  ///
  /// - Parameter slot: The attribute.
  /// - Returns: The value, or 0 if nothing is stored.
  public final subscript(slot slot: ManagedSlot) -> Int {
    @inlinable @inline(__always) get { Int(truncatingIfNeeded: integer(slot)) }
    set { set(.integer(Int64(newValue)), at: find(slot, .writing)) }
  }

  /// Accesses an Integer 32 attribute on behalf of generated code.
  ///
  /// - Parameter slot: The attribute.
  /// - Returns: The value, or 0 if nothing is stored.
  public final subscript(slot slot: ManagedSlot) -> Int32 {
    @inlinable @inline(__always) get { Int32(truncatingIfNeeded: integer(slot)) }
    set { set(.integer(Int64(newValue)), at: find(slot, .writing)) }
  }

  /// Accesses an Integer 16 attribute on behalf of generated code.
  ///
  /// - Parameter slot: The attribute.
  /// - Returns: The value, or 0 if nothing is stored.
  public final subscript(slot slot: ManagedSlot) -> Int16 {
    @inlinable @inline(__always) get { Int16(truncatingIfNeeded: integer(slot)) }
    set { set(.integer(Int64(newValue)), at: find(slot, .writing)) }
  }

  /// Accesses a Boolean attribute on behalf of generated code.
  ///
  /// - Parameter slot: The attribute.
  /// - Returns: The value, or `false` if nothing is stored.
  public final subscript(slot slot: ManagedSlot) -> Bool {
    @inlinable @inline(__always) get { integer(slot) != 0 }
    set { set(.integer(newValue ? 1 : 0), at: find(slot, .writing)) }
  }

  /// Accesses a Double attribute on behalf of generated code.
  ///
  /// - Parameter slot: The attribute.
  /// - Returns: The value, or 0 if nothing is stored.
  public final subscript(slot slot: ManagedSlot) -> Double {
    @inlinable @inline(__always) get { real(slot) }
    set { set(.real(newValue), at: find(slot, .writing)) }
  }

  /// Accesses a Float attribute on behalf of generated code.
  ///
  /// - Parameter slot: The attribute.
  /// - Returns: The value, or 0 if nothing is stored.
  public final subscript(slot slot: ManagedSlot) -> Float {
    @inlinable @inline(__always) get { Float(real(slot)) }
    set { set(.real(Double(newValue)), at: find(slot, .writing)) }
  }

  /// Accesses a Date attribute with a scalar type on behalf of generated code.
  ///
  /// - Parameter slot: The attribute.
  /// - Returns: The date in seconds since 1 January 2001, or 0 if nothing is stored.
  public final subscript(timeInterval slot: ManagedSlot) -> TimeInterval {
    @inlinable @inline(__always) get { real(slot) }
    set { set(.real(newValue), at: find(slot, .writing)) }
  }

  /// Accesses a String attribute on behalf of generated code.
  ///
  /// - Parameter slot: The attribute.
  /// - Returns: The value, or `nil`.
  public final subscript(slot slot: ManagedSlot) -> String? {
    @inlinable @inline(__always) get { text(slot) }
    set { set(newValue.map(SlotValue.text) ?? .null, at: find(slot, .writing)) }
  }

  /// Accesses a Date attribute on behalf of generated code.
  ///
  /// - Parameter slot: The attribute.
  /// - Returns: The value, or `nil`.
  public final subscript(slot slot: ManagedSlot) -> Date? {
    @inlinable @inline(__always) get {
      optionalReal(slot).map { Date(timeIntervalSinceReferenceDate: $0) }
    }
    set {
      set(
        newValue.map { .real($0.timeIntervalSinceReferenceDate) } ?? .null,
        at: find(slot, .writing)
      )
    }
  }

  /// Accesses a Binary Data attribute on behalf of generated code.
  ///
  /// - Parameter slot: The attribute.
  /// - Returns: The value, or `nil`.
  public final subscript(slot slot: ManagedSlot) -> Data? {
    get { if case .data(let data) = value(at: find(slot)) { data } else { nil } }
    set { set(newValue.map(SlotValue.data) ?? .null, at: find(slot, .writing)) }
  }

  /// Accesses a UUID attribute on behalf of generated code.
  ///
  /// - Parameter slot: The attribute.
  /// - Returns: The value, or `nil`.
  public final subscript(slot slot: ManagedSlot) -> UUID? {
    get { if case .uuid(let uuid) = value(at: find(slot)) { uuid } else { nil } }
    set { set(newValue.map(SlotValue.uuid) ?? .null, at: find(slot, .writing)) }
  }

  /// Accesses a URI attribute on behalf of generated code.
  ///
  /// - Parameter slot: The attribute.
  /// - Returns: The value, or `nil`.
  public final subscript(slot slot: ManagedSlot) -> URL? {
    get { if case .url(let url) = value(at: find(slot)) { url } else { nil } }
    set { set(newValue.map(SlotValue.url) ?? .null, at: find(slot, .writing)) }
  }

  /// Accesses a numeric attribute without a scalar type on behalf of generated code.
  ///
  /// - Parameter slot: The attribute.
  /// - Returns: The value, or `nil`.
  public final subscript(slot slot: ManagedSlot) -> NSNumber? {
    get { boxedValue(at: find(slot)) as? NSNumber }
    set {
      let slot = find(slot, .writing)
      set(slotValue(boxing: newValue, at: slot), at: slot)
    }
  }

  /// Accesses a Decimal attribute on behalf of generated code.
  ///
  /// - Parameter slot: The attribute.
  /// - Returns: The value, or `nil`.
  public final subscript(decimal slot: ManagedSlot) -> NSDecimalNumber? {
    get {
      if case .object(let object) = value(at: find(slot)) {
        object as? NSDecimalNumber
      } else {
        nil
      }
    }
    set { set(newValue.map(SlotValue.object) ?? .null, at: find(slot, .writing)) }
  }

  /// Accesses a transformable, composite or untyped attribute on behalf of generated code.
  ///
  /// - Parameter slot: The attribute.
  /// - Returns: The value, or `nil`.
  public final subscript<Value>(object slot: ManagedSlot) -> Value? {
    get { boxedValue(at: find(slot)) as? Value }
    set {
      let slot = find(slot, .writing)
      set(slotValue(boxing: newValue, at: slot), at: slot)
    }
  }
}

// MARK: - Relationships

extension NSManagedObject {
  /// Accesses a to-one relationship on behalf of generated code.
  ///
  /// - Parameter slot: The relationship.
  /// - Returns: The related object, or `nil`.
  public final subscript<Target: NSManagedObject>(toOne slot: ManagedSlot) -> Target? {
    get { target(at: find(slot)) as? Target }
    set { setTarget(newValue, at: find(slot, .writing)) }
  }

  /// Accesses an unordered to-many relationship on behalf of generated code.
  ///
  /// - Parameter slot: The relationship.
  /// - Returns: The relationship, through which its members are read and changed.
  public final subscript(toMany slot: ManagedSlot) -> ManagedToMany {
    ManagedToMany(object: self, slot: find(slot, .writing))
  }

  /// Accesses an ordered to-many relationship on behalf of generated code.
  ///
  /// - Parameter slot: The relationship.
  /// - Returns: The relationship, through which its members are read and changed.
  public final subscript(ordered slot: ManagedSlot) -> ManagedOrderedToMany {
    ManagedOrderedToMany(object: self, slot: find(slot, .writing))
  }

  /// Accesses a fetched property on behalf of generated code.
  ///
  /// - Parameter slot: The fetched property.
  /// - Returns: The objects that its request found.
  public final subscript<Target>(fetched slot: ManagedSlot) -> [Target] {
    (boxedValue(at: find(slot)) as? [Any] ?? []).compactMap { $0 as? Target }
  }
}
