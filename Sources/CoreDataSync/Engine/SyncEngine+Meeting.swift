import CoreData
import CoreDataSyncCore

// MARK: - The first meeting

extension SyncEngine {
  /// Learns the server's cells before objects get identities, since others may know the objects by different ones.
  ///
  /// If a history has an object's insertion, its identity follows from that. If a store's history was purged, or began
  /// late, objects can be known by their content only: a store that was restored from before its first exchange would
  /// have all of them twice.
  func getAcquainted(_ send: (SyncRequest) throws -> SyncResponse) throws {
    guard try sidecar.number("needsScan") == 1, try sidecar.cursor == .start else { return }
    try untilDone { try drainHistory() || drainAtOneMoment(scans: false) }
    guard try hasUnknownObjects() else { return }
    try compareKnown()
    try beginAnew(.snapshot)
    if try pull(send) { try pull(send) }
    try world.pass(.beforeMeeting)
    guard try sidecar.isInboxComplete, try sidecar.mode != .changes else { return }
    try learn()
  }

  /// Keeps what the server has, of which the store shows nothing yet; with as many objects in memory as a portion has.
  private func learn() throws {
    var isLast = false
    var isInPortions = false
    while !isLast {
      let portion = try nextPortionOfInbox()
      isLast = portion.objects == nil
      if !isLast { isInPortions = true }
      // Objects that other portions have made dirty are looked at when they are applied, in portions again.
      let merged = try MergedInbox(
        sidecar,
        model,
        world,
        writer: writer,
        portion,
        // Nothing is shown before all is known.
        lacked: LackedLives(),
        repairsDirty: !isInPortions
      )
      let affected = try self.affected(by: merged, includesDirty: !isInPortions)
      try sidecar.transact {
        try noteShownValues(of: affected, changedBy: merged)
        try keepCells(of: merged, since: Sidecar.never)
        if !affected.isEmpty { try sidecar.setNumber(1, "hasLearned") }
        try keepConflicts(of: merged)
        try sidecar.markDirty(affected)
        try sidecar.markDirty(merged.needed)
        try sidecar.set(merged.clock)
      }
      try world.pass(.whileLearning)
    }
  }

  /// Notes what the store shows of attributes that others have changed: where its history is purged, what the program
  /// writes until then is told from that.
  private func noteShownValues(of affected: Set<SyncID>, changedBy merged: MergedInbox) throws {
    let held = try sidecar.heldBack().objects
    let before = Projector(
      CellOverlay(on: sidecar, model.schema),
      model.schema,
      showsUnfinished: true,
      isHeldBack: held.contains
    )
    let now = try projector(of: merged)
    for id in affected where try sidecar.address(of: id) != nil {
      guard let old = try before.object(id), let new = try now.object(id),
        let rules = model.schema[old.entity]
      else { continue }
      for (property, value) in rules.attributes.merging(old.attributes, uniquingKeysWith: { $1 })
      where value != (new.attributes[property] ?? rules.attributes[property]) {
        try sidecar.noteShownValue(value.payload, CellKey(id, .value(property)))
      }
    }
  }

  private func nextPortionOfInbox() throws -> InboxPortion {
    let portion = try nextPortion()
    if case .dirty = portion { return .everything }
    return portion
  }

  /// Whether the store has an object without an identity.
  private func hasUnknownObjects() throws -> Bool {
    let context = door.context()
    return try context.performAndWait {
      for entity in model.entities.values {
        let request = NSFetchRequest<NSManagedObjectID>(entityName: entity.description.name ?? "")
        request.resultType = .managedObjectIDResultType
        request.includesSubentities = false
        request.affectedStores = [door.store]
        for id in try context.fetch(request) where try sidecar.identity(at: id.address) == nil {
          return true
        }
      }
      return false
    }
  }
}
