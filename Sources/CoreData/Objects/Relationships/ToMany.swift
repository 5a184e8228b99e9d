import Foundation

/// The objects of a to-many relationship, and its additions and removals since the last save.
///
/// A fault knows only the additions and removals; the members come from the store when somebody
/// asks for them. So adding one note to a folder of thousands reads nothing.
package final class ToMany {
  private(set) var isFault: Bool
  let isOrdered: Bool
  /// The members as they were loaded, until somebody asks for one of them or changes them: most relationships
  /// are only run through, and need no hash table.
  private var loaded: [NSManagedObject]?
  private var settled: Set<NSManagedObject> = []
  /// The members in order, for an ordered relationship.
  private var list: [NSManagedObject] = []
  private(set) var added: Set<NSManagedObject> = []
  private(set) var removed: Set<NSManagedObject> = []
  /// The members before the first change since the last save.
  private var original: Original?
  /// The collection that users of the property hold; made again after a change.
  private var face: AnyObject?
  /// How often members or their order may have changed.
  private(set) var version = 0

  private struct Original {
    let set: Set<NSManagedObject>
    let list: [NSManagedObject]
  }

  init(isOrdered: Bool, isFault: Bool) {
    self.isOrdered = isOrdered
    self.isFault = isFault
  }

  var isChanged: Bool { !added.isEmpty || !removed.isEmpty || original != nil }

  /// Whether the members, or their order if there is one, differ from those that are stored.
  var differsFromStored: Bool {
    guard !isFault, let original else { return !added.isEmpty || !removed.isEmpty }
    return isOrdered ? !original.list.elementsEqual(list, by: ===) : original.set != objects
  }

  var count: Int { loaded?.count ?? settled.count }

  /// The members; in order when the relationship has one.
  var members: [NSManagedObject] { isOrdered ? list : loaded ?? Array(settled) }

  private var objects: Set<NSManagedObject> {
    get {
      settle()
      return settled
    }
    set {
      loaded = nil
      settled = newValue
    }
  }

  private func settle() {
    guard let loaded else { return }
    settled = Set(loaded)
    self.loaded = nil
  }

  func contains(_ object: NSManagedObject) -> Bool {
    if isFault { return added.contains(object) }
    return objects.contains(object)
  }

  /// Whether a loaded collection has the object as it is stored.
  func isStored(_ object: NSManagedObject) -> Bool {
    original?.set.contains(object) ?? objects.contains(object)
  }

  func storedMembers(among candidates: Set<NSManagedObject>) -> Set<NSManagedObject> {
    (original?.set ?? objects).intersection(candidates)
  }

  func index(of object: NSManagedObject) -> Int? {
    objects.contains(object) ? list.firstIndex { $0 === object } : nil
  }
}

// MARK: - Loading

extension ToMany {
  /// Takes the stored members, and applies the changes that were made before they were known.
  ///
  /// Those that are `gone` have left without notice. Members that may come twice are compared at once.
  func load(
    _ stored: [NSManagedObject],
    without gone: [NSManagedObject] = [],
    mayRepeat: Bool = true
  ) {
    guard isFault else { return }
    isFault = false
    if added.isEmpty, removed.isEmpty, gone.isEmpty, !mayRepeat {
      loaded = stored
      if isOrdered { list = stored }
      noteChange()
      return
    }
    removed.formUnion(gone)
    objects = Set(stored)
    // Others may have added the same.
    added.subtract(objects)
    if isOrdered { list = stored }
    if !added.isEmpty || !removed.isEmpty { original = Original(set: objects, list: list) }
    if !removed.isEmpty {
      settled.subtract(removed)
      list.removeAll(where: removed.contains)
    }
    for object in added where settled.insert(object).inserted && isOrdered { list.append(object) }
    noteChange()
  }

  /// Forgets the members but not which were added and removed; an order that was made stays.
  func forgetStored() {
    guard !isFault, !isOrdered else { return }
    isFault = true
    objects = []
    original = nil
    noteChange()
  }

  /// A collection of its own with the same members and changes.
  func copy() -> ToMany {
    let copy = ToMany(isOrdered: isOrdered, isFault: isFault)
    copy.loaded = loaded
    copy.settled = settled
    copy.list = list
    copy.added = added
    copy.removed = removed
    copy.original = original
    return copy
  }

  /// Members that were added here come on top of those that a row turned out to have.
  func becomeAdditions() {
    added = objects
    removed = []
    original = nil
    forgetStored()
  }

