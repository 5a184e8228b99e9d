import CoreDataPredicates
import Foundation
import Synchronization

// MARK: - Getting values from the store

extension NSManagedObjectContext {
  /// The row of an object: the one that waits with it, or a newer one in the cache, or the store's.
  func snapshot(for object: NSManagedObject) throws -> Snapshot? {
    if freshness.expires, parent == nil { return try youngSnapshot(for: object) }
    let waiting = object.snapshot.flatMap { $0.partialSlots == nil ? $0 : nil }
    if object.isFault, let waiting, waitingRowsAreCurrent || waitsCurrently(for: object) {
      return waiting
    }
    if let batch = object.batch {
      try readValues(of: batch)
      if let snapshot = object.snapshot { return snapshot }
    }
    if let parent { return try passedSnapshot(for: object, from: parent) }
    let key = object.key
    guard let store = persistentStoreCoordinator?.store(numbered: key.store),
      let view = try view(of: store)
    else { return nil }
    if let cached = view.cache[key] {
      meterCache(isHit: true, of: object.layout)
      guard let snapshot = cached.snapshot, cached.layout.isKind(of: object.layout) else {
        return nil
      }
      if snapshot.version >= waiting?.version ?? 0 { return snapshot }
    }
    if let waiting, !batchMayHaveChangedRows { return waiting }
    return try readRow(of: object, in: store)
  }

  /// Whether a batch request may have changed rows since the oldest was read that waits here.
  private var batchMayHaveChangedRows: Bool {
    guard let last = kinship.coordinator?.batchGeneration.load(ordering: .acquiring) else {
      return false
    }
    return last > freshness.oldestWaiting ?? 0
  }

  /// Whether no save has changed rows since the rows were read that wait in this context's faults.
  var waitingRowsAreCurrent: Bool {
    freshness.waitingRowsAreCurrent(at: rowGeneration)
  }

  /// Whether the row that waits in a child's fault is what its parent has, as it came with a merge.
  private func waitsCurrently(for object: NSManagedObject) -> Bool {
    parent != nil
      && merges.rows.isCurrent(object.key, at: rowGeneration)
  }

  /// Whether faults take the rows that wait in them without another look.
  var takesWaitingRows: Bool { waitingRowsAreCurrent && !(freshness.expires && parent == nil) }

  /// Lets faults know what they may know without asking here; rows that wait in a child have come from its parent.
  func noteWaitingRows() {
    identityMap.currentRows.note(
      parent == nil && !freshness.expires ? freshness.oldestWaiting : nil
    )
  }

  /// The members of a to-many relationship as they are stored.
  ///
  /// One statement, which brings their rows.
  func storedMembers(of object: NSManagedObject, at slot: Int) -> [NSManagedObject] {
    do {
      return try readMembers(of: object, at: slot)
    } catch {
      unreadable.note(object, error)
      return []
    }
  }

  /// The same where an error has somewhere to go.
  func readMembers(of object: NSManagedObject, at slot: Int) throws -> [NSManagedObject] {
    if let parent { return try passedMembers(of: object, at: slot, from: parent) }
    let key = object.key
    guard !key.isTemporary, !object.isEmptied,
      let store = persistentStoreCoordinator?.store(numbered: key.store)
    else { return [] }
    meterFault(key, of: object.layout, at: slot)
    let cache = try freshness.expires ? view(of: store)?.cache : nil
    let start = cache?.now
    let rows = try readMembers(of: key.number, in: object.layout, at: slot, of: store)
    cache?.set(rows, of: store.number, since: start)
    let members = objects(for: rows, in: store)
    takePlaces(of: members, from: rows, in: object.layout, at: slot)
    return members
  }

  /// Gives members that have values already the places of the order that was just read.
  ///
  /// A row gets another place without a new version, so that nothing else shows that the place in memory is old; the
  /// next change of the order counts from it.
  func takePlaces(
    of members: [NSManagedObject],
    from rows: [Row],
    in layout: EntityLayout,
    at slot: Int
  ) {
    guard layout.slots[slot].isOrdered, let inverse = layout.slots[slot].end?.inverse else {
      return
    }
    for (member, row) in zip(members, rows) where !member.isFault {
      guard let place = member.layout.slots[inverse].end?.orderSlot, let read = row.snapshot,
        let known = member.snapshot, known.version <= read.version,
        known.optionalInteger(place) != read.optionalInteger(place)
      else { continue }
      let places = SlotSet([place])
      member.snapshot = known.replacing(places, from: read, in: member.layout)
    }
  }

