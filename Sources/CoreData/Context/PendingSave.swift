/// What the next save has to know besides the objects that have changed.
struct PendingSave {
  /// Deleted objects whose delete rules were not applied yet.
  private(set) var deletions = ObjectLine()
  /// The stores that new objects were assigned to.
  private(set) var assignments: [ObjectIdentifier: NSPersistentStore] = [:]
  /// Objects whose versions are checked although they are not changed.
  var locked: [NSManagedObject] { locks.objects }
  /// What the last event has told of, which is often just what is saved.
  var told = ToldChanges()

  private var locks = ObjectLine()

  /// Notes a deletion whose rules are to be applied.
  mutating func delete(_ object: NSManagedObject) {
    deletions.append(object)
  }

  /// Gives the deletions whose rules were not applied, and forgets them.
  mutating func takeDeletions() -> [NSManagedObject] {
    defer { deletions = ObjectLine() }
    return deletions.objects
  }

  /// The rules of an object's deletion are not to be applied any more.
  mutating func settle(_ object: NSManagedObject) {
    deletions.remove(object)
  }

  mutating func assign(_ object: NSManagedObject, to store: NSPersistentStore?) {
    assignments[ObjectIdentifier(object)] = store
  }

  /// Forgets what was assigned to a store.
  mutating func forget(_ store: StoreNumber) {
    assignments = assignments.filter { $0.value.number != store }
  }

  mutating func forgetAssignments() {
    assignments = [:]
  }

  mutating func lock(_ object: NSManagedObject) {
    locks.append(object)
  }

  /// All is saved.
  mutating func forgetSaved() {
    forgetAssignments()
    locks = ObjectLine()
  }
}

/// Objects in the order in which they came, each of them once; any of them can leave at once.
///
///     append a, b, c     a b c
///     remove b           a · c
struct ObjectLine {
  private var line: [NSManagedObject?] = []
  private var places: [ObjectIdentifier: Int] = [:]

  var isEmpty: Bool { places.isEmpty }

  /// The objects in their order.
  var objects: [NSManagedObject] { line.compactMap(\.self) }

  /// Puts an object behind the others, unless it stands in the line already.
  mutating func append(_ object: NSManagedObject) {
    let name = ObjectIdentifier(object)
    guard places[name] == nil else { return }
    places[name] = line.count
    line.append(object)
  }

  /// Lets an object leave; the others keep their order.
  mutating func remove(_ object: NSManagedObject) {
    guard let place = places.removeValue(forKey: ObjectIdentifier(object)) else { return }
    line[place] = nil
    if places.isEmpty { line = [] }
  }
}
