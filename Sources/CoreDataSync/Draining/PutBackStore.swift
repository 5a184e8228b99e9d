import CoreDataSyncCore

/// A store that is an older one than what is known of it, and has not been given yet what it lacks.
///
/// Its history names the sets that were changed since, and not the members. So a member that it shows was either
/// there all the time or put there again, and one that it does not show was either taken out or not there yet. Which of
/// them says the transaction since which the store showed it.
struct PutBackStore {
  private let sidecar: Sidecar
  /// The last transaction that both know.
  private let common: Int64
  /// The stamps of the changes that are read just now.
  private let own: [Stamp: Int64]

  /// Nil for any other store, and where nothing is known of the transaction that it was put back to.
  init?(_ sidecar: Sidecar, own: [Stamp: Int64]) throws {
    guard try sidecar.number("isStale") == 1, let common = try sidecar.number("putBackTo") else {
      return nil
    }
    self.sidecar = sidecar
    self.common = common
    self.own = own
  }

  /// Whether a member that the store shows was put there again, and nobody has noted that yet.
  func isMadeAgain(_ known: [KeyedCell], between owner: SyncID, _ member: SyncID) throws -> Bool {
    if known.contains(where: { own[$0.cell.stamp] != nil }) { return false }
    let numbers = try known.map { try sidecar.since($0.key) }
    // It was made, or given back, since.
    if numbers.contains(where: { $0.map { $0 > common && $0 != Sidecar.never } ?? false }) {
      return false
    }
    let wasShown = numbers.contains { $0.map { $0 <= common } ?? true }
    return try !(wasShown && wasThere(owner) && wasThere(member))
  }

  /// Whether a member that the store does not show was taken out.
  func isTakenOut(_ known: [KeyedCell], between owner: SyncID, _ member: SyncID) throws -> Bool {
    let wasShown = try known.contains {
      try sidecar.since($0.key).map { $0 <= common } ?? false
    }
    return try wasShown && wasThere(owner) && wasThere(member)
  }

  private func wasThere(_ id: SyncID) throws -> Bool {
    try sidecar.since(id).map { $0 <= common } ?? false
  }
}
