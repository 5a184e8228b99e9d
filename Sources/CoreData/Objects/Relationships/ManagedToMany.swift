public import Foundation

/// An unordered to-many relationship of an object, as generated accessors use it.
public struct ManagedToMany {
  let object: NSManagedObject
  let slot: Int

  /// The current members.
  ///
  /// Reading loads the relationship if necessary, with one SQL statement. The returned set does not
  /// change when the relationship changes.
  public var set: NSSet? {
    get {
      object.noteUse(of: slot, .reading)
      return object.loadedCollection(at: slot).unorderedFace
    }
    nonmutating set { object.setMembers(members(of: newValue), at: slot) }
  }

  /// The current members as a set of their class, on behalf of generated code.
  ///
  /// Reading loads the relationship if necessary, with one SQL statement. Changing the set assigns all of it; to add one
  /// member to a large relationship, use ``add(_:)-(NSManagedObject)``.
  ///
  /// - Parameter type: The class of the members. A member of another class stops the program.
  /// - Returns: The members.
  public subscript<Member: NSManagedObject>(members type: Member.Type) -> Swift.Set<Member> {
    get {
      Swift.Set(object.members(at: slot, as: type))
    }
    nonmutating set { object.setMembers(Array(newValue), at: slot) }
  }

  /// Adds an object to the relationship.
  ///
  /// Runs no SQL statement if the inverse is a to-one relationship.
  ///
  /// - Parameter member: The object to add.
  public func add(_ member: NSManagedObject) {
    object.addMember(member, at: slot)
  }

  /// Adds several objects to the relationship.
  ///
  /// - Parameter added: A set of managed objects. Other members stop the program.
  public func add(_ added: NSSet) {
    for member in members(of: added) { object.addMember(member, at: slot) }
  }

  /// Removes an object from the relationship.
  ///
  /// - Parameter member: The object to remove.
  public func remove(_ member: NSManagedObject) {
    object.removeMember(member, at: slot)
  }

  /// Removes several objects from the relationship.
  ///
  /// - Parameter removed: A set of managed objects. Other members stop the program.
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

  /// The current members in order.
  ///
  /// Reading loads the relationship if necessary, with one SQL statement. The returned set does not
  /// change when the relationship changes.
  public var orderedSet: NSOrderedSet? {
    get {
      object.noteUse(of: slot, .reading)
      return object.loadedCollection(at: slot).orderedFace
    }
    nonmutating set { object.setMembers(members(of: newValue), at: slot) }
  }

  /// Adds an object at the end of the relationship.
  ///
  /// - Parameter member: The object to add.
  public func add(_ member: NSManagedObject) {
    object.addMember(member, at: slot)
  }

  /// Adds several objects at the end of the relationship.
  ///
  /// - Parameter added: An ordered set of managed objects. Other members stop the program.
  public func add(_ added: NSOrderedSet) {
    for member in members(of: added) { object.addMember(member, at: slot) }
  }

  /// Removes an object from the relationship.
  ///
  /// - Parameter member: The object to remove.
  public func remove(_ member: NSManagedObject) {
    object.removeMember(member, at: slot)
  }

  /// Removes several objects from the relationship.
  ///
  /// - Parameter removed: An ordered set of managed objects. Other members stop the program.
  public func remove(_ removed: NSOrderedSet) {
    for member in members(of: removed) { object.removeMember(member, at: slot) }
  }

  /// Inserts an object at an index.
  ///
  /// An object that is already a member keeps its position.
  ///
  /// - Parameters:
  ///   - member: The object to insert.
  ///   - index: The index of the object after the insertion.
  public func insert(_ member: NSManagedObject, at index: Int) {
    object.addMember(member, at: slot, index: index)
  }

  /// Inserts several objects, so that each one has its index after all have been inserted.
  ///
  /// - Parameters:
  ///   - members: The objects to insert.
  ///   - indexes: The indexes of the objects, in ascending order.
  public func insert(_ members: [NSManagedObject], at indexes: NSIndexSet) {
    for (member, index) in zip(members, indexes as IndexSet) { insert(member, at: index) }
  }

  /// Removes the object at an index.
  ///
  /// - Parameter index: The index of a member.
  public func remove(at index: Int) {
    object.removeMember(object.loadedCollection(at: slot).members[index], at: slot)
  }

  /// Removes the objects at several indexes.
  ///
  /// - Parameter indexes: The indexes of members.
  public func remove(at indexes: NSIndexSet) {
    let members = object.loadedCollection(at: slot).members
    for index in indexes as IndexSet { object.removeMember(members[index], at: slot) }
  }

  /// Replaces the object at an index.
  ///
  /// - Parameters:
  ///   - index: The index of the member to replace.
  ///   - member: The object to put in its place.
  public func replace(at index: Int, with member: NSManagedObject) {
    remove(at: index)
    insert(member, at: index)
  }

  /// Replaces the objects at several indexes.
  ///
  /// - Parameters:
  ///   - indexes: The indexes of the members to replace.
  ///   - members: The objects to put in their places, in the order of the indexes.
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
