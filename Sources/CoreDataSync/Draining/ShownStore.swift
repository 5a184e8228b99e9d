import CoreDataSyncCore

/// The state that a store showed the program when it made the changes that are read.
///
/// A change may take away only what the store showed. Code that takes something away asks here, because more may be
/// known than that:
///
/// ```
/// learned     cells of the server, from the first meeting until the save that shows them
/// put back    cells after the transaction that the store was put back to, until the store has got them again
/// not there   cells with an end that the store lacks, because it is refused, or went with what it needs
/// ```
///
/// A history names the sets that were changed, and not their members. A member that a set shows, and that is not known,
/// was put there, or was there before others have taken it out. One that is known, and not shown, was taken out, or was
/// not there yet. The transaction since which the store shows the cell, and what it showed before, decide between them.
struct ShownStore {
  private let sidecar: Sidecar
  private let age: Age
  /// Whether a history names the changed sets; if not, all objects were looked at.
  private let isTold: Bool
  /// The stamps of the changes that are read just now.
  private let own: Set<Stamp>

  private enum Age {
    /// It shows all that is known.
    case current
    /// It shows everything except the learned cells; the number is that of the last transaction that was read.
    case learned(Int64)
    /// It shows its state of the time when that transaction was the last, and later writes.
    case putBack(Int64)
    /// It is an older one, and nobody knows how old.
    case older
  }

  /// The time since which a store shows a cell, as far as it has the ends.
  enum Showing: Equatable {
    case never
    case since(Int64)
    case always
    case unknown
  }

  init(_ sidecar: Sidecar, isTold: Bool, own: Set<Stamp> = []) throws {
    self.sidecar = sidecar
    self.isTold = isTold
    self.own = own
    if try sidecar.isStale {
      age = try sidecar.number("putBackTo").map { .putBack($0) } ?? .older
    } else if try sidecar.hasLearned {
      age = .learned(try sidecar.lastDrained ?? 0)
    } else {
      age = .current
    }
  }

  /// Whether the store shows all known cells, except those that it refuses.
  var isCurrent: Bool {
    switch age {
    case .current: true
    case .learned, .putBack, .older: false
    }
  }

  /// Whether the store is an older one, so that what its objects lack says nothing.
  var isOlder: Bool {
    switch age {
    case .current, .learned: false
    case .putBack, .older: true
    }
  }

  /// Whether the history has the writes to a store since it was put back.
  var tellsOfPutBack: Bool {
    switch age {
    case .putBack: isTold
    case .current, .learned, .older: false
    }
  }

  /// The last transaction at which the store shows all that was known then; `nil` if it is unknown.
  private var common: Int64? {
    switch age {
    case .learned(let number), .putBack(let number): number
    case .current, .older: nil
    }
  }
}

// MARK: - Cells

extension ShownStore {
  func showing(_ keyed: KeyedCell) throws -> Showing {
    if isCurrent || own.contains(keyed.cell.stamp) { return .always }
    guard let number = try sidecar.since(keyed.key) else { return isOlder ? .unknown : .always }
    return number == Sidecar.never ? .never : .since(number)
  }

  /// Whether the program may have seen where a cell of an object leads: the store had the object, which was among the
  /// removed perhaps, and showed what the cell says.
  func mayHaveShown(
    _ keyed: KeyedCell,
    of id: SyncID,
    _ before: Projector,
    orOneOf removed: Set<SyncID>
  ) throws -> Bool {
    let shown = try before.visible(id) ?? id
    guard try removed.contains(shown) || isThere(id, before) else { return false }
    return try showing(keyed) != .never
  }

  /// Notes the transaction since which the store shows learned cells, if it showed them before they were learned.
  func noteShown(_ cells: [KeyedCell], since number: Int64?) throws {
    for keyed in cells where try showing(keyed) == .never {
      try sidecar.noteShown(keyed.key, since: number)
    }
  }
}

// MARK: - Taking away

extension ShownStore {
  /// Those among cells that lead somewhere, and that the store does not show, which it did show: they were taken out.
  func takenOut(_ cells: [KeyedCell], _ projector: Projector) throws -> [KeyedCell] {
    if isOlder, !isTold { return [] }
    let shown = try cells.filter { try hasShown($0, projector) }
    if shown.isEmpty { return [] }
    // A program that has seen a pair may also have seen those of its occurrences whose age is unknown.
    return try cells.filter { try shown.contains($0) || showing($0) == .unknown }
  }

  private func hasShown(_ keyed: KeyedCell, _ projector: Projector) throws -> Bool {
    let ends = [keyed.key.object, keyed.target].compactMap { $0 }
    switch try showing(keyed) {
    case .never, .unknown: return false
    case .always: return try ends.allSatisfy { try isThere($0, projector) }
    case .since(let number):
      // Occurrences that were made, or given back, since.
      guard let common, isOlder, number <= common else {
        return try ends.allSatisfy { try isThere($0, projector) }
      }
      return try ends.allSatisfy { try wasThere($0, projector, at: common) }
    }
  }

