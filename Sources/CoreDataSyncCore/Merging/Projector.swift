/// Derives from cells the objects that a store shows.
///
/// ```
/// an object that it needs is gone             not there
/// a relationship's end is gone                nil, or not in the set; back when the end is
/// two objects claim one unique value          one object, the one with the smallest identity
/// two objects claim one end of a pair         the later one has it
/// ```
///
/// Nothing of this is written back, so it cannot conflict: all devices with the same cells see the same.
package final class Projector {
  package let source: any CellSource
  package let schema: SyncSchema
  /// Whether objects are seen of which nobody has noted yet where they lead and must.
  private let showsUnfinished: Bool
  /// Whether the store refuses an object, or does not have it yet, on this device.
  private let isHeldBack: (SyncID) -> Bool
  private var presence: [SyncID: Bool] = [:]
  private var representatives: [SyncID: SyncID] = [:]

  package init(
    _ source: any CellSource,
    _ schema: SyncSchema,
    showsUnfinished: Bool = false,
    isHeldBack: @escaping (SyncID) -> Bool = { _ in false }
  ) {
    self.showsUnfinished = showsUnfinished
    self.source = source
    self.schema = schema
    self.isHeldBack = isHeldBack
  }
}

/// One object as a store shows it.
package struct ProjectedObject: Hashable, Sendable {
  package let entity: String
  /// The attributes of which a value is known.
  package var attributes: [PropertyID: CellValue] = [:]
  /// The targets of to-one relationships, as far as they are known.
  package var references: [PropertyID: SyncID?] = [:]
  /// The members of the sets that this object owns, in their order if they have one.
  package var members: [PropertyID: [SyncID]] = [:]
}

// MARK: - Who is there

extension Projector {
  /// Whether an object is alive, and has all that it needs.
  package func isPresent(_ id: SyncID) throws -> Bool {
    if let known = presence[id] { return known }
    // Chains of those that need each other may be as long as others make them, so they are followed without recursion.
    var (reached, pending): (Set<SyncID>, [SyncID]) = ([id], [id])
    var dependents: [SyncID: [SyncID]] = [:]
    var gone: [SyncID] = []
    while let next = pending.popLast() {
      guard let needs = try needs(of: next) else {
        gone.append(next)
        continue
      }
      for target in needs {
        if let isThere = presence[target] {
          if !isThere { gone.append(next) }
          continue
        }
        dependents[target, default: []].append(next)
        if reached.insert(target).inserted { pending.append(target) }
      }
    }
    // Objects that need themselves, over any number of others, do not fail by that.
    for id in reached { presence[id] = true }
    while let next = gone.popLast() {
      if presence.updateValue(false, forKey: next) == false { continue }
      gone += dependents[next] ?? []
    }
    return presence[id] == true
  }

  /// The objects that one cannot be without; nil for one that is not there, whatever others are.
  private func needs(of id: SyncID) throws -> [SyncID]? {
    guard !isHeldBack(id), let cells = try source.cells(of: id), cells.isAlive,
      let rules = schema[cells.entity]
    else { return nil }
    var needs: [SyncID] = []
    for (property, reference) in rules.references where reference.isRequired {
      if let target = cells.value(property)?.reference {
        needs.append(target)
      } else if !showsUnfinished {
        return nil
      }
    }
    return needs
  }

  /// The object that represents this one: itself, or the one with the smallest identity that claims
  /// the same unique values.
  package func representative(of id: SyncID) throws -> SyncID {
    var pending = [id]
    while let next = pending.last {
      if representatives[next] == nil, let smaller = try findRepresentative(of: next) {
        pending.append(smaller)
      } else {
        pending.removeLast()
      }
    }
    return representatives[id] ?? id
  }

  /// Finds the object that represents another, unless that of a smaller one has to be known first.
  ///
  /// - Returns: That smaller one.
  private func findRepresentative(of id: SyncID) throws -> SyncID? {
    guard try isPresent(id), let cells = try source.cells(of: id),
      let rules = schema[cells.entity]
    else { return nil }
    var found = id
    for claim in rules.claims(of: cells) {
      for other in try source.holders(of: claim).sorted() where other < found {
        guard try isPresent(other) else { continue }
        guard let known = representatives[other] else { return other }
        if known == other { found = other }
      }
    }
    representatives[id] = found
    return nil
  }

  /// Whether the store has an object of this identity.
  package func isVisible(_ id: SyncID) throws -> Bool {
    try isPresent(id) && representative(of: id) == id
  }

  /// The visible object that represents a present one.
  package func visible(_ id: SyncID) throws -> SyncID? {
    try isPresent(id) ? representative(of: id) : nil
  }

