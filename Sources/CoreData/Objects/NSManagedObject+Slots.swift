public import Foundation

/// A property as generated code names it: its slot, with proof that the slot is the right one.
///
/// The proof matters where a class meets another version of its model than it was generated for:
/// then the slot is looked up by name, and a property that the model lacks stops the program.
public struct ManagedSlot: Sendable {
  let index: Int
  let hash: UInt64
  let name: StaticString

  public init(_ index: Int, _ hash: UInt64, _ name: StaticString) {
    self.index = index
    self.hash = hash
    self.name = name
  }
}

extension NSManagedObject {
  /// The slot in this object's entity.
  @inline(__always)
  final func find(_ slot: ManagedSlot) -> Int {
    let hashes = record.pointee.layout.hashes
    if slot.index < hashes.count, hashes[slot.index] == slot.hash,
      record.pointee.watch.isDisjoint(with: .recording)
    {
      return slot.index
    }
    return findByName(slot)
  }

  @inline(never)
  private func findByName(_ slot: ManagedSlot) -> Int {
    if record.pointee.watch.contains(.recording) {
      PropertyRecorder.note(slot.name.description, of: self)
    }
    guard let found = layout.slot(named: slot.name.description) else {
      stop(
        """
        \(type(of: self)).\(slot.name) is not a property of the entity \(layout.name) in the model \
        that is in use; the class was generated from another version of it
        """
      )
    }
    return found
  }
}

// MARK: - Attributes

/// Properties of generated classes.
///
/// Reading fires a fault (at most one statement); setting records a change. Both belong to the
/// context's queue.
extension NSManagedObject {
  public final subscript(slot slot: ManagedSlot) -> Int64 {
    get { integer(at: find(slot)) }
    set { set(.integer(newValue), at: find(slot)) }
  }

  public final subscript(slot slot: ManagedSlot) -> Int32 {
    get { Int32(truncatingIfNeeded: integer(at: find(slot))) }
    set { set(.integer(Int64(newValue)), at: find(slot)) }
  }

  public final subscript(slot slot: ManagedSlot) -> Int16 {
    get { Int16(truncatingIfNeeded: integer(at: find(slot))) }
    set { set(.integer(Int64(newValue)), at: find(slot)) }
  }

  public final subscript(slot slot: ManagedSlot) -> Bool {
    get { integer(at: find(slot)) != 0 }
    set { set(.integer(newValue ? 1 : 0), at: find(slot)) }
  }

  public final subscript(slot slot: ManagedSlot) -> Double {
    get { real(at: find(slot)) }
    set { set(.real(newValue), at: find(slot)) }
  }

  public final subscript(slot slot: ManagedSlot) -> Float {
    get { Float(real(at: find(slot))) }
    set { set(.real(Double(newValue)), at: find(slot)) }
  }

  /// Seconds since 1 January 2001, for a date that is kept as a number.
  public final subscript(timeInterval slot: ManagedSlot) -> TimeInterval {
    get { real(at: find(slot)) }
    set { set(.real(newValue), at: find(slot)) }
  }

  public final subscript(slot slot: ManagedSlot) -> String? {
    get { text(at: find(slot)) }
    set { set(newValue.map(SlotValue.text) ?? .null, at: find(slot)) }
  }

  public final subscript(slot slot: ManagedSlot) -> Date? {
    get { optionalReal(at: find(slot)).map { Date(timeIntervalSinceReferenceDate: $0) } }
    set {
      set(newValue.map { .real($0.timeIntervalSinceReferenceDate) } ?? .null, at: find(slot))
    }
  }

  public final subscript(slot slot: ManagedSlot) -> Data? {
    get { if case .data(let data) = value(at: find(slot)) { data } else { nil } }
    set { set(newValue.map(SlotValue.data) ?? .null, at: find(slot)) }
  }

  public final subscript(slot slot: ManagedSlot) -> UUID? {
    get { if case .uuid(let uuid) = value(at: find(slot)) { uuid } else { nil } }
    set { set(newValue.map(SlotValue.uuid) ?? .null, at: find(slot)) }
  }

  public final subscript(slot slot: ManagedSlot) -> URL? {
    get { if case .url(let url) = value(at: find(slot)) { url } else { nil } }
    set { set(newValue.map(SlotValue.url) ?? .null, at: find(slot)) }
  }

