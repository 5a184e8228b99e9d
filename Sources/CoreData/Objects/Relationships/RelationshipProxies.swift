public import Foundation

// MARK: - Mutable sets

extension NSManagedObject {
  /// Returns a mutable set that changes a to-many relationship.
  ///
  /// ```swift
  /// folder.mutableSetValue(forKey: "notes").add(note)
  /// ```
  ///
  /// Changing the set changes the relationship, maintains the inverse and notifies observers.
  /// Reading it loads the relationship if necessary, with one SQL statement.
  ///
  /// - Parameter key: The name of an unordered to-many relationship. Another name stops the program.
  /// - Returns: A set that reads and writes the relationship.
  public func mutableSetValue(forKey key: String) -> NSMutableSet {
    MutableRelationshipSet(self, toManySlot(named: key, isOrdered: false))
  }

  /// Returns a mutable set that changes the to-many relationship at the end of a key path.
  ///
  /// - Parameter keyPath: A key path that ends with the name of an unordered to-many relationship.
  /// - Returns: A set that reads and writes the relationship. If a property on the way is `nil`, the set is
  ///     empty and ignores changes.
  public func mutableSetValue(forKeyPath keyPath: String) -> NSMutableSet {
    let (owner, key) = owner(ofLastKeyIn: keyPath)
    return owner?.mutableSetValue(forKey: key) ?? NSMutableSet()
  }

  /// Returns a mutable ordered set that changes an ordered to-many relationship.
  ///
  /// Changing the set changes the relationship, maintains the inverse and notifies observers.
  /// Reading it loads the relationship if necessary, with one SQL statement.
  ///
  /// - Parameter key: The name of an ordered to-many relationship. Another name stops the program.
  /// - Returns: An ordered set that reads and writes the relationship.
  public func mutableOrderedSetValue(forKey key: String) -> NSMutableOrderedSet {
    MutableRelationshipOrderedSet(self, toManySlot(named: key, isOrdered: true))
  }

  /// Returns a mutable ordered set that changes the ordered to-many relationship at the end of a
  /// key path.
  ///
  /// - Parameter keyPath: A key path that ends with the name of an ordered to-many relationship.
  /// - Returns: An ordered set that reads and writes the relationship. If a property on the way is `nil`, the
  ///     ordered set is empty and ignores changes.
  public func mutableOrderedSetValue(forKeyPath keyPath: String) -> NSMutableOrderedSet {
    let (owner, key) = owner(ofLastKeyIn: keyPath)
    return owner?.mutableOrderedSetValue(forKey: key) ?? NSMutableOrderedSet()
  }

  private func toManySlot(named key: String, isOrdered: Bool) -> Int {
    let kind: SlotKind = isOrdered ? .orderedToMany : .toMany
    guard let slot = layout.slot(named: key), layout.slots[slot].kind == kind else {
      stop(
        "\(layout.name) has no \(isOrdered ? "ordered" : "unordered") to-many relationship \(key)"
      )
    }
    noteUse(of: slot, .reading)
    return slot
  }
}

/// A relationship as a mutable set.
///
/// Foundation's cast to Swift's `Set` asks no subclass and finds it empty: use `allObjects`, or the
/// relationship's own property.
private final class MutableRelationshipSet: NSMutableSet {
  private let owner: NSManagedObject
  private let slot: Int

  init(_ owner: NSManagedObject, _ slot: Int) {
    self.owner = owner
    self.slot = slot
    super.init(capacity: 0)
  }

  required init(capacity numItems: Int) {
    stop("a relationship's mutable set is made by mutableSetValue(forKey:)")
  }

  required init?(coder: NSCoder) {
    stop("a relationship's mutable set cannot be archived; archive the objects' identities")
  }

  private var collection: ToMany { owner.loadedCollection(at: slot) }

  override var count: Int { collection.count }

  override func member(_ object: Any) -> Any? {
    guard let member = object as? NSManagedObject, collection.contains(member) else { return nil }
    return member
  }

  override func objectEnumerator() -> NSEnumerator { collection.unorderedFace.objectEnumerator() }

  override func add(_ object: Any) {
    owner.addMember(owner.managedObjects(in: [object], for: slot)[0], at: slot)
  }

  override func remove(_ object: Any) {
    if let member = object as? NSManagedObject { owner.removeMember(member, at: slot) }
  }
}