  /// The end of a reference that the program may have emptied, which led elsewhere when the store had not shown yet what
  /// the cell says.
  ///
  /// Had its end been deleted, that would have emptied it, and not the program.
  func emptiedEnd(_ keyed: KeyedCell, _ projector: Projector) throws -> SyncID? {
    if isOlder, !isTold { return nil }
    guard try showing(keyed) == .never, let end = try sidecar.formerShown(keyed.key),
      try isThere(end, projector)
    else { return nil }
    return end
  }

  /// Notes that the program has taken out what was left over: put there again, it is new.
  func noteTakenOut(_ key: CellKey) throws {
    if isTold, common != nil { try sidecar.forgetFormer(key) }
  }

  /// Whether members that others have taken out may be left over in the store's sets.
  var mayHaveLeftOver: Bool { common != nil }
}

// MARK: - Putting in

extension ShownStore {
  /// Whether a member that is known, and that the store shows, was put there by the program, and nobody has noted that
  /// yet.
  func isMadeAgain(_ known: [KeyedCell], between owner: SyncID, _ member: SyncID) throws -> Bool {
    guard isTold, let common else { return false }
    if known.contains(where: { own.contains($0.cell.stamp) }) { return false }
    let all = try known.map { try showing($0) }
    // It was made, or given back, since.
    if all.contains(where: { $0.isSince(common) }) { return false }
    let wasShown = all.contains { $0 != .never }
    return try !(wasShown && wasThere(owner, at: common) && wasThere(member, at: common))
  }

  /// Whether a member that the store shows, and that is not a member according to the cells, was taken out elsewhere
  /// only.
  func isLeftOver(_ cells: [KeyedCell], between owner: SyncID, _ member: SyncID) throws -> Bool {
    guard let common, try wasThere(owner, at: common), try wasThere(member, at: common) else {
      return false
    }
    return try cells.contains { keyed in
      if own.contains(keyed.cell.stamp) { return false }
      if keyed.cell.payload == CellValue.present {
        // One end was deleted, and came back perhaps.
        let showing = try showing(keyed)
        return showing != .never && !showing.isSince(common)
      }
      return try sidecar.isFormerShown(keyed.key, to: keyed.key.field.target ?? owner)
    }
  }
}

extension ShownStore.Showing {
  fileprivate func isSince(_ common: Int64) -> Bool {
    if case .since(let number) = self { number > common } else { false }
  }
}

// MARK: - Comparing

extension ShownStore {
  /// Whether a value that the store shows is the one that it showed before another was learned.
  func isBeforeLearning(
    _ key: CellKey,
    showing value: CellValue,
    of attribute: SyncAttribute
  ) throws -> Bool {
    guard try isLearned(key) else { return false }
    // If it was not noted, the value means nothing.
    guard let noted = try sidecar.shownValue(key) else { return true }
    return CellValue(payload: noted).map(attribute.shown) == value
  }

  /// Whether a reference leads where it did before it was learned that it leads elsewhere.
  func isBeforeLearning(_ key: CellKey, leadingTo end: SyncID?) throws -> Bool {
    guard try isLearned(key) else { return false }
    return try sidecar.formerShown(key) == end
  }

  private func isLearned(_ key: CellKey) throws -> Bool {
    guard case .learned = age else { return false }
    return try sidecar.since(key) == Sidecar.never
  }
}

// MARK: - Objects

extension ShownStore {
  /// Whether the store has an object, or one that it shows as the same.
  private func isThere(_ id: SyncID, _ projector: Projector) throws -> Bool {
    if try sidecar.address(of: id) != nil { return true }
    return try others(for: id, projector).contains { try sidecar.address(of: $0) != nil }
  }

  /// Whether it had it when that transaction was the last, and has it still.
  private func wasThere(_ id: SyncID, _ projector: Projector, at number: Int64) throws -> Bool {
    if try wasThere(id, at: number) { return true }
    return try others(for: id, projector).contains { try wasThere($0, at: number) }
  }

  private func wasThere(_ id: SyncID, at number: Int64) throws -> Bool {
    try sidecar.since(id).map { $0 <= number } ?? false
  }

  private func others(for id: SyncID, _ projector: Projector) throws -> Set<SyncID> {
    guard let visible = try projector.visible(id) else { return [] }
    return try projector.group(of: visible)
  }
}

extension KeyedCell {
  /// The object to which it leads.
  fileprivate var target: SyncID? {
    key.field.target ?? CellValue.reference(in: cell.payload)
  }
}
