import CoreDataSyncCore

/// The part of the inbox that is applied in one save.
enum InboxPortion {
  /// All that waits. Only here it is known who is deleted and needed at once, so that it is always the last.
  case everything
  /// The inbox's cells of these objects. All of them, so that nobody sees half of a save in an object.
  case inbox([SyncID])
  /// Objects whose cells were changed here, or that a restored store lacks; the inbox is empty.
  case dirty([SyncID])

  /// The objects by which the portion is known again after a crash; nil for everything.
  var objects: [SyncID]? {
    switch self {
    case .everything: nil
    case .inbox(let ids), .dirty(let ids): ids
    }
  }
}

// MARK: - Which is next

extension SyncEngine {
  /// Everything, if there is enough memory; otherwise some objects, first those that others lead to.
  ///
  /// Deletions of objects come last, together with the objects that may need them.
  func nextPortion() throws -> InboxPortion {
    if appliesAtOnce { return .everything }
    let isComplete = try sidecar.isInboxComplete
    let (portion, room) = (world.objectsPerPortion, 20 * world.objectsPerPortion)
    let isLarge = try isComplete && sidecar.hasInboxCells(room)
    if isComplete, try sidecar.mode == .snapshot {
      let hasMuch = try isLarge || sidecar.unsentCount > room
      guard hasMuch, try !sidecar.hasWhatSnapshotsReplace else { return .everything }
      try sidecar.set(.changes)
    }
    if try sidecar.mode == .rewound { return .everything }
    if isLarge { return try nextObjectsOfInbox().map { .inbox($0) } ?? .everything }
    guard try !isComplete || !sidecar.hasInboxCells(0) else { return .everything }
    let dirty = try sidecar.dirty(limit: 4 * portion + 1)
    guard dirty.count > 4 * portion else { return .everything }
    return .dirty(try nextObjectsThatStoreLacks() ?? Array(dirty.prefix(portion)))
  }

  private func nextObjectsThatStoreLacks() throws -> [SyncID]? {
    let lacked = try lackedLives()
    for entity in model.inOrder {
      let ids = lacked.next(of: entity.name, limit: world.objectsPerPortion)
      if !ids.isEmpty { return ids }
    }
    return nil
  }

  private func nextObjectsOfInbox() throws -> [SyncID]? {
    let limit = world.objectsPerPortion
    for entity in model.inOrder {
      let ids = try sidecar.inboxLives(of: entity.name, limit: limit)
      if !ids.isEmpty { return ids }
    }
    let ids = try sidecar.inboxObjectsWithoutLife(limit: limit)
    return ids.isEmpty ? nil : ids
  }
}
