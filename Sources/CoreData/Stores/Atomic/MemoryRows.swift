/// The rows of a store in memory, as a value: changing a copy changes nothing for readers.
struct MemoryRows: Sendable {
  /// By root entity, then by key.
  var tables: [Int32: [Int64: Row]] = [:]
  /// The last key that was given away in each entity tree.
  var lastKeys: [Int32: Int64] = [:]
  /// Whether all trees share one run of keys: then the last one is under tree 0.
  var sharesKeys = false
  var pairs: [Relation: [Pair]] = [:]

  /// One end of a many-to-many relationship: the entity that declares it, and its slot.
  struct Relation: Hashable, Sendable {
    let entity: Int32
    let slot: Int
  }

  struct Pair: Hashable, Sendable {
    let owner: Int64
    let member: Int64
    /// The member's place among the owner's, and the owner's among the member's.
    var memberPlace: Int64?
    var ownerPlace: Int64?
  }

  subscript(root: Int32, number: Int64) -> Row? { tables[root]?[number] }

  /// The rows of an entity tree, in the order of their keys.
  func all(root: Int32) -> [Row] {
    (tables[root] ?? [:]).values.sorted { $0.primaryKey < $1.primaryKey }
  }
}

// MARK: - Writing

extension MemoryRows {
  /// Throws if the last key is so large that others cannot follow.
  mutating func reserveKeys(root: Int32, count: Int) throws -> Int64 {
    let tree = sharesKeys ? 0 : root
    let last = lastKeys[tree] ?? 0
    guard last <= StoredNumber.greatest - Int64(count) else {
      throw FailureText(
        description: "The changes could not be saved.",
        reason: "The store's last key is \(last), after which no others can come.",
        suggestion: "Move the objects into a new store, in which keys begin anew."
      ).error(code: NSPersistentStoreSaveError)
    }
    lastKeys[tree] = last + Int64(count)
    return last + 1
  }

  /// Throws ``SaveConflicts`` when rows have other versions than expected.
  mutating func apply(_ plan: SavePlan) throws {
    let conflicts = conflicts(with: plan)
    if !conflicts.isEmpty { throw SaveConflicts(conflicts: conflicts) }
    for row in plan.deletes {
      tables[row.layout.rootNumber]?[row.primaryKey] = nil
      unlinkAll(row.primaryKey, row.layout)
    }
    for row in plan.updates {
      if let snapshot = updated(row) { set(row.primaryKey, row.layout, snapshot) }
    }
    for row in plan.inserts { set(row.primaryKey, row.layout, row.snapshot) }
    // A pair has a place once it is linked.
    for pair in plan.pairs where !pair.isPlace { apply(pair) }
    for pair in plan.pairs where pair.isPlace { apply(pair) }
  }

  /// The row after an update; if any version will do, even none, only changed values are taken over.
  private func updated(_ row: RowUpdate) -> Snapshot? {
    if row.expectedVersion != nil { return row.snapshot }
    return self[row.layout.rootNumber, row.primaryKey]?.snapshot?
      .replacing(row.changed, from: row.snapshot, in: row.layout)
  }

  private mutating func set(_ number: Int64, _ layout: EntityLayout, _ snapshot: Snapshot) {
    tables[layout.rootNumber, default: [:]][number] = Row(
      primaryKey: number,
      layout: layout,
      snapshot: snapshot
    )
  }

  /// Puts a row in the place of the one with its key.
  mutating func replace(_ row: Row) {
    tables[row.layout.rootNumber, default: [:]][row.primaryKey] = row
  }

  /// The rows that have other versions than the plan expects.
  func conflicts(with plan: SavePlan) -> [RowConflict] {
    var conflicts: [RowConflict] = []
    func expect(_ version: Int64?, _ number: Int64, _ layout: EntityLayout) {
      let stored = self[layout.rootNumber, number]?.snapshot
      if let version, stored?.version != version {
        conflicts.append(RowConflict(primaryKey: number, layout: layout, stored: stored))
      }
    }
    for row in plan.expectations { expect(row.expectedVersion, row.primaryKey, row.layout) }
    for row in plan.deletes { expect(row.expectedVersion, row.primaryKey, row.layout) }
    for row in plan.updates { expect(row.expectedVersion, row.primaryKey, row.layout) }
    return conflicts
  }

