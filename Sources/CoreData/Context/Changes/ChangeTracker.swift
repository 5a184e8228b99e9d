/// The objects of a context that differ from what is stored, in the order in which that began.
///
/// The tracker keeps them alive. An object is in one list at most; its record says where, so that it can leave the
/// list without a search.
struct ChangeTracker {
  private(set) var inserted = ObjectList()
  private(set) var updated = ObjectList()
  private(set) var deleted = ObjectList()
  /// The changes since observers were last informed.
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

  /// Notes that an object whose row is gone will be stored again, or a new one whose deletion is undone.
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

  /// Values were replaced without an event: searches by value have to look at each object again.
  mutating func forgetValues() {
    inserted.forgetValues()
    updated.forgetValues()
  }

  /// Notes which values an object has now, for searches by value.
  mutating func noteValues(of object: NSManagedObject) {
    switch object.life {
    case .inserted: inserted.noteValues(of: object)
    case .updated: updated.noteValues(of: object)
    case .detached, .fault, .clean, .deleted: break
    }
  }

  /// The same for all that has changed in the current event.
  mutating func noteValuesOfEvent() {
    guard inserted.hasColumns || updated.hasColumns else { return }
    for object in event.changed + event.refreshed { noteValues(of: object) }
  }

  /// The new objects that are wanted; those that are known not to meet the demand may be left out.
  mutating func insertedObjects(
    mayMeet demand: KeptDemand?,
    where isWanted: (NSManagedObject) -> Bool
  ) -> [NSManagedObject] {
    if demand != nil { noteValuesOfEvent() }
    return inserted.objects(mayMeet: demand, where: isWanted).objects
  }

  /// The same of changed objects, and how many are wanted without the demand, at most.
  mutating func updatedObjects(
    mayMeet demand: KeptDemand?,
    where isWanted: (NSManagedObject) -> Bool
  ) -> (objects: [NSManagedObject], count: Int) {
    if demand != nil { noteValuesOfEvent() }
    return updated.objects(mayMeet: demand, where: isWanted)
  }

  mutating func removeAll() {
    inserted.leaveAll()
    updated.leaveAll()
    deleted.leaveAll()
    let times = timesEmptied
    self = ChangeTracker()
    timesEmptied = times + 1
  }

  /// All is saved; changes that observers have not heard of stay.
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
  /// The values of properties for which fetches have asked, the latest last.
  private var columns: [UnsavedValues] = []

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
    forgetValues()
    guard count < places.count else { return }
    places.removeAll { $0 == nil }
    for (place, object) in places.enumerated() {
      object?.trackerIndex = Int32(place)
    }
  }

  /// Lets all objects know that they are not in a list any more.
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

// MARK: - By value

extension ObjectList {
  /// So many properties at most are looked at by value.
  private static var columnCount: Int { 8 }
  /// Fewer objects than these are looked at one by one.
  private static var smallCount: Int { 16 }

  var hasColumns: Bool { !columns.isEmpty }

  mutating func forgetValues() {
    if hasColumns { columns = [] }
  }

  mutating func noteValues(of object: NSManagedObject) {
    let place = Int(object.trackerIndex)
    guard hasColumns, places.indices.contains(place), places[place] === object else { return }
    for index in columns.indices { columns[index].note(object, at: place) }
  }

  /// The objects that are wanted, in their order, and how many would be without the demand, at most: if several
  /// fetches have demanded a value of the property, objects that cannot have it are left out.
  mutating func objects(
    mayMeet demand: KeptDemand?,
    where isWanted: (NSManagedObject) -> Bool
  ) -> (objects: [NSManagedObject], count: Int) {
    if let demand, count >= Self.smallCount, let index = column(for: demand) {
      columns[index].follow(places)
      if let few = columns[index].places(for: demand) {
        return (few.compactMap { places[$0] }.filter(isWanted), columns[index].count)
      }
    }
    let wanted = filter(isWanted)
    return (wanted, wanted.count)
  }

  /// The column of the property; nil for the first fetch that asks for it.
  private mutating func column(for demand: KeptDemand) -> Int? {
    if let index = columns.firstIndex(where: { $0.serves(demand) }) { return index }
    if columns.count == Self.columnCount { columns.removeFirst() }
    columns.append(UnsavedValues(for: demand))
    return nil
  }
}

/// The changes in a context since its observers were last informed.
struct ContextEvent {
  var inserted = NotedObjects()
  var updated = NotedObjects()
  var deleted = NotedObjects()
  var refreshed: [NSManagedObject] = []
  /// The values before the event that are in no row, because they were changed in an earlier event.
  var before: [ChangedPlace: ValueBefore] = [:]

  var isEmpty: Bool {
    inserted.isEmpty && updated.isEmpty && deleted.isEmpty && refreshed.isEmpty
  }

  var changed: [NSManagedObject] { .joined(inserted.objects, updated.objects, deleted.objects) }
}

extension [NSManagedObject] {
  /// One list after the other; if only one has objects, that list itself, of which nothing is copied.
  static func joined(_ first: Self, _ second: Self, _ third: Self) -> Self {
    if second.isEmpty, third.isEmpty { return first }
    if first.isEmpty, third.isEmpty { return second }
    if first.isEmpty, second.isEmpty { return third }
    return first + second + third
  }
}
