/// Finds the objects that a store shows differently after a merge.
///
/// Some that it shows as before are among them; none that it shows differently is missing.
package struct AffectedObjects {
  private let old: Projector
  private let new: Projector
  private var pending: [SyncID] = []
  package private(set) var found: Set<SyncID> = []

  /// Looks from these objects on, and not again from those that are known.
  package init(
    of touched: Set<SyncID>,
    old: Projector,
    new: Projector,
    beyond known: Set<SyncID> = []
  ) throws {
    self.old = old
    self.new = new
    found = known
    for id in touched.sorted() { add(id) }
    while let id = pending.popLast() { try follow(id) }
  }

  private mutating func add(_ id: SyncID) {
    if found.insert(id).inserted { pending.append(id) }
  }

  private mutating func add(_ ids: some Sequence<SyncID>) {
    for id in ids { add(id) }
  }

  /// Adds the objects that look different because this object does.
  private mutating func follow(_ id: SyncID) throws {
    for projector in [old, new] {
      try followClaims(of: id, projector)
      try followEnds(of: id, projector)
    }
    let stays = try old.visible(id) == new.visible(id)
    // An object that becomes one of another entity replaces the one that was there.
    if try stays && old.source.cells(of: id)?.entity == new.source.cells(of: id)?.entity { return }
    for projector in [old, new] {
      for member in try projector.group(of: id) {
        add(try projector.source.referrers(of: member))
      }
      if let visible = try projector.visible(id) { add(visible) }
    }
  }

  /// Objects with the same unique values may come to represent each other.
  private mutating func followClaims(of id: SyncID, _ projector: Projector) throws {
    guard let cells = try projector.source.cells(of: id),
      let rules = projector.schema[cells.entity]
    else { return }
    for claim in rules.claims(of: cells) {
      let holders = try projector.source.holders(of: claim)
      if holders.count > 1 { add(holders) }
    }
  }

  /// Its targets may have an order, or only one place.
  private mutating func followEnds(of id: SyncID, _ projector: Projector) throws {
    guard let cells = try projector.source.cells(of: id),
      let rules = projector.schema[cells.entity]
    else { return }
    for (property, reference) in rules.references
    where reference.isOrdered || reference.isExclusive || reference.isKeptAtTarget {
      guard let target = cells.value(property)?.reference else { continue }
      let end = try projector.visible(target) ?? target
      add(end)
      guard reference.isExclusive else { continue }
      for member in try projector.group(of: end) {
        add(try projector.source.referrers(of: member))
      }
    }
    for (property, membership) in rules.memberships
    where membership.isOrderedInversely || membership.isSymmetric {
      for member in cells.members.keys where member.relationship == property {
        add(try projector.visible(member.target) ?? member.target)
      }
    }
  }
}