  /// The rows that have one of these values where values must be unique.
  func rows(with values: [UniqueValues], in constraint: UniqueConstraint, root: Int32) -> [Row] {
    let wanted = Set(values)
    if wanted.isEmpty { return [] }
    return (tables[root] ?? [:]).values.filter { row in
      guard constraint.numbers.contains(row.layout.number), let snapshot = row.snapshot,
        let values = UniqueValues(constraint, of: snapshot, in: row.layout)
      else { return false }
      return wanted.contains(values)
    }
  }
}

// MARK: - Pairs

extension PairChange {
  fileprivate var isPlace: Bool { if case .place = action { true } else { false } }
}

extension MemoryRows {
  /// For each object that has a many-to-many relationship its members, in their order.
  func pairs(of layout: EntityLayout, at slot: Int) -> [Int64: [Int64]] {
    let (relation, isSpeaker) = relation(layout, slot)
    let isOwnInverse = isOwnInverse(layout, slot)
    var found: [Int64: [(place: Int64, member: Int64)]] = [:]
    for pair in pairs[relation] ?? [] {
      if isSpeaker {
        found[pair.owner, default: []].append((pair.memberPlace ?? 0, pair.member))
        if pair.owner == pair.member { continue }
      }
      if !isSpeaker || isOwnInverse {
        found[pair.member, default: []].append((pair.ownerPlace ?? 0, pair.owner))
      }
    }
    return found.mapValues { $0.sorted { $0 < $1 }.map(\.member) }
  }

  private mutating func apply(_ change: PairChange) {
    let (relation, isSpeaker) = relation(change.layout, change.slot)
    let owner = isSpeaker ? change.owner : change.member
    let member = isSpeaker ? change.member : change.owner
    var list = pairs[relation] ?? []
    let index = list.firstIndex { $0.owner == owner && $0.member == member }
    switch change.action {
    case .link:
      if index == nil { list.append(Pair(owner: owner, member: member)) }
    case .unlink:
      if let index { list.remove(at: index) }
    case .place(let place):
      guard let index else { break }
      if isSpeaker { list[index].memberPlace = place } else { list[index].ownerPlace = place }
    }
    pairs[relation] = list
  }

  private mutating func unlinkAll(_ number: Int64, _ layout: EntityLayout) {
    for (slot, entry) in layout.slots.enumerated() where entry.kind.isToMany {
      let (relation, isSpeaker) = relation(layout, slot)
      let isOwnInverse = isOwnInverse(layout, slot)
      pairs[relation]?.removeAll { pair in
        (isSpeaker && pair.owner == number)
          || ((!isSpeaker || isOwnInverse) && pair.member == number)
      }
    }
  }

  /// The end under which pairs are kept, and whether this is it.
  func relation(_ layout: EntityLayout, _ slot: Int) -> (Relation, isSpeaker: Bool) {
    if layout.speaksForPair(slot) {
      return (Relation(entity: layout.declarer(of: slot), slot: slot), true)
    }
    guard let end = layout.slots[slot].end, let inverse = end.inverse,
      let destination = layout.model[number: end.destination]
    else { return (Relation(entity: layout.declarer(of: slot), slot: slot), true) }
    return (Relation(entity: destination.declarer(of: inverse), slot: inverse), false)
  }

  private func isOwnInverse(_ layout: EntityLayout, _ slot: Int) -> Bool {
    guard let end = layout.slots[slot].end, let inverse = end.inverse,
      let destination = layout.model[number: end.destination]
    else { return false }
    return inverse == slot && destination.declarer(of: inverse) == layout.declarer(of: slot)
  }
}
