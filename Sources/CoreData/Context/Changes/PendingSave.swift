/// Facts that the next save needs besides the objects that have changed.
struct PendingSave {
  /// Deleted objects whose delete rules were not applied yet.
  private(set) var deletions = NotedObjects()
  /// The stores that new objects were assigned to.
  private(set) var assignments: [ObjectIdentifier: NSPersistentStore] = [:]
  /// Objects whose versions are checked although they are not changed.
  private(set) var locked: [NSManagedObject] = []
  /// The changes that the last event has announced, which are often just those that are saved.
  var told = ToldChanges()

  private var locks: Set<ObjectIdentifier> = []

  /// Notes a deletion whose rules are not applied yet.
  mutating func delete(_ object: NSManagedObject) {
    deletions.append(object)
  }

  /// Gives the deletions whose rules were not applied, and forgets them.
  mutating func takeDeletions() -> [NSManagedObject] {
    defer { deletions = NotedObjects() }
    return deletions.objects
  }

  /// The rules of an object's deletion are not to be applied any more.
  mutating func settle(_ object: NSManagedObject) {
    deletions.remove(object)
  }

  mutating func assign(_ object: NSManagedObject, to store: NSPersistentStore?) {
    assignments[ObjectIdentifier(object)] = store
  }

  /// Forgets the objects that were assigned to a store.
  mutating func forget(_ store: StoreNumber) {
    assignments = assignments.filter { $0.value.number != store }
  }

  mutating func forgetAssignments() {
    assignments = [:]
  }

  mutating func lock(_ object: NSManagedObject) {
    if locks.insert(ObjectIdentifier(object)).inserted { locked.append(object) }
  }

  /// All is saved.
  mutating func forgetSaved() {
    forgetAssignments()
    locks = []
    locked = []
  }
}
