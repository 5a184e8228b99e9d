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

  private var members: NSSet { owner.loadedCollection(at: slot).unorderedFace }

  override var count: Int { members.count }

  override func member(_ object: Any) -> Any? { members.member(object) }

  override func objectEnumerator() -> NSEnumerator { members.objectEnumerator() }

  override func add(_ object: Any) {
    owner.addMember(owner.managedObjects(in: [object], for: slot)[0], at: slot)
  }

  override func remove(_ object: Any) {
    if let member = object as? NSManagedObject { owner.removeMember(member, at: slot) }
  }
}

/// An ordered relationship as a mutable ordered set.
///
/// The superclass keeps the members too, and is the one that is read. Most of its methods change
/// what it keeps without a call of another, so each is overridden to change the relationship too.
private final class MutableRelationshipOrderedSet: NSMutableOrderedSet {
  private let owner: NSManagedObject
  private let slot: Int

  init(_ owner: NSManagedObject, _ slot: Int) {
    self.owner = owner
    self.slot = slot
    super.init(capacity: 0)
    super.addObjects(from: owner.loadedCollection(at: slot).members)
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

  // MARK: One member

  override func insert(_ object: Any, at index: Int) {
    let member = owner.managedObjects(in: [object], for: slot)[0]
    super.insert(object, at: index)
    owner.addMember(member, at: slot, index: index)
  }

  override func add(_ object: Any) {
    if !contains(object) { insert(object, at: count) }
  }

  override func removeObject(at index: Int) {
    let member = owner.managedObjects(in: [object(at: index)], for: slot)[0]
    super.removeObject(at: index)
    owner.removeMember(member, at: slot)
  }

  override func remove(_ object: Any) {
    let index = index(of: object)
    if index != NSNotFound { removeObject(at: index) }
  }

  override func replaceObject(at index: Int, with object: Any) {
    removeObject(at: index)
    insert(object, at: index)
  }

  override func setObject(_ object: Any, at index: Int) {
    if index < count { replaceObject(at: index, with: object) } else { add(object) }
  }

  // MARK: Many

  override func addObjects(from objects: [Any]) {
    for object in objects { add(object) }
  }

  override func union(_ other: NSOrderedSet) {
    addObjects(from: other.map { $0 })
  }

  override func unionSet(_ other: Set<AnyHashable>) {
    addObjects(from: other.map(\.base))
  }

  override func insert(_ objects: [Any], at indexes: IndexSet) {
    for (object, index) in zip(objects, indexes) { insert(object, at: index) }
  }

  override func replaceObjects(at indexes: IndexSet, with objects: [Any]) {
    for (object, index) in zip(objects, indexes) { replaceObject(at: index, with: object) }
  }

  override func removeObjects(at indexes: IndexSet) {
    for index in indexes.reversed() { removeObject(at: index) }
  }

  override func removeObjects(in range: NSRange) {
    removeObjects(at: IndexSet(integersIn: range.location..<range.location + range.length))
  }

  override func removeAllObjects() {
    removeObjects(at: IndexSet(integersIn: 0..<count))
  }

  override func removeObjects(in objects: [Any]) {
    for object in objects { remove(object) }
  }

  override func minus(_ other: NSOrderedSet) {
    removeObjects(in: other.map { $0 })
  }

  override func minusSet(_ other: Set<AnyHashable>) {
    removeObjects(in: other.map(\.base))
  }

  override func intersect(_ other: NSOrderedSet) {
    removeObjects(in: self.filter { !other.contains($0) })
  }

  override func intersectSet(_ other: Set<AnyHashable>) {
    intersect(NSOrderedSet(array: other.map(\.base)))
  }

  // MARK: Order

  override func exchangeObject(at first: Int, withObjectAt second: Int) {
    rearrange { super.exchangeObject(at: first, withObjectAt: second) }
  }

  override func moveObjects(at indexes: IndexSet, to index: Int) {
    let moved = indexes.map { object(at: $0) }
    rearrange {
      super.removeObjects(at: indexes)
      for (place, object) in moved.enumerated() { super.insert(object, at: index + place) }
    }
  }

  override func sort(comparator: (Any, Any) -> ComparisonResult) {
    rearrange { super.sort(comparator: comparator) }
  }

  override func sort(
    options: NSSortOptions,
    usingComparator comparator: (Any, Any) -> ComparisonResult
  ) {
    rearrange { super.sort(options: options, usingComparator: comparator) }
  }

  /// Changes the order here, then in the relationship.
  private func rearrange(_ change: () -> Void) {
    change()
    owner.setMembers(owner.managedObjects(in: map { $0 }, for: slot), at: slot)
  }
}