  public final subscript(slot slot: ManagedSlot) -> NSNumber? {
    get { boxedValue(at: find(slot)) as? NSNumber }
    set {
      let slot = find(slot)
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
    set { set(newValue.map(SlotValue.object) ?? .null, at: find(slot)) }
  }

  /// A transformable, composite or untyped attribute.
  public final subscript<Value>(object slot: ManagedSlot) -> Value? {
    get { boxedValue(at: find(slot)) as? Value }
    set {
      let slot = find(slot)
      set(slotValue(boxing: newValue, at: slot), at: slot)
    }
  }
}

// MARK: - Relationships

extension NSManagedObject {
  public final subscript<Target: NSManagedObject>(toOne slot: ManagedSlot) -> Target? {
    get { target(at: find(slot)) as? Target }
    set { setTarget(newValue, at: find(slot)) }
  }

  public final subscript(toMany slot: ManagedSlot) -> ManagedToMany {
    ManagedToMany(object: self, slot: find(slot))
  }

  public final subscript(ordered slot: ManagedSlot) -> ManagedOrderedToMany {
    ManagedOrderedToMany(object: self, slot: find(slot))
  }

  /// A fetched property's objects.
  public final subscript<Target>(fetched slot: ManagedSlot) -> [Target] {
    (boxedValue(at: find(slot)) as? [Any] ?? []).compactMap { $0 as? Target }
  }
}

/// A to-many relationship of an object, as generated accessors use it.
public struct ManagedToMany {
  let object: NSManagedObject
  let slot: Int

  /// The members now; the set does not change when the relationship does.
  public var set: NSSet? {
    get { object.loadedCollection(at: slot).unorderedFace }
    nonmutating set { object.setMembers(members(of: newValue), at: slot) }
  }

  /// Adds an object; reads nothing from the store if its inverse is to-one.
  public func add(_ member: NSManagedObject) {
    object.addMember(member, at: slot)
  }

  public func add(_ added: NSSet) {
    for member in members(of: added) { object.addMember(member, at: slot) }
  }

  public func remove(_ member: NSManagedObject) {
    object.removeMember(member, at: slot)
  }

  public func remove(_ removed: NSSet) {
    for member in members(of: removed) { object.removeMember(member, at: slot) }
  }

  private func members(of set: NSSet?) -> [NSManagedObject] {
    object.managedObjects(in: set?.allObjects ?? [], for: slot)
  }
}

/// An ordered to-many relationship of an object, as generated accessors use it.
public struct ManagedOrderedToMany {
  let object: NSManagedObject
  let slot: Int

  /// The members now; the set does not change when the relationship does.
  public var orderedSet: NSOrderedSet? {
    get { object.loadedCollection(at: slot).orderedFace }
    nonmutating set { object.setMembers(members(of: newValue), at: slot) }
  }

  /// Adds an object at the end.
  public func add(_ member: NSManagedObject) {
    object.addMember(member, at: slot)
  }

  public func add(_ added: NSOrderedSet) {
    for member in members(of: added) { object.addMember(member, at: slot) }
  }

  public func remove(_ member: NSManagedObject) {
    object.removeMember(member, at: slot)
  }

  public func remove(_ removed: NSOrderedSet) {
    for member in members(of: removed) { object.removeMember(member, at: slot) }
  }

  /// Inserts an object at a place; one that is there already stays where it is.
  public func insert(_ member: NSManagedObject, at index: Int) {
    object.addMember(member, at: slot, index: index)
  }

  /// Inserts objects so that each stands at its index afterwards.
  public func insert(_ members: [NSManagedObject], at indexes: NSIndexSet) {
    for (member, index) in zip(members, indexes as IndexSet) { insert(member, at: index) }
  }

  public func remove(at index: Int) {
    object.removeMember(object.loadedCollection(at: slot).members[index], at: slot)
  }

  public func remove(at indexes: NSIndexSet) {
    let members = object.loadedCollection(at: slot).members
    for index in indexes as IndexSet { object.removeMember(members[index], at: slot) }
  }

  public func replace(at index: Int, with member: NSManagedObject) {
    remove(at: index)
    insert(member, at: index)
  }

  public func replace(at indexes: NSIndexSet, with members: [NSManagedObject]) {
    remove(at: indexes)
    insert(members, at: indexes)
  }

  private func members(of set: NSOrderedSet?) -> [NSManagedObject] {
    object.managedObjects(in: set?.array ?? [], for: slot)
  }
}

extension NSManagedObject {
  func managedObjects(in objects: [Any], for slot: Int) -> [NSManagedObject] {
    objects.map { object in
      guard let object = object as? NSManagedObject else {
        stop(
          "\(layout.name).\(layout.slots[slot].name) holds managed objects, not \(object)"
        )
      }
      return object
    }
  }
}
