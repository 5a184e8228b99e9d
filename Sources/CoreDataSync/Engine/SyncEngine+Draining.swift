import CoreData
import CoreDataSyncCore

// MARK: - Drain

extension SyncEngine {
  /// Makes cells of what was changed in the store since the last time.
  func drain() throws {
    try world.pass(.beforeDrain)
    for _ in 0..<Self.patience {
      let needsScan = try sidecar.number("needsScan") == 1
      // What the history says, it says better: when something was written, and what was deleted.
      if try drainHistory(), try !needsScan || scan() {
        try world.pass(.afterDrain)
        return
      }
    }
    throw SyncFailure.endlessChanges
  }

  /// - Returns: Whether nothing was written meanwhile.
  func drainHistory() throws -> Bool {
    let known = try sidecar.token
    guard let transactions = try transactionsIfKept(after: known, withChanges: true) else {
      if try sidecar.number("needsScan") == 1 { return true }
      try sidecar.setNumber(1, "needsScan")
      return false
    }
    let changes = LocalChanges(transactions)
    guard let token = changes.token else { return true }
    let context = door.context()
    let drained = try context.performAndWait { () -> DrainedCells? in
      let objects = try self.objects(of: changes, in: context)
      try world.pass(.whileDraining)
      let cells = try DrainedCells(of: changes, objects, sidecar, model, world, writer: writer)
      // Values that were read may be later than the history that was.
      return try door.transactions(after: token).isEmpty ? cells : nil
    }
    guard let drained else { return false }
    try world.pass(.beforeDrainIsKept)
    try keep(drained, changes)
    return true
  }

  private func objects(
    of changes: LocalChanges,
    in context: NSManagedObjectContext
  ) throws -> [String: NSManagedObject] {
    let ids = changes.touches.values.filter { $0.deleted == nil }.map(\.id)
    var objects: [String: NSManagedObject] = [:]
    for (entity, ids) in Dictionary(grouping: ids, by: { $0.entity.name ?? "" }) {
      let request = NSFetchRequest<NSManagedObject>(entityName: entity)
      request.predicate = NSPredicate(format: "self IN %@", ids)
      request.includesSubentities = false
      request.returnsObjectsAsFaults = false
      for object in try context.fetch(request) { objects[object.objectID.address] = object }
    }
    return objects
  }

  private func keep(_ drained: DrainedCells, _ changes: LocalChanges) throws {
    let touched = drained.overlay.touched
    let affected = try AffectedObjects(
      of: touched,
      old: Projector(sidecar, model.schema),
      new: Projector(drained.overlay, model.schema)
    )
    try sidecar.transact {
      try sidecar.put(drained.overlay.changes) { _ in true }
      try sidecar.setClaims(of: touched, drained.overlay, model.schema)
      for (id, address) in drained.removedAddresses {
        try sidecar.setAddress(nil, of: id, since: changes.number(ofLifeAt: address))
      }
      for (address, id) in drained.addresses {
        try sidecar.setAddress(address, of: id, since: changes.number(ofLifeAt: address))
      }
      try sidecar.markDirty(affected.found.union(drained.addresses.values))
      // What the program has changed is worth another try.
      try sidecar.release(touched)
      try sidecar.releaseOwn(drained.overlay.changes.keys)
      for large in drained.tooLarge {
        let property = large.attribute.property
        try sidecar.hold(large.id, property, large.sentence, isOwn: true, at: world.time())
      }
      try sidecar.set(drained.clock)
      try notePosition(changes)
    }
  }

  private func notePosition(_ changes: LocalChanges) throws {
    if let token = changes.token { try sidecar.set(token) }
    for (number, time) in changes.numbers { try sidecar.noteDrained(number, time) }
    guard let last = changes.last else { return }
    try sidecar.forgetDrained(before: last - 10_000)
  }
}

// MARK: - Scan

extension SyncEngine {
  /// Compares all objects with what is known of them.
  ///
  /// - Returns: Whether nothing was written meanwhile.
  private func scan() throws -> Bool {
    let position = try ScanPosition(door, drained: sidecar.token)
    guard try isQuiet(since: position) else { return false }
    let context = door.context()
    let isWhole = try sidecar.number("isScanned") == 1
    let found = try context.performAndWait { () -> (DrainedCells, LocalChanges)? in
      let scan = try StoreScan(context, door, sidecar, model, isWhole: isWhole)
      try world.pass(.whileDraining)
      let time = Date(timeIntervalSince1970: Double(world.time()) / 1000)
      var changes = LocalChanges(found: scan.touches, at: time, isFirst: !isWhole)
      changes.setPosition(position.afterwards, [])
      let cells = try DrainedCells(of: changes, scan.objects, sidecar, model, world, writer: writer)
      return try isQuiet(since: position) ? (cells, changes) : nil
    }
    guard let found else { return false }
    try world.pass(.beforeDrainIsKept)
    try keep(found.0, found.1)
    try sidecar.transact {
      try sidecar.setNumber(nil, "needsScan")
      try sidecar.setNumber(1, "isScanned")
    }
    return true
  }

  /// What the history has beyond a scan's position is drained before the store is looked at: of a first
  /// scan nobody would see what was changed in objects that are known.
  private func isQuiet(since position: ScanPosition) throws -> Bool {
    switch position {
    case .drained(let token, _): try transactionsIfKept(after: token)?.isEmpty != false
    case .current(let token): try door.transactions(after: token).isEmpty
    }
  }
}

/// From where the history is read once all objects were looked at.
private enum ScanPosition {
  /// As far as it was drained; the second token is that of a history that is still empty.
  case drained(NSPersistentHistoryToken?, empty: NSPersistentHistoryToken)
  /// The history does not reach back to what was drained, so the scan stands for what is missing.
  case current(NSPersistentHistoryToken)

  init(_ door: StoreDoor, drained: NSPersistentHistoryToken?) throws {
    guard let current = door.coordinator.currentPersistentHistoryToken(fromStores: [door.store])
    else { throw SyncFailure.noHistory(door.store.url?.path ?? "The store") }
    do {
      _ = try door.transactions(after: drained)
      self = .drained(drained, empty: current)
    } catch let error as CocoaError
      where error.code.rawValue == NSPersistentHistoryTokenExpiredError
    {
      self = .current(current)
    }
  }

  var afterwards: NSPersistentHistoryToken {
    switch self {
    case .drained(let token, let empty): token ?? empty
    case .current(let token): token
    }
  }
}
