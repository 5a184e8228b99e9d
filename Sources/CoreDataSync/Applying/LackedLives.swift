import CoreDataSyncCore

/// Objects that live and that the store does not have, as one that was put back.
///
/// They are looked for once, and told what the store gets with each portion: looking for them again takes as long as all
/// of them are many.
final class LackedLives {
  private var all: Set<SyncID> = []
  /// In the order of their identities, by their entities; those that the store has got stay until they are first.
  private var byEntity: [String: ArraySlice<SyncID>] = [:]

  /// A store that lacks nothing.
  init() {}

  init(_ sidecar: Sidecar) throws {
    try sidecar.forEachLackedLife { id, entity in
      all.insert(id)
      byEntity[entity, default: []].append(id)
    }
  }

  var count: Int { all.count }

  func contains(_ id: SyncID) -> Bool { all.contains(id) }

  func remove(_ ids: some Sequence<SyncID>) { all.subtract(ids) }

  /// The first objects of an entity.
  func next(of entity: String, limit: Int) -> [SyncID] {
    guard let known = byEntity[entity] else { return [] }
    let left = known.drop { !all.contains($0) }
    byEntity[entity] = left
    return Array(left.lazy.filter { [all] in all.contains($0) }.prefix(limit))
  }
}

extension SyncEngine {
  /// The lives that the store lacks, while waiting cells are applied.
  func lackedLives() throws -> LackedLives {
    if let lacked { return lacked }
    let found = try LackedLives(sidecar)
    lacked = found
    return found
  }

  /// Notes what a portion has given to the store, or has found that it cannot show.
  func noteGiven(_ affected: Set<SyncID>, by merged: MergedInbox, _ projector: Projector) throws {
    switch merged.portion {
    case .everything: lacked = nil
    case .dirty: lacked?.remove(affected.filter { !merged.isAwaited($0) })
    case .inbox: lacked?.remove(try affected.filter(projector.isVisible))
    }
  }
}
