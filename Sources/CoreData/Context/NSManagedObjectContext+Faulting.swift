import CoreDataPredicates
import Foundation

// MARK: - Getting values from the store

extension NSManagedObjectContext {
  /// The row of an object: the one that waits with it, or a newer one in the cache, or the store's.
  func snapshot(for object: NSManagedObject) throws -> Snapshot? {
    let waiting = object.record.pointee.snapshot
    if object.isFault, let waiting, waitingRowsAreCurrent { return waiting }
    if let parent { return try passedSnapshot(for: object, from: parent) }
    let key = object.record.pointee.key
    guard let store = persistentStoreCoordinator?.store(numbered: key.store) else { return nil }
    if let cached = store.rowCache[key] {
      guard let snapshot = cached.snapshot, cached.layout.isKind(of: object.layout) else {
        return nil
      }
      if snapshot.version >= waiting?.version ?? 0 { return snapshot }
    }
    if let waiting { return waiting }
    guard let row = try store.rows.row(for: key.number, of: object.layout, askedBy: self) else { return nil }
    if let snapshot = row.snapshot { store.rowCache.set(snapshot, of: row.layout, for: key) }
    // A URI can name another entity than the row has; then there is no such object.
    return row.layout.isKind(of: object.layout) ? row.snapshot : nil
  }

  /// Whether no save has changed rows since the rows were read that wait in this context's faults.
  private var waitingRowsAreCurrent: Bool {
    guard let oldestWaitingGeneration else { return false }
    return rowGeneration == oldestWaitingGeneration
  }

  /// Notes, before rows are read, how new they can be at least.
  func noteReadingOfRows() {
    if oldestWaitingGeneration == nil {
      oldestWaitingGeneration = rowGeneration
    }
  }

  /// The members of a to-many relationship as they are stored.
  ///
  /// One statement, which brings their rows.
  func storedMembers(of object: NSManagedObject, at slot: Int) -> [NSManagedObject] {
    do {
      if let parent { return try passedMembers(of: object, at: slot, from: parent) }
      let key = object.record.pointee.key
      guard !key.isTemporary, let store = persistentStoreCoordinator?.store(numbered: key.store)
      else { return [] }
      noteReadingOfRows()
      let rows = try store.rows.members(
        of: key.number,
        in: object.layout,
        at: slot,
        askedBy: self
      )
      return objects(for: rows, in: store)
    } catch {
      stop("\(object.layout.slots[slot].name) of \(object.objectID): \(error)")
    }
  }

  /// The objects for rows: those that are known, and new faults with their rows waiting.
  func objects(for rows: [Row], in store: NSPersistentStore) -> [NSManagedObject] {
    let keys = rows.map { row in
      ObjectKey(store: store.number, root: row.layout.rootNumber, number: row.number)
    }
    return objects(for: rows, named: keys)
  }

  func objects(for rows: [Row], named keys: [ObjectKey]) -> [NSManagedObject] {
    let known = identityMap.objects(for: keys)
    var new: [NSManagedObject] = []
    let objects = rows.indices.map { index in
      let row = rows[index]
      if let object = known[index] {
        if object.isFault, let snapshot = row.snapshot, row.layout.isKind(of: object.layout) {
          object.record.pointee.snapshot = snapshot
        }
        return object
      }
      let object = row.layout.objectClass.init(entity: row.layout.description, insertInto: nil)
      object.record.pointee.key = keys[index]
      object.record.pointee.life = .fault
      object.record.pointee.snapshot = row.snapshot
      object.record.pointee.identityMap = identityMap
      new.append(object)
      return object
    }
    identityMap.register(new)
    if retainsRegisteredObjects { retained.formUnion(new) }
    return objects
  }

  /// Replaces an object's values by the store's; with `mergeChanges` its own changes stay on top.
  ///
  /// Without, the object becomes a fault, its changes are lost, and it lets go of related objects.
  public func refresh(_ object: NSManagedObject, mergeChanges: Bool) {
    guard object.managedObjectContext === self else { return }
    followRenamings()
    switch object.record.pointee.life {
    case .detached, .inserted, .fault, .deleted:
      return
    case .clean, .updated:
      break
    }
    if mergeChanges {
      object.takeStoredValues()
    } else {
      object.takeBackRelationships()
      tracker.leave(object)
      object.turnIntoFault()
    }
    tracker.event.refreshed.append(object)
    scheduleEventEnd()
  }

  /// Refreshes every object the context knows, keeping its changes.
  public func refreshAllObjects() {
    for object in identityMap.objects { refresh(object, mergeChanges: true) }
  }
}

