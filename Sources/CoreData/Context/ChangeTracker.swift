/// The objects of a context that differ from what is stored, in the order in which that began.
///
/// The tracker keeps them alive. An object stands in one list at most; its record says where, so
/// that leaving a list takes no search.
struct ChangeTracker {
  private(set) var inserted = ObjectList()
  private(set) var updated = ObjectList()
  private(set) var deleted = ObjectList()
  /// What happened since observers last heard of it.
  var event = ContextEvent()
  /// How often all changes were saved or given up.
  private(set) var timesEmptied = 0

  var hasChanges: Bool { !inserted.isEmpty || !updated.isEmpty || !deleted.isEmpty }

  mutating func insert(_ object: NSManagedObject) {
    inserted.append(object)
    event.inserted.append(object)
  }

  mutating func update(_ object: NSManagedObject) {
    updated.append(object)
    event.updated.append(object)
  }

  /// A stored object whose row is gone shall be stored again, or a new one whose deletion is taken back.
  mutating func insertAgain(_ object: NSManagedObject) {
    leave(object)
    object.life = .inserted
    inserted.append(object)
    event.updated.append(object)
  }

  /// An object that was never stored is only forgotten.
  mutating func delete(_ object: NSManagedObject) {
    let isStored = object.life != .inserted
    leave(object)
    object.life = .deleted
    if isStored { deleted.append(object) }
    event.deleted.append(object)
  }

  /// Takes an object out of the list it is in.
  mutating func leave(_ object: NSManagedObject) {
    switch object.life {
    case .inserted: inserted.remove(object)
    case .updated: updated.remove(object)
    case .deleted: deleted.remove(object)
    case .detached, .fault, .clean: break
    }
  }

  /// Makes the lists ready to be saved.
  mutating func compact() {
    inserted.compact()
    updated.compact()
    deleted.compact()
  }

  /// Whether exactly these objects are changed; nobody leaves a list and comes back unnoticed, as a
  /// deletion is pending then.
  func holds(as changes: ChangeSet) -> Bool {
    inserted.count == changes.inserted.count && updated.count == changes.updated.count
      && deleted.count == changes.deleted.count
  }

  mutating func removeAll() {
    inserted.leaveAll()
    updated.leaveAll()
    deleted.leaveAll()
    let times = timesEmptied
    self = ChangeTracker()
    timesEmptied = times + 1
  }

  /// All is saved; what observers have not heard of stays.
  mutating func forgetSaved() {
    let event = event
    removeAll()
    self.event = event
  }
}

/// A list of objects that each know their place in it.
struct ObjectList {
  private var places: [NSManagedObject?] = []
  private(set) var count = 0

  var isEmpty: Bool { count == 0 }

  var objects: [NSManagedObject] {
    if isEmpty { return [] }
    var objects: [NSManagedObject] = []
    objects.reserveCapacity(count)
    for case let object? in places { objects.append(object) }
    return objects
  }

  func filter(_ isWanted: (NSManagedObject) -> Bool) -> [NSManagedObject] {
    var objects: [NSManagedObject] = []
    for case let object? in places where isWanted(object) { objects.append(object) }
    return objects
  }

  mutating func append(_ object: NSManagedObject) {
    object.trackerIndex = Int32(places.count)
    places.append(object)
    count += 1
  }

  /// Closes the gaps, so that an object's place is its index among the objects.
  mutating func compact() {
    guard count < places.count else { return }
    places.removeAll { $0 == nil }
    for (place, object) in places.enumerated() {
      object?.trackerIndex = Int32(place)
    }
  }

  /// Lets all objects know that they stand in no list any more.
  func leaveAll() {
    for case let object? in places { object.trackerIndex = -1 }
  }

  mutating func remove(_ object: NSManagedObject) {
    let place = Int(object.trackerIndex)
    guard places.indices.contains(place), places[place] === object else { return }
    object.trackerIndex = -1
    places[place] = nil
    count -= 1
  }
}

/// What happened in a context since its observers last heard of it.
struct ContextEvent {
  var inserted = NotedObjects()
  var updated = NotedObjects()
  var deleted = NotedObjects()
  var refreshed: [NSManagedObject] = []
  /// What properties held before the event that no row tells of: they were changed in an earlier one.
  var before: [ChangedPlace: ValueBefore] = [:]

  var isEmpty: Bool {
    inserted.isEmpty && updated.isEmpty && deleted.isEmpty && refreshed.isEmpty
  }

  var changed: [NSManagedObject] { .joined(inserted.objects, updated.objects, deleted.objects) }
}

extension [NSManagedObject] {
  /// One list after the other; where only one has objects, that list itself, of which nothing is copied.
  static func joined(_ first: Self, _ second: Self, _ third: Self) -> Self {
    if second.isEmpty, third.isEmpty { return first }
    if first.isEmpty, third.isEmpty { return second }
    if first.isEmpty, second.isEmpty { return third }
    return first + second + third
  }
}
