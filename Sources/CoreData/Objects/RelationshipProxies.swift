public import Foundation

// MARK: - Mutable sets

extension NSManagedObject {
  /// A set that changes the relationship when it is changed; inverses and observers follow.
  public func mutableSetValue(forKey key: String) -> NSMutableSet {
    MutableRelationshipSet(self, toManySlot(named: key, isOrdered: false))
  }

  /// The same for the last key of a path.
  public func mutableSetValue(forKeyPath keyPath: String) -> NSMutableSet {
    let (owner, key) = owner(ofLastKeyIn: keyPath)
    return owner?.mutableSetValue(forKey: key) ?? NSMutableSet()
  }

  /// An ordered set that changes the relationship when it is changed; inverses and observers follow.
  public func mutableOrderedSetValue(forKey key: String) -> NSMutableOrderedSet {
    MutableRelationshipOrderedSet(self, toManySlot(named: key, isOrdered: true))
  }

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
    return slot
  }
}

/// A relationship as a mutable set.
///
/// The superclass keeps the members too, because Foundation's casts to Swift's `Set` look there.
private final class MutableRelationshipSet: NSMutableSet {
  private let owner: NSManagedObject
  private let slot: Int

  init(_ owner: NSManagedObject, _ slot: Int) {
    self.owner = owner
    self.slot = slot
    super.init(capacity: 0)
    for member in owner.loadedCollection(at: slot).members { super.add(member) }
  }

  required init(capacity numItems: Int) {
    stop("a relationship's mutable set is made by mutableSetValue(forKey:)")
  }

  required init?(coder: NSCoder) {
    stop("a relationship's mutable set cannot be archived; archive the objects' identities")
  }

  private var members: NSSet { owner.loadedCollection(at: slot).unorderedFace }

  override var count: Int { members.count }

  override func member(_ object: Any) -> Any? { members.member(object) }

  override func objectEnumerator() -> NSEnumerator { members.objectEnumerator() }

  override func add(_ object: Any) {
    owner.addMember(owner.managedObjects(in: [object], for: slot)[0], at: slot)
    super.add(object)
  }

  override func remove(_ object: Any) {
    if let member = object as? NSManagedObject { owner.removeMember(member, at: slot) }
    super.remove(object)
  }
}

/// An ordered relationship as a mutable ordered set.
///
/// The superclass keeps the members too, and is the one that is read.
private final class MutableRelationshipOrderedSet: NSMutableOrderedSet {
  private let owner: NSManagedObject
  private let slot: Int

  init(_ owner: NSManagedObject, _ slot: Int) {
    self.owner = owner
    self.slot = slot
    super.init(capacity: 0)
    for member in owner.loadedCollection(at: slot).members { super.insert(member, at: super.count) }
  }

  override init(capacity numItems: Int) {
    stop("a relationship's mutable ordered set is made by mutableOrderedSetValue(forKey:)")
  }

  required init(arrayLiteral elements: Any...) {
    stop("a relationship's mutable ordered set is made by mutableOrderedSetValue(forKey:)")
  }

  required init?(coder: NSCoder) {
    stop("a relationship's mutable ordered set cannot be archived; archive the identities")
  }

  override func insert(_ object: Any, at index: Int) {
    let member = owner.managedObjects(in: [object], for: slot)[0]
    super.insert(object, at: index)
    owner.addMember(member, at: slot, index: index)
  }

  override func removeObject(at index: Int) {
    let member = owner.managedObjects(in: [object(at: index)], for: slot)[0]
    super.removeObject(at: index)
    owner.removeMember(member, at: slot)
  }

  override func replaceObject(at index: Int, with object: Any) {
    removeObject(at: index)
    insert(object, at: index)
  }
}
