public import Foundation

// MARK: - Attributes

/// Properties of generated classes.
///
/// Reading fires a fault (at most one statement); setting records a change. Both belong to the
/// context's queue.
extension NSManagedObject {
  public final subscript(slot slot: ManagedSlot) -> Int64 {
    get { integer(at: find(slot)) }
    set { set(.integer(newValue), at: find(slot, .writing)) }
  }

  public final subscript(slot slot: ManagedSlot) -> Int32 {
    get { Int32(truncatingIfNeeded: integer(at: find(slot))) }
    set { set(.integer(Int64(newValue)), at: find(slot, .writing)) }
  }

  public final subscript(slot slot: ManagedSlot) -> Int16 {
    get { Int16(truncatingIfNeeded: integer(at: find(slot))) }
    set { set(.integer(Int64(newValue)), at: find(slot, .writing)) }
  }

  public final subscript(slot slot: ManagedSlot) -> Bool {
    get { integer(at: find(slot)) != 0 }
    set { set(.integer(newValue ? 1 : 0), at: find(slot, .writing)) }
  }

  public final subscript(slot slot: ManagedSlot) -> Double {
    get { real(at: find(slot)) }
    set { set(.real(newValue), at: find(slot, .writing)) }
  }

  public final subscript(slot slot: ManagedSlot) -> Float {
    get { Float(real(at: find(slot))) }
    set { set(.real(Double(newValue)), at: find(slot, .writing)) }
  }

  /// Seconds since 1 January 2001, for a date that is kept as a number.
  public final subscript(timeInterval slot: ManagedSlot) -> TimeInterval {
    get { real(at: find(slot)) }
    set { set(.real(newValue), at: find(slot, .writing)) }
  }

  public final subscript(slot slot: ManagedSlot) -> String? {
    get { text(at: find(slot)) }
    set { set(newValue.map(SlotValue.text) ?? .null, at: find(slot, .writing)) }
  }

  public final subscript(slot slot: ManagedSlot) -> Date? {
    get { optionalReal(at: find(slot)).map { Date(timeIntervalSinceReferenceDate: $0) } }
    set {
      set(
        newValue.map { .real($0.timeIntervalSinceReferenceDate) } ?? .null,
        at: find(slot, .writing)
      )
    }
  }

  public final subscript(slot slot: ManagedSlot) -> Data? {
    get { if case .data(let data) = value(at: find(slot)) { data } else { nil } }
    set { set(newValue.map(SlotValue.data) ?? .null, at: find(slot, .writing)) }
  }

  public final subscript(slot slot: ManagedSlot) -> UUID? {
    get { if case .uuid(let uuid) = value(at: find(slot)) { uuid } else { nil } }
    set { set(newValue.map(SlotValue.uuid) ?? .null, at: find(slot, .writing)) }
  }

  public final subscript(slot slot: ManagedSlot) -> URL? {
    get { if case .url(let url) = value(at: find(slot)) { url } else { nil } }
    set { set(newValue.map(SlotValue.url) ?? .null, at: find(slot, .writing)) }
  }

  public final subscript(slot slot: ManagedSlot) -> NSNumber? {
    get { boxedValue(at: find(slot)) as? NSNumber }
    set {
      let slot = find(slot, .writing)
      set(slotValue(boxing: newValue, at: slot), at: slot)
    }
  }

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

  /// A transformable, composite or untyped attribute.
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
  public final subscript<Target: NSManagedObject>(toOne slot: ManagedSlot) -> Target? {
    get { target(at: find(slot)) as? Target }
    set { setTarget(newValue, at: find(slot, .writing)) }
  }

  public final subscript(toMany slot: ManagedSlot) -> ManagedToMany {
    ManagedToMany(object: self, slot: find(slot, .writing))
  }

  public final subscript(ordered slot: ManagedSlot) -> ManagedOrderedToMany {
    ManagedOrderedToMany(object: self, slot: find(slot, .writing))
  }

  /// A fetched property's objects.
  public final subscript<Target>(fetched slot: ManagedSlot) -> [Target] {
    (boxedValue(at: find(slot)) as? [Any] ?? []).compactMap { $0 as? Target }
  }
}
