import CoreDataSyncCore

/// A store that is an older one than what is known of it, and has not been given yet what it lacks.
///
/// Its history names the sets that were changed since, and not the members. So a member that it shows was either
/// there all the time or put there again, and one that it does not show was either taken out or not there yet. Which of
/// them says the transaction since which the store showed it, and for a member that was taken out elsewhere, what it
/// showed before that.
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
}

// MARK: - Members that are known

extension PutBackStore {
  /// Whether a member that the store shows was put there again, and nobody has noted that yet.
  func isMadeAgain(_ known: [KeyedCell], between owner: SyncID, _ member: SyncID) throws -> Bool {
    if known.contains(where: { own[$0.cell.stamp] != nil }) { return false }
    let numbers = try known.map { try sidecar.since($0.key) }
    // It was made, or given back, since.
    if numbers.contains(where: { $0.map(isSince) ?? false }) { return false }
    let wasShown = numbers.contains { $0.map { $0 <= common } ?? true }
    return try !(wasShown && wasThere(owner) && wasThere(member))
  }

  /// Whether a member that the store does not show was taken out.
  func isTakenOut(_ known: [KeyedCell], between owner: SyncID, _ member: SyncID) throws -> Bool {
    let numbers = try known.compactMap { try sidecar.since($0.key) }
    // It was made, or given back, since, and taken out after that.
    if numbers.contains(where: isSince), try isThere(owner) && isThere(member) { return true }
    return try numbers.contains { $0 <= common } && wasThere(owner) && wasThere(member)
  }

  private func isSince(_ number: Int64) -> Bool { number > common && number != Sidecar.never }
}

// MARK: - Members that are not known any more

extension PutBackStore {
  /// Whether a member that the store shows, and that is none by what is known, was taken out elsewhere only: the store
  /// shows it because it is an older one.
  func isLeftOver(_ cells: [KeyedCell], between owner: SyncID, _ member: SyncID) throws -> Bool {
    guard try wasThere(owner) && wasThere(member) else { return false }
    return try cells.contains { keyed in
      if own[keyed.cell.stamp] != nil { return false }
      if keyed.cell.payload == CellValue.present {
        // One end was deleted, and came back perhaps.
        return try sidecar.since(keyed.key).map { $0 <= common } ?? true
      }
      return try sidecar.isFormerShown(keyed.key, to: keyed.key.field.target ?? owner)
    }
  }

  /// Notes that the program has taken out what was left over.
  func noteTakenOut(_ key: CellKey) throws { try sidecar.forgetFormer(key) }
}

// MARK: - Objects

extension PutBackStore {
  /// Whether the store had an object when it was put back, and has it still.
  private func wasThere(_ id: SyncID) throws -> Bool {
    try sidecar.since(id).map { $0 <= common } ?? false
  }

  private func isThere(_ id: SyncID) throws -> Bool { try sidecar.since(id) != nil }
}
