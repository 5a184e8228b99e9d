public import Foundation

// MARK: - Members as arrays

extension KeyValueObservable {
  /// Returns the objects of a to-many relationship as an array, in no particular order.
  ///
  /// ```swift
  /// for note in folder.members(of: \.notes, as: Note.self) { print(note.title ?? "") }
  /// ```
  ///
  /// The property itself makes an `NSSet`, whose enumerator casts each member.
  ///
  /// Loads the relationship if necessary, with one SQL statement. Call this method on the context's queue.
  ///
  /// - Parameters:
  ///   - relationship: The key path of an unordered to-many relationship. The program stops for another property.
  ///   - type: The class of the members. A member of another class stops the program.
  /// - Returns: The members, with the unsaved changes of the context.
  public func members<Member: NSManagedObject>(
    of relationship: KeyPath<Self, NSSet?>,
    as type: Member.Type = Member.self
  ) -> [Member] {
    members(at: slot(of: relationship), as: type)
  }

  /// Returns the objects of a to-many relationship as an array, in no particular order.
  ///
  /// Loads the relationship if necessary, with one SQL statement. Call this method on the context's queue.
  ///
  /// - Parameter relationship: The key path of an unordered to-many relationship. The program stops for another property.
  /// - Returns: The members, with the unsaved changes of the context.
  public func members<Member: NSManagedObject>(
    of relationship: KeyPath<Self, Swift.Set<Member>>
  ) -> [Member] {
    members(at: slot(of: relationship), as: Member.self)
  }

  /// Returns the objects of an ordered to-many relationship as an array, in their order.
  ///
  /// Loads the relationship if necessary, with one SQL statement. Call this method on the context's queue.
  ///
  /// - Parameters:
  ///   - relationship: The key path of an ordered to-many relationship. The program stops for another property.
  ///   - type: The class of the members. A member of another class stops the program.
  /// - Returns: The members, with the unsaved changes of the context.
  public func members<Member: NSManagedObject>(
    of relationship: KeyPath<Self, NSOrderedSet?>,
    as type: Member.Type = Member.self
  ) -> [Member] {
    members(at: slot(of: relationship), as: type)
  }

  private func slot(of relationship: PartialKeyPath<Self>) -> Int {
    guard let name = name(of: relationship), let slot = layout.slot(named: name),
      layout.kinds[slot].isToMany
    else {
      stop("the key path whose members were asked of \(layout.name) names no to-many relationship")
    }
    return slot
  }
}

extension NSManagedObject {
  /// The members of a to-many relationship under the class that the program knows.
  func members<Member: NSManagedObject>(at slot: Int, as type: Member.Type) -> [Member] {
    noteUse(of: slot, .reading)
    let members = loadedCollection(at: slot).members
    if let known: [Member] = ObjectArray.cast(members) { return known }
    return members.map { member in
      guard let member = member as? Member else {
        stop("a member is a \(Swift.type(of: member)), where the model's class is \(type)")
      }
      return member
    }
  }
}