extension NSManagedObject {
  /// Gets the values of a fault; an error of the store stops the program, as a property cannot throw.
  func fireFault() {
    do {
      try fulfilFault()
    } catch {
      stop("the values of \(objectID) cannot be read: \(error)")
    }
  }

  /// Gets the values of a fault; does nothing for an object that has them.
  func fulfilFault() throws {
    guard isFault else { return }
    guard let context = managedObjectContext else {
      stop("the values of \(objectID) cannot be read: its context is gone, or was reset")
    }
    if let snapshot = try context.snapshot(for: self) {
      fulfil(with: snapshot)
    } else {
      becomeInaccessible()
    }
  }

  /// Whether it was found that the object has no row.
  var isInaccessible: Bool {
    record.pointee.life == .deleted && record.pointee.trackerIndex < 0
  }

  func fulfil(with snapshot: Snapshot) {
    record.pointee.snapshot = snapshot
    record.pointee.life = .clean
    record.pointee.watch.insert(.awakening)
    awakeFromFetch()
    record.pointee.watch.remove(.awakening)
  }

  /// The row is gone: the object counts as deleted, and its properties are nil.
  private func becomeInaccessible() {
    var writer = SnapshotWriter()
    writer.begin(slotCount: layout.slots.count, version: 0)
    record.pointee.snapshot = writer.finish()
    record.pointee.life = .deleted
  }

  /// Lets go of values and related objects; the row waits if it is known.
  func turnIntoFault() {
    willTurnIntoFault()
    record.pointee.overlay?.deallocate()
    record.pointee.overlay = nil
    record.pointee.snapshot = nil
    record.pointee.isNotedInEvent = false
    record.pointee.life = .fault
    didTurnIntoFault()
  }

  /// Takes newer stored values, under the changes made here.
  fileprivate func takeStoredValues() {
    guard let context = managedObjectContext else { return }
    do {
      if let newer = try context.snapshot(for: self) {
        record.pointee.snapshot = newer
      } else if record.pointee.life == .clean {
        turnIntoFault()
        return
      }
    } catch {
      // A store that cannot be read now leaves the values as they are.
    }
    if let overlay = record.pointee.overlay {
      let changed = overlay.changed
      for slot in overlay.present where layout.slots[slot].isPersistent {
        if !changed.contains(slot) {
          overlay.forget(slot)
        } else if case .collection(let collection) = overlay[slot] {
          collection.forgetStored()
          if collection.isOrdered, !collection.isFault {
            collection.rebase(onto: context.storedMembers(of: self, at: slot))
          }
        }
      }
    }
    awake(fromSnapshotEvents: .refresh)
  }

  /// Makes the other ends of this object's relationships as if it had not changed them.
  ///
  /// The objects of a one-to-many relationship keep what they were given: it is they who store it.
  fileprivate func takeBackRelationships() {
    guard let overlay = record.pointee.overlay, let snapshot = record.pointee.snapshot else {
      return
    }
    for slot in overlay.changed {
      guard let end = layout.slots[slot].end, let inverse = end.inverse else { continue }
      guard case .collection(let collection) = overlay[slot] else {
        let stored = storedTarget(at: slot, in: snapshot)
        setTarget(stored?.isDeleted == true ? nil : stored, at: slot)
        continue
      }
      if layout.model[number: end.destination]?.slots[inverse].kind == .toOne { continue }
      for member in collection.added { removeMember(member, at: slot) }
      for member in collection.removed where !member.isDeleted { addMember(member, at: slot) }
    }
  }

  /// Whether this object, stored as a member of `other`, has left it by an unsaved change; `slot` is
  /// its way back.
  ///
  /// `other` may not have heard of it, when it was another context that made the two related.
  func hasLeft(_ other: NSManagedObject, at slot: Int?) -> Bool {
    guard hasChanges, let slot, layout.slots[slot].kind == .toOne,
      isDeleted || record.pointee.overlay?.changed.contains(slot) == true
    else { return false }
    return target(at: slot) !== other
  }

  /// A fetched property: the request of the model, with this object as `$FETCH_SOURCE`.
  func fetchedObjects(at slot: Int) -> [Any] {
    guard let context = managedObjectContext, !record.pointee.watch.contains(.recording),
      let property = entity.propertiesByName[layout.slots[slot].name]
        as? NSFetchedPropertyDescription,
      let request = property.fetchRequest?.copy() as? NSFetchRequest<any NSFetchRequestResult>
    else { return [] }
    request.predicate = request.predicate?.withSubstitutionVariables([
      "FETCH_SOURCE": self, "FETCHED_PROPERTY": property,
    ])
    do {
      return try context.fetch(request.retyped(NSManagedObject.self))
    } catch {
      stop("\(layout.name).\(property.name) cannot be fetched: \(error)")
    }
  }
}
