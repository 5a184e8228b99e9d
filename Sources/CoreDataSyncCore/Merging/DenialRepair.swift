/// Finds the objects that were deleted on one device while another came to need them.
///
/// They are brought back by an ordinary change, written by the first device that notices. If a rule derived their
/// return, devices that have forgotten the deletion would differ from those that have not.
///
/// An invisible object, which went with the object that it needs, needs nothing: its tag can be deleted. The tag is
/// needed again once the note comes to light.
package struct DenialRepair {
  private let source: any CellSource
  private let schema: SyncSchema
  private let sight: Sight

  /// The objects that count as needing others.
  package enum Sight {
    /// Objects that live and are seen, or would be once the objects that they need are brought back.
    case seen
    /// Objects that live: others that are not known yet may bring them to light.
    case alive
  }

  package init(_ source: any CellSource, _ schema: SyncSchema, by sight: Sight = .seen) {
    self.source = source
    self.schema = schema
    self.sight = sight
  }

  /// The dead among these objects, and among those to which they lead, that are needed.
  package func needed(among ids: Set<SyncID>) throws -> [SyncID] {
    var candidates = ids
    for id in ids { candidates.formUnion(try source.cells(of: id)?.targets ?? []) }
    for id in try broughtToLight(by: ids) {
      candidates.formUnion(try source.cells(of: id)?.targets ?? [])
    }
    return try candidates.sorted().filter(isNeeded)
  }

  /// The objects that may be seen again because others among these are, which they need.
  private func broughtToLight(by ids: Set<SyncID>) throws -> Set<SyncID> {
    var pending = try ids.filter { try source.cells(of: $0)?.mayHaveBeenHidden(schema) == true }
    var found: Set<SyncID> = []
    while let id = pending.popFirst() {
      for referrer in try source.referrers(of: id) where !found.contains(referrer) {
        guard let cells = try source.cells(of: referrer), cells.isAlive,
          cells.requirements(schema).contains(where: { $0.target == id })
        else { continue }
        found.insert(referrer)
        pending.insert(referrer)
      }
    }
    return found
  }

  private func isNeeded(_ id: SyncID) throws -> Bool {
    guard let cells = try source.cells(of: id), !cells.isAlive, cells.epoch > 0,
      let rules = schema[cells.entity]
    else { return false }
    if try protectsItself(cells, rules) { return true }
    for referrer in try source.referrers(of: id) where try isNeeded(id, by: referrer) {
      return true
    }
    return false
  }

  /// Whether a dead owner has members that were added concurrently.
  private func protectsItself(_ cells: ObjectCells, _ rules: EntityRules) throws -> Bool {
    for member in cells.liveMembers
    where rules.memberships[member.relationship]?.protectsOwner == true {
      if try isInSight(member.target) { return true }
    }
    return false
  }

  private func isNeeded(_ id: SyncID, by referrer: SyncID) throws -> Bool {
    guard let cells = try source.cells(of: referrer), cells.isAlive,
      let rules = schema[cells.entity]
    else { return false }
    let isProtecting =
      rules.references.contains { property, reference in
        reference.protectsTarget && cells.value(property)?.reference == id
      }
      || cells.liveMembers.contains {
        $0.target == id && rules.memberships[$0.relationship]?.protectsMember == true
      }
    return try isProtecting && isInSight(referrer)
  }
}

// MARK: - Who is seen

extension DenialRepair {
  private func isInSight(_ id: SyncID) throws -> Bool {
    switch sight {
    case .seen: try isSeen(id)
    case .alive: try source.cells(of: id)?.isAlive == true
    }
  }

  /// Whether an object lives and has all that it needs, except the objects that it would bring back.
  private func isSeen(_ id: SyncID) throws -> Bool {
    var pending = [id]
    var asked: Set<SyncID> = [id]
    while let id = pending.popLast() {
      guard let cells = try source.cells(of: id), cells.isAlive else { return false }
      for (target, rules) in cells.requirements(schema) {
        guard let target, let end = try source.cells(of: target), end.epoch > 0 else {
          return false
        }
        if !end.isAlive, rules.protectsTarget { continue }
        if asked.insert(target).inserted { pending.append(target) }
      }
    }
    return true
  }
}

extension ObjectCells {
  /// Whether the object lives after it was deleted, or needs another than it did.
  fileprivate func mayHaveBeenHidden(_ schema: SyncSchema) -> Bool {
    guard isAlive, let rules = schema[entity] else { return false }
    return epoch > 1
      || rules.references.contains { $1.isRequired && (values[$0]?.base ?? 0) > 0 }
  }

  /// The targets that the object cannot be without; `nil` for a reference without a target.
  fileprivate func requirements(
    _ schema: SyncSchema
  ) -> [(target: SyncID?, rules: ReferenceRules)] {
    schema[entity]?.references.filter(\.value.isRequired)
      .map { (value($0.key)?.reference, $0.value) } ?? []
  }

  /// The cells with which a deleted object comes back as it was, in its next life.
  package func revival(of id: SyncID, at stamp: Stamp) -> [KeyedCell] {
    guard let life, !isAlive, epoch > 0, epoch < .max else { return [] }
    let next = epoch + 1
    var cells = [
      KeyedCell(
        CellKey(id, .life),
        Cell(epoch: next, stamp: stamp, base: life.stamp.moment, payload: life.payload)
      )
    ]
    var again: Set<CellKey.Field> = []
    for (field, cell) in all where cell.epoch == seenEpoch {
      var field = field
      switch field {
      case .life, .lost: continue
      case .value, .place: break
      case .member(let relationship, let target, _):
        guard cell.payload == CellValue.present else { continue }
        field = .member(relationship, target, dot: stamp)
      }
      guard again.insert(field).inserted else { continue }
      cells.append(
        KeyedCell(
          CellKey(id, field),
          Cell(epoch: next, stamp: stamp, base: cell.stamp.moment, payload: cell.payload)
        )
      )
    }
    return cells
  }
}