  /// The objects for rows: those that are known, and new faults with their rows waiting.
  func objects(for rows: [Row], in store: NSPersistentStore) -> [NSManagedObject] {
    let keys = rows.map { row in
      ObjectKey(store: store.number, root: row.layout.rootNumber, number: row.primaryKey)
    }
    return objects(for: rows, named: keys)
  }

  /// The objects for rows of the parent, by the names that they have now.
  func objects(for passed: PassedRows) -> [NSManagedObject] {
    followRenamings()
    noteRows(passed)
    // Stores name what is stored, and that name is for good.
    let isStored = !passed.keys.contains(where: \.isTemporary)
    return objects(
      for: passed.rows,
      named: isStored ? passed.keys : passed.keys.map(currentName)
    )
  }

  func objects(for rows: [Row], named keys: [ObjectKey]) -> [NSManagedObject] {
    let known = identityMap.objects(for: keys)
    var maker = FaultMaker(for: self)
    if known.isEmpty {
      let new = rows.indices.map { maker.fault(for: keys[$0], waitingWith: rows[$0]) }
      identityMap.register(new)
      retained?.formUnion(new)
      return new
    }
    var new: [NSManagedObject] = []
    let objects = rows.indices.map { index in
      let row = rows[index]
      if let object = known[index] {
        object.haveWait(row)
        return object
      }
      let object = maker.fault(for: keys[index], waitingWith: row)
      new.append(object)
      return object
    }
    identityMap.register(new)
    retained?.formUnion(new)
    return objects
  }

  func renew(_ object: NSManagedObject, mergeChanges: Bool) {
    checkQueue()
    guard object.managedObjectContext === self else { return }
    followRenamings()
    object.existingExtras?.prefetched = nil
    switch object.life {
    case .detached, .fault:
      return
    case .deleted:
      // One that counts as deleted because its row was not found can be asked for again.
      guard object.isEmptied, !mergeChanges else { return }
      object.turnIntoFault()
      noteRefreshed(object)
      return
    case .inserted:
      if !mergeChanges { giveUp(object) }
      return
    case .clean, .updated:
      break
    }
    if mergeChanges {
      object.takeStoredValues()
      noteRefreshed(object, at: SlotSet())
    } else {
      let slots = object.willReplaceValues(.refault(knownSnapshot(for: object)))
      object.takeBackRelationships()
      // A discarded change was not an update.
      if object.willBeUpdated { tracker.event.updated.remove(object) }
      tracker.leave(object)
      object.rememberTargets(in: object.snapshot)
      object.turnIntoFault()
      object.didReplaceValues(at: slots)
      noteRefreshed(object)
    }
  }

  /// A new object becomes a fault that leads nowhere.
  private func giveUp(_ object: NSManagedObject) {
    let slots = object.willReplaceValues(.refault(nil))
    object.leaveRelationships()
    tracker.leave(object)
    tracker.event.inserted.remove(object)
    pending.assign(object, to: nil)
    object.turnIntoFault()
    object.didReplaceValues(at: slots)
    noteRefreshed(object)
  }

  /// An object has other values than it had, in the slots given or in any; those that were compared are
  /// noted already.
  func noteRefreshed(_ object: NSManagedObject, at slots: SlotSet? = nil) {
    object.noteReplaced(slots ?? SlotSet(0..<object.layout.propertyCount))
    tracker.event.refreshed.append(object)
    scheduleEventEnd()
  }

  func renewAllObjects() {
    checkQueue()
    for object in identityMap.objects { refresh(object, mergeChanges: object.hasChanges) }
  }
}

/// Makes the faults of one fetch; their common facts are looked up once.
private struct FaultMaker {
  private let identityMap: IdentityMap
  private let watch: ObjectRecord.Watch
  /// The entity of the row before, which the model keeps alive: to retain it for each object would be dear, as
  /// it is referred to weakly too.
  private var last: ObjectIdentifier?
  private var entity: Unmanaged<NSEntityDescription>?
  private var objectClass = NSManagedObject.self

  init(for context: NSManagedObjectContext) {
    identityMap = context.identityMap
    watch = context.watch
  }

  mutating func fault(for key: ObjectKey, waitingWith row: Row) -> NSManagedObject {
    let object = emptyObject(of: row.layout)
    object.wait(in: identityMap, as: key, with: row.snapshot, watch)
    return object
  }

  private mutating func emptyObject(of layout: EntityLayout) -> NSManagedObject {
    if last == ObjectIdentifier(layout), let entity {
      return entity._withUnsafeGuaranteedRef { objectClass.init(entity: $0, insertInto: nil) }
    }
    last = ObjectIdentifier(layout)
    entity = Unmanaged.passUnretained(layout.description)
    objectClass = layout.objectClass
    return objectClass.init(entity: layout.description, insertInto: nil)
  }
}
