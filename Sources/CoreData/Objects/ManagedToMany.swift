public import Foundation

/// A to-many relationship of an object, as generated accessors use it.
public struct ManagedToMany {
  let object: NSManagedObject
  let slot: Int

  /// The members now; the set does not change when the relationship does.
  public var set: NSSet? {
    get {
      object.noteUse(of: slot, .reading)
      return object.loadedCollection(at: slot).unorderedFace
    }
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
    get {
      object.noteUse(of: slot, .reading)
      return object.loadedCollection(at: slot).orderedFace
    }
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
