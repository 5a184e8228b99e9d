/// The relationships of an object that were read ahead, until somebody follows them.
struct PrefetchedRelationships {
  /// The coordinator's row generation at the time; later saves may have changed the members.
  var generation: Int
  /// The stored members of to-many relationships, by slot.
  var members: [Int: Members] = [:]
  /// The objects of to-one relationships of the whole result, kept alive with their rows.
  var companions: [[NSManagedObject]] = []

  struct Members {
    let objects: [NSManagedObject]
    /// Until when members count that nobody has asked for; `nil` for those of a request.
    var end: ContinuousClock.Instant?

    var isCurrent: Bool { end.map { ContinuousClock.now < $0 } ?? true }
  }
}

extension NSManagedObject {
  /// Gives a collection that is touched for the first time the members that were read ahead.
  func loadPrefetched(_ collection: ToMany, at slot: Int) {
    guard let members = existingExtras?.prefetched?.members.removeValue(forKey: slot),
      let prefetched = existingExtras?.prefetched,
      prefetched.generation == managedObjectContext?.rowGeneration, members.isCurrent
    else { return }
    load(collection, with: members.objects, at: slot)
  }

  /// Whether the members of a relationship wait for the first access.
  func hasReadAhead(_ slot: Int, _ generation: Int) -> Bool {
    guard let prefetched = existingExtras?.prefetched, prefetched.generation == generation else {
      return false
    }
    return prefetched.members[slot]?.isCurrent == true
  }

  /// Changes the prefetched relationships; those older than the last save are forgotten.
  fileprivate func notePrefetched(
    at generation: Int,
    _ change: (inout PrefetchedRelationships) -> Void
  ) {
    let extras = existingExtras ?? ObjectExtras()
    existingExtras = extras
    var prefetched = extras.prefetched ?? PrefetchedRelationships(generation: generation)
    if prefetched.generation != generation {
      prefetched = PrefetchedRelationships(generation: generation)
    }
    change(&prefetched)
    extras.prefetched = prefetched
  }
}

// MARK: - Reading ahead

extension NSManagedObjectContext {
  /// Reads what relationships of many objects lead to; one statement for each step.
  func prefetch(_ paths: PrefetchPaths, of objects: [NSManagedObject]) throws {
    guard !paths.isEmpty, !objects.isEmpty else { return }
    try readWaitingRows(
      of: objects.filter {
        $0.isFault && ($0.snapshot.map { $0.partialSlots != nil } ?? true)
      }
    )
    for step in paths.steps {
      let found =
        step.layout.slots[step.slot].kind == .toOne
        ? try prefetchTargets(step, of: objects) : try prefetchMembers(step, of: objects)
      try prefetch(step.rest, of: found)
    }
  }

  private func prefetchTargets(
    _ step: PrefetchPaths.Step,
    of objects: [NSManagedObject]
  ) throws -> [NSManagedObject] {
    var targets: [NSManagedObject] = []
    var seen: Set<ObjectIdentifier> = []
    for object in objects where object.layout.isKind(of: step.layout) {
      guard let target = object.knownTarget(at: step.slot),
        seen.insert(ObjectIdentifier(target)).inserted
      else { continue }
      targets.append(target)
    }
    try readWaitingRows(of: targets.filter { !$0.hasCurrentValues(in: self) })
    let generation = rowGeneration ?? 0
    for object in objects {
      object.notePrefetched(at: generation) { $0.companions.append(targets) }
    }
    return targets
  }

  /// Gives the members, if there is more to be read of them.
  private func prefetchMembers(
    _ step: PrefetchPaths.Step,
    of objects: [NSManagedObject]
  ) throws -> [NSManagedObject] {
    var found: [NSManagedObject] = []
    var owners: [NSManagedObject] = []
    for object in objects where object.layout.isKind(of: step.layout) {
      if let collection = object.touchedCollection(at: step.slot), !collection.isFault {
        found += collection.members
      } else if !object.willBeInserted {
        owners.append(object)
      }
    }
    let generation = rowGeneration ?? 0
    let all = try storedMembers(ofAll: owners, in: step.layout, at: step.slot)
    for (owner, members) in zip(owners, all) {
      if !step.rest.isEmpty { found += members }
      owner.takePrefetched(members, at: step.slot, generation)
    }
    return step.rest.isEmpty ? [] : found.withoutDoubles
  }

