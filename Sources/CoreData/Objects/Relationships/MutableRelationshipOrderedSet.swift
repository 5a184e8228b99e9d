import Foundation

/// An ordered relationship as a mutable ordered set.
///
/// Some of the superclass's readers, such as `firstObject`, cannot be overridden. So it keeps the
/// members too and follows the relationship: when this set changes it, and when its count, a member
/// or an index is asked for. Most of its methods change what it keeps without a call of another, so
/// each is overridden to change the relationship instead.
final class MutableRelationshipOrderedSet: NSMutableOrderedSet {
  private let owner: NSManagedObject
  private let slot: Int

  init(_ owner: NSManagedObject, _ slot: Int) {
    self.owner = owner
    self.slot = slot
    super.init(capacity: 0)
    follow()
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

  // MARK: Reading

  /// The relationship's members and their version when they were last taken over.
  private var shown: (members: ToMany, version: Int)?
  private var isFollowing = false

  /// Makes the superclass's members those that the relationship has now.
  private func follow() {
    let members = owner.loadedCollection(at: slot)
    guard !isFollowing, !isShown(members, before: 0) else { return }
    show(members) {
      super.removeAllObjects()
      super.addObjects(from: members.members)
    }
  }

  /// Makes the relationship's change in the superclass's members, unless more has happened to the relationship.
  private func follow(_ change: () -> Void) {
    let members = owner.loadedCollection(at: slot)
    if !isFollowing, isShown(members, before: 1) { show(members, change) } else { follow() }
  }

  private func isShown(_ members: ToMany, before changes: Int) -> Bool {
    guard let shown else { return false }
    return shown.members === members && shown.version &+ changes == members.version
  }

  private func show(_ members: ToMany, _ change: () -> Void) {
    isFollowing = true
    defer { isFollowing = false }
    change()
    shown = (members, members.version)
  }

  override var count: Int {
    follow()
    return super.count
  }

  override func object(at index: Int) -> Any {
    follow()
    return super.object(at: index)
  }

  override func index(of object: Any) -> Int {
    if isFollowing { return super.index(of: object) }
    guard let member = object as? NSManagedObject else { return NSNotFound }
    return owner.loadedCollection(at: slot).index(of: member) ?? NSNotFound
  }

  override func contains(_ object: Any) -> Bool {
    follow()
    return super.contains(object)
  }

  // MARK: One member

  override func insert(_ object: Any, at index: Int) {
    follow()
    owner.addMember(owner.managedObjects(in: [object], for: slot)[0], at: slot, index: index)
    follow { super.insert(object, at: index) }
  }

  override func add(_ object: Any) {
    if !contains(object) { insert(object, at: count) }
  }

  override func removeObject(at index: Int) {
    owner.removeMember(owner.managedObjects(in: [object(at: index)], for: slot)[0], at: slot)
    follow { super.removeObject(at: index) }
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
    removeObjects(in: owner.loadedCollection(at: slot).members.filter { !other.contains($0) })
  }

  override func intersectSet(_ other: Set<AnyHashable>) {
    intersect(NSOrderedSet(array: other.map(\.base)))
  }

  // MARK: Order

  override func exchangeObject(at first: Int, withObjectAt second: Int) {
    rearrange { $0.swapAt(first, second) }
  }

  override func moveObjects(at indexes: IndexSet, to index: Int) {
    rearrange { members in
      let moved = indexes.map { members[$0] }
      for index in indexes.reversed() { members.remove(at: index) }
      members.insert(contentsOf: moved, at: index)
    }
  }

  override func sort(comparator: (Any, Any) -> ComparisonResult) {
    sort(options: [], usingComparator: comparator)
  }

  override func sort(
    options: NSSortOptions,
    usingComparator comparator: (Any, Any) -> ComparisonResult
  ) {
    sortRange(NSRange(location: 0, length: count), options: options, usingComparator: comparator)
  }

  override func sortRange(
    _ range: NSRange,
    options: NSSortOptions,
    usingComparator comparator: (Any, Any) -> ComparisonResult
  ) {
    rearrange { members in
      let places = range.location..<range.location + range.length
      let sorted = (members[places].map { $0 } as NSArray)
        .sortedArray(options: options, usingComparator: comparator)
      members.replaceSubrange(places, with: sorted.compactMap { $0 as? NSManagedObject })
    }
  }

  override func sort(using descriptors: [NSSortDescriptor]) {
    rearrange { $0 = $0.sorted(by: descriptors) }
  }

  /// Changes the order alone, which changes no member.
  private func rearrange(_ change: (inout [NSManagedObject]) -> Void) {
    var members = owner.loadedCollection(at: slot).members
    change(&members)
    owner.setMembers(members, at: slot)
    follow()
  }
}