  /// The row is new: it contains only the members that were added here.
  func becomeNew() {
    list.removeAll { !added.contains($0) }
    if isFault { list = isOrdered ? Array(added) : [] }
    isFault = false
    objects = added
    removed = []
    original = Original(set: [], list: [])
    noteChange()
  }

  /// Forgets an object whose row is gone, as if it had never been a member.
  func dismiss(_ object: NSManagedObject) {
    settle()
    settled.remove(object)
    list.removeAll { $0 === object }
    added.remove(object)
    removed.remove(object)
    original = original.map { original in
      Original(
        set: original.set.subtracting([object]),
        list: original.list.filter { $0 !== object }
      )
    }
    noteChange()
  }

  /// A stored member that has come or gone by changes made elsewhere.
  ///
  /// The order of an ordered relationship is read again.
  func follow(_ object: NSManagedObject, isMember: Bool) {
    guard !isFault else { return }
    if isOrdered, !isChanged {
      turnIntoFault()
      return
    }
    settle()
    if isMember, !removed.contains(object) {
      if settled.insert(object).inserted, isOrdered { list.append(object) }
    } else if !isMember, !added.contains(object) {
      settled.remove(object)
      list.removeAll { $0 === object }
    }
    if let original {
      let set = isMember ? original.set.union([object]) : original.set.subtracting([object])
      var list = original.list.filter { $0 !== object }
      if isMember, isOrdered { list.append(object) }
      self.original = Original(set: set, list: list)
    }
    noteChange()
  }

  /// A stored member to come has left already, by a change of its own.
  func hide(_ object: NSManagedObject) {
    if original == nil { original = Original(set: objects, list: list) }
    removed.insert(object)
  }

  /// Puts the changes made here on newer stored members of an ordered relationship; `gone` are those
  /// that have left without a word.
  func rebase(onto stored: [NSManagedObject], without gone: [NSManagedObject] = []) {
    removed.formUnion(gone)
    let kept = stored.filter { !removed.contains($0) }
    let known = Set(kept)
    let members = kept + list.filter { added.contains($0) && !known.contains($0) }
    list = MergedOrder.merge(list, into: members)
    objects = Set(list)
    added.subtract(known)
    removed.formIntersection(stored)
    original = Original(set: Set(stored), list: stored)
    noteChange()
  }

  /// Forgets the members and the changes.
  func turnIntoFault() {
    isFault = true
    objects = []
    list = []
    forgetChanges()
  }
}

// MARK: - Changing

extension ToMany {
  /// Adds an object at the end, or at a place of an ordered relationship.
  func insert(_ object: NSManagedObject, at index: Int? = nil) {
    if !isFault {
      keepOriginal()
      guard settled.insert(object).inserted else { return }
      if isOrdered { list.insert(object, at: index ?? list.count) }
    }
    if removed.remove(object) == nil { added.insert(object) }
    noteChange()
  }

  func remove(_ object: NSManagedObject) {
    if !isFault {
      keepOriginal()
      guard settled.remove(object) != nil else { return }
      if isOrdered, list.last === object {
        list.removeLast()
      } else if isOrdered, let index = list.firstIndex(where: { $0 === object }) {
        list.remove(at: index)
      }
    }
    if added.remove(object) == nil { removed.insert(object) }
    noteChange()
  }

  /// Puts the members of an ordered relationship into another order.
  func reorder(_ members: [NSManagedObject]) {
    keepOriginal()
    list = members
    noteChange()
  }

  private func keepOriginal() {
    settle()
    if original == nil { original = Original(set: objects, list: list) }
  }

  /// The present members are the stored ones.
  func forgetChanges() {
    added = []
    removed = []
    original = nil
    noteChange()
  }

  /// Takes the changes back.
  func revert() {
    if let original {
      objects = original.set
      list = original.list
    }
    forgetChanges()
  }

  /// Collections that were made of the former members are old.
  private func noteChange() {
    face = nil
    version &+= 1
  }

  /// The members as they are stored.
  var originalMembers: [NSManagedObject] {
    guard let original else { return members }
    return isOrdered ? original.list : Array(original.set)
  }
}

// MARK: - Faces

extension ToMany {
  /// The members as the property's value: it does not change when the relationship does.
  var unorderedFace: NSSet {
    if let face = face as? NSSet { return face }
    let made = ObjectArray.set(of: members)
    face = made
    return made
  }

  var orderedFace: NSOrderedSet {
    if let face = face as? NSOrderedSet { return face }
    let made = NSOrderedSet(array: list)
    face = made
    return made
  }
}