  /// Reads the members of several owners of one entity together, and keeps those of all but the first for a second;
  /// another program may have changed them then.
  func readAhead(_ owners: [NSManagedObject], at slot: Int) throws -> [[NSManagedObject]] {
    let generation = rowGeneration ?? 0
    let all = try storedMembers(ofAll: owners, in: owners[0].layout, at: slot)
    let end = ContinuousClock.now.advanced(by: .seconds(1))
    for (owner, members) in zip(owners, all).dropFirst() {
      owner.notePrefetched(at: generation) { $0.members[slot] = .init(objects: members, end: end) }
    }
    return all
  }

  /// The stored members of each owner; one statement for each store, or one question to the parent.
  private func storedMembers(
    ofAll owners: [NSManagedObject],
    in layout: EntityLayout,
    at slot: Int
  ) throws -> [[NSManagedObject]] {
    if owners.isEmpty { return [] }
    if let parent {
      noteReadingOfRows()
      let names = owners.map { ObjectName($0) }
      return try parent.queue
        .sync { try parent.passedMembers(ofAll: names, in: layout, at: slot) }
        .map { objects(for: $0) }
    }
    var members: [ObjectKey: [NSManagedObject]] = [:]
    for (number, owners) in Dictionary(grouping: owners, by: \.key.store) {
      guard let store = persistentStoreCoordinator?.store(numbered: number) else { continue }
      let rows = try readMembers(
        of: owners.map(\.key.number).sorted(),
        in: layout,
        at: slot,
        of: store
      )
      let byOwner = self.members(of: rows, mayRepeat: layout.isPaired(slot), in: store)
      if layout.slots[slot].isOrdered {
        for (owner, rows) in Dictionary(grouping: rows, by: \.owner) {
          let members = byOwner[owner] ?? []
          takePlaces(of: members, from: rows.map(\.row), in: layout, at: slot)
        }
      }
      for owner in owners {
        members[owner.key] = byOwner[owner.key.number]
      }
    }
    return owners.map { members[$0.key] ?? [] }
  }

  /// The objects for rows by their owner; if both ends have many, a row may come several times.
  private func members(
    of rows: [MemberRow],
    mayRepeat: Bool,
    in store: NSPersistentStore
  ) -> [Int64: [NSManagedObject]] {
    guard mayRepeat else {
      return Self.byOwner(rows, objects(for: rows.map { $0.row }, in: store))
    }
    var places: [Int64: Int] = [:]
    var different: [Row] = []
    for member in rows where places[member.row.primaryKey] == nil {
      places[member.row.primaryKey] = different.count
      different.append(member.row)
    }
    let all = objects(for: different, in: store)
    return Self.byOwner(
      rows,
      rows.compactMap { member in places[member.row.primaryKey].map { all[$0] } }
    )
  }

  /// The objects of the rows, which are in the same order; those of one owner mostly follow each other.
  private static func byOwner(
    _ rows: [MemberRow],
    _ objects: [NSManagedObject]
  ) -> [Int64: [NSManagedObject]] {
    var byOwner: [Int64: [NSManagedObject]] = [:]
    var start = 0
    for end in 1..<max(rows.count + 1, 1) {
      if end < rows.count, rows[end].owner == rows[start].owner { continue }
      byOwner[rows[start].owner, default: []] += objects[start..<end]
      start = end
    }
    return byOwner
  }
}

// MARK: - Reading on, where a program goes through a result

extension NSManagedObjectContext {
  /// Notes the objects of a fetch, which the program may go through.
  ///
  /// The keys are those of the rows where they can be: a look at each object is a miss of the cache.
  func noteResult(_ objects: [NSManagedObject], of rows: [PassedRows]) {
    guard objects.count > RelationshipWalks.stepsToNotice else { return }
    if rows.count == 1, rows[0].keys.count == objects.count,
      rows[0].keys.first == objects.first?.key, rows[0].keys.last == objects.last?.key
    {
      walks.note(rows[0].keys)
    } else {
      walks.note(objects.lazy.map { $0.key })
    }
  }

  /// The members of a to-many relationship as they are stored, read with those of the next objects of a result if the
  /// program goes through it; one statement.
  func storedMembersOnTheWay(of object: NSManagedObject, at slot: Int) -> [NSManagedObject] {
    let most = mostMembersTogether(of: object.key)
    if most == 0 { return storedMembers(of: object, at: slot) }
    let generation = rowGeneration ?? 0
    let owners = onTheWay(from: object.key, at: slot) { owner in
      owner.key.store == object.key.store && owner.layout === object.layout
        && !owner.hasReadAhead(slot, generation) ? owner : nil
    }
    // If they cannot be read together, the reading of this one by itself has the error.
    guard !owners.isEmpty, let members = try? readAhead([object] + owners, at: slot) else {
      return storedMembers(of: object, at: slot)
    }
    meterFault(object.key, of: object.layout, at: slot)
    let count = members.reduce(0) { $0 + $1.count }
    walks.noteMembers(count, of: members.count, after: object.key, at: slot, most: most)
    return members[0]
  }