  /// The objects that this one represents, itself among them.
  package func group(of id: SyncID) throws -> Set<SyncID> {
    guard let cells = try source.cells(of: id), let rules = schema[cells.entity] else {
      return [id]
    }
    var group: Set<SyncID> = [id]
    for claim in rules.claims(of: cells) {
      for other in try source.holders(of: claim) where try visible(other) == id {
        group.insert(other)
      }
    }
    return group
  }
}

// MARK: - One object

extension Projector {
  /// The object that the store shows; `nil` if it shows none.
  package func object(_ id: SyncID) throws -> ProjectedObject? {
    guard try isVisible(id), let cells = try source.cells(of: id), let entity = cells.entity,
      let rules = schema[entity]
    else { return nil }
    var object = ProjectedObject(entity: entity)
    for property in rules.attributes.keys {
      if let value = cells.value(property) { object.attributes[property] = value }
    }
    for (property, reference) in rules.references {
      guard let value = cells.value(property) else { continue }
      object.references[property] = .some(try end(of: value, for: id, property, reference))
    }
    for (property, membership) in rules.memberships {
      object.members[property] = try members(of: id, property, membership)
    }
    return object
  }

  private func end(
    of value: CellValue,
    for id: SyncID,
    _ property: PropertyID,
    _ rules: ReferenceRules
  ) throws -> SyncID? {
    guard let target = value.reference, let end = try visible(target) else { return nil }
    guard rules.isExclusive else { return end }
    return try claimant(of: end, property) == id ? end : nil
  }

  /// The object that has the one place at the other end of a pair: the last one that took it.
  package func claimant(of end: SyncID, _ property: PropertyID) throws -> SyncID? {
    var latest: (stamp: Stamp, id: SyncID)?
    for id in try referrers(ofGroupOf: end) where try isVisible(id) {
      guard let cells = try source.cells(of: id),
        schema[cells.entity]?.references[property] != nil,
        let target = cells.value(property)?.reference, try visible(target) == end,
        let stamp = cells.values[property]?.stamp
      else { continue }
      if let latest, (stamp, id) < latest { continue }
      latest = (stamp, id)
    }
    return latest?.id
  }

  private func referrers(ofGroupOf id: SyncID) throws -> Set<SyncID> {
    var referrers: Set<SyncID> = []
    for member in try group(of: id) { referrers.formUnion(try source.referrers(of: member)) }
    return referrers
  }
}

// MARK: - Sets

extension Projector {
  private func members(
    of id: SyncID,
    _ property: PropertyID,
    _ rules: MembershipRules
  ) throws -> [SyncID] {
    var members: Set<SyncID> = []
    for owner in try group(of: id) {
      for member in try source.cells(of: owner)?.liveMembers ?? []
      where member.relationship == property {
        if let target = try visible(member.target) { members.insert(target) }
      }
    }
    if rules.isSymmetric { members.formUnion(try owners(of: id, property)) }
    return rules.isOrdered ? try ordered(members, in: id, property) : members.sorted()
  }

  /// The objects whose sets this one is a member of.
  package func owners(
    of id: SyncID,
    _ property: PropertyID,
    _ rules: MembershipRules
  ) throws -> [SyncID] {
    let owners = try owners(of: id, property)
    return rules.isOrderedInversely ? try ordered(owners, in: id, rules.inverse) : owners.sorted()
  }

  private func owners(of id: SyncID, _ property: PropertyID) throws -> Set<SyncID> {
    let group = try group(of: id)
    var owners: Set<SyncID> = []
    for owner in try referrers(ofGroupOf: id) {
      guard let cells = try source.cells(of: owner),
        schema[cells.entity]?.memberships[property] != nil,
        cells.liveMembers.contains(where: {
          $0.relationship == property && group.contains($0.target)
        }), let visible = try visible(owner)
      else { continue }
      owners.insert(visible)
    }
    return owners
  }

  private func ordered(
    _ members: Set<SyncID>,
    in id: SyncID,
    _ property: PropertyID
  ) throws -> [SyncID] {
    let cells = try source.cells(of: id)
    return members.map { (cells?.place(of: $0, in: property) ?? "", $0) }.sorted(by: <).map(\.1)
  }

  /// The objects that lead to this one by a reference, with their places, in their order.
  package func children(
    of id: SyncID,
    _ property: PropertyID
  ) throws -> [(place: String, id: SyncID)] {
    var children: [(String, SyncID)] = []
    for child in try referrers(ofGroupOf: id) where try isVisible(child) {
      guard let cells = try source.cells(of: child), let rules = schema[cells.entity],
        let reference = rules.references[property], let value = cells.value(property),
        try end(of: value, for: child, property, reference) == id
      else { continue }
      children.append((value.place ?? "", child))
    }
    return children.sorted(by: <).map { (place: $0.0, id: $0.1) }
  }
}
