import Foundation
import Synchronization

// MARK: - Answering children

/// A parent's side of reading: on its own queue, while the child waits.
///
/// A child sees the objects as they are in its parent. An object that is as stored passes its
/// snapshot on, without a copy; the present values of a changed one are packed.
extension NSManagedObjectContext {
  /// The objects that a request finds here, unsaved changes considered.
  func passedRows(for request: NSFetchRequest<NSManagedObject>) throws -> PassedRows {
    try passed(readingToTheEnd { try fetch(request) })
  }

  /// The members of a to-many relationship, in order if it has one.
  func passedMembers(
    of key: ObjectKey,
    in layout: EntityLayout,
    at slot: Int
  ) throws -> PassedRows {
    let owner = object(for: key, of: layout)
    guard try owner.fulfilFault(), !owner.willBeDeleted else { return PassedRows() }
    return try passed(owner.loadedCollection(at: slot).members)
  }

  /// The members of many objects' to-many relationship, for each of them.
  func passedMembers(
    ofAll owners: [ObjectName],
    in layout: EntityLayout,
    at slot: Int
  ) throws -> [PassedRows] {
    followRenamings()
    let objects = owners.map { object(for: $0.key, of: $0.layout) }
    try prefetch(PrefetchPaths([layout.slots[slot].name], of: layout), of: objects)
    return try objects.map { owner in
      guard try owner.fulfilFault(), !owner.willBeDeleted else { return PassedRows() }
      return try passed(owner.loadedCollection(at: slot).members)
    }
  }

  /// The objects with these names, those left out that do not exist.
  func passedRows(named names: [ObjectName]) throws -> PassedRows {
    followRenamings()
    let objects = names.map { object(for: $0.key, of: $0.layout) }
    if objects.count > 1 {
      try readWaitingRows(of: objects.filter { !$0.hasCurrentValues(in: self) })
    }
    var writer = SnapshotWriter()
    var passed = PassedRows(moment: children.timesTold.load(ordering: .relaxed))
    for object in objects {
      let row = try row(of: object, mustHaveValues: true, into: &writer)
      passed.append(row, named: object.key)
    }
    return passed
  }

  func passed(_ objects: [NSManagedObject]) throws -> PassedRows {
    var writer = SnapshotWriter()
    var passed = PassedRows(moment: children.timesTold.load(ordering: .relaxed))
    passed.keys.reserveCapacity(objects.count)
    passed.rows.reserveCapacity(objects.count)
    for object in objects {
      let row = try row(of: object, into: &writer)
      passed.append(row, named: object.key)
    }
    return passed
  }

  /// An object's present values; nil for one that is gone.
  func row(
    of object: NSManagedObject,
    mustHaveValues: Bool = false,
    into writer: inout SnapshotWriter
  ) throws -> Row? {
    let (number, layout) = (object.key.number, object.layout)
    switch object.life {
    case .fault:
      guard mustHaveValues || object.snapshot != nil else {
        return Row(primaryKey: number, layout: layout, snapshot: nil)
      }
      return try snapshot(for: object).map { Row(primaryKey: number, layout: layout, snapshot: $0) }
    case .clean:
      return Row(primaryKey: number, layout: layout, snapshot: object.snapshot)
    case .inserted, .updated:
      let snapshot = try passedValues(of: object, into: &writer)
      return Row(primaryKey: number, layout: layout, snapshot: snapshot)
    case .deleted, .detached:
      return nil
    }
  }

  /// An object's present values, packed as contexts pass them to each other.
  func passedValues(
    of object: NSManagedObject,
    into writer: inout SnapshotWriter
  ) throws -> Snapshot {
    let version = object.snapshot?.version ?? 1
    writer.begin(slotCount: object.layout.slots.count, version: version)
    try writer.setValues(of: object) { target, _ in passedNumber(of: target, from: object) }
    return writer.finish()
  }
}

// MARK: - Asking the parent

/// A child's side of reading: it waits for its parent's queue.
extension NSManagedObjectContext {
  func passedSnapshot(
    for object: NSManagedObject,
    from parent: NSManagedObjectContext
  ) throws
    -> Snapshot?
  {
    let name = ObjectName(object)
    if let row = carriedRow(named: name.key), row.layout.isKind(of: object.layout) {
      return row.snapshot
    }
    let passed = try parent.queue.sync { try parent.passedRows(named: [name]) }
    noteRows(passed)
    guard let row = passed.rows.first, row.layout.isKind(of: object.layout) else { return nil }
    return row.snapshot
  }

  func passedMembers(
    of object: NSManagedObject,
    at slot: Int,
    from parent: NSManagedObjectContext
  ) throws -> [NSManagedObject] {
    noteReadingOfRows()
    let name = ObjectName(object)
    if let carried = merges.rows.members(of: name.key, at: slot, rowGeneration) {
      return objects(for: carried.rows, named: carried.keys.map(currentName))
    }
    return objects(
      for: try parent.queue.sync {
        try parent.passedMembers(of: name.key, in: name.layout, at: slot)
      }
    )
  }
}

extension NSFetchRequest {
  /// The request as the parent gets it: it asks for objects, and without a range where the child
  /// takes it.
  func forParent(isWidened: Bool) -> NSFetchRequest<NSManagedObject> {
    let asked = retyped(NSManagedObject.self)
    asked.returnsObjectsAsFaults = true
    asked.includesPropertyValues =
      shouldRefreshRefetchedObjects
      || includesPropertyValues && fetchBatchSize == 0 && resultType != .managedObjectIDResultType
    // The child does the rest with the objects by itself.
    asked.fetchBatchSize = 0
    asked.propertiesToFetch = nil
    asked.relationshipKeyPathsForPrefetching = nil
    asked.resultType = .managedObjectResultType
    if isWidened {
      asked.fetchLimit = 0
      asked.fetchOffset = 0
      if sortDescriptors?.isEmpty == false, fetchBatchSize == 0 {
        asked.includesPropertyValues = true
      }
    }
    return asked
  }
}