  /// The row of the object of a to-one relationship that was just followed, read with those of the next objects of a
  /// result if the program goes through it; one statement.
  ///
  /// The others are left in the cache.
  ///
  /// - Returns: `nil` if the program does not go through a result, or the row is missing.
  func rowOnTheWay(of object: NSManagedObject, in store: NSPersistentStore) -> Row? {
    let key = object.key
    guard let followed = walks.followed, followed.target == key, mostMembersTogether(of: key) > 0,
      let root = model[number: key.root], let cache = try? view(of: store)?.cache
    else { return nil }
    var seen: Set = [key]
    let targets: [Int64] = onTheWay(from: followed.owner, at: followed.slot) { owner in
      guard owner.layout.number == followed.entity, let row = owner.snapshot,
        row.partialSlots == nil,
        let (target, _) = owner.storedKey(at: followed.slot, in: row), target.store == key.store,
        target.root == key.root, seen.insert(target).inserted, cache[target] == nil
      else { return nil }
      return target.number
    }
    if targets.isEmpty { return nil }
    // If they cannot be read together, this one is read by itself.
    let rows = try? readRows([key.number] + targets, of: root, in: store)
    return rows?.first { $0.primaryKey == key.number }
  }

  private func mostMembersTogether(of key: ObjectKey) -> Int {
    persistentStoreCoordinator?.store(numbered: key.store)?.backend.mostMembersTogether ?? 0
  }

  /// The values of the next objects whose relationship is as it is stored, until there are enough; none if rows expire,
  /// as they would be read again.
  private func onTheWay<Value>(
    from key: ObjectKey,
    at slot: Int,
    _ value: (NSManagedObject) -> Value?
  ) -> [Value] {
    if freshness.expires || key.isTemporary { return [] }
    guard let portion = walks.step(key, at: slot) else { return [] }
    var values: [Value] = []
    var next = portion.keys.startIndex
    while next < portion.keys.endIndex, values.count < portion.count {
      let keys = portion.keys[next...].prefix(portion.count - values.count)
      for case let owner? in identityMap.objects(for: Array(keys))
      where (owner.life == .fault || owner.life == .clean) && !owner.isEmptied
        && owner.existingOverlay?.has(slot) != true
      {
        if let value = value(owner) { values.append(value) }
      }
      next = keys.endIndex
    }
    walks.went(to: next, after: key, at: slot)
    return values
  }
}

extension NSManagedObject {
  /// The object of a to-one relationship, with its own row unread.
  fileprivate func knownTarget(at slot: Int) -> NSManagedObject? {
    if let overlay = existingOverlay, overlay.has(slot) {
      guard case .object(let object) = overlay[slot] else { return nil }
      return object as? NSManagedObject
    }
    return self.snapshot.flatMap { storedTarget(at: slot, in: $0) }
  }

  fileprivate func touchedCollection(at slot: Int) -> ToMany? {
    guard let overlay = existingOverlay, overlay.has(slot),
      case .collection(let collection) = overlay[slot]
    else { return nil }
    return collection
  }

  /// Keeps members for the first access, or gives them to a collection that was touched but not read.
  fileprivate func takePrefetched(_ members: [NSManagedObject], at slot: Int, _ generation: Int) {
    if let collection = touchedCollection(at: slot) {
      load(collection, with: members, at: slot)
    } else {
      notePrefetched(at: generation) { $0.members[slot] = .init(objects: members) }
    }
  }

  /// Whether no statement is needed for its values.
  func hasCurrentValues(in context: NSManagedObjectContext) -> Bool {
    guard isFault else { return true }
    guard let snapshot = self.snapshot, snapshot.partialSlots == nil else { return false }
    return context.waitingRowsAreCurrent
  }
}

extension [NSManagedObject] {
  fileprivate var withoutDoubles: [NSManagedObject] {
    var seen: Set<ObjectIdentifier> = []
    return filter { seen.insert(ObjectIdentifier($0)).inserted }
  }
}
