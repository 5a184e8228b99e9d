/// Finds the objects that were deleted on one device while another came to need them.
///
/// They are brought back by an ordinary change, which whoever sees it first writes. A rule that derives
/// their return would have devices differ which have forgotten the deletion and which have not.
package struct DenialRepair {
  private let source: any CellSource
  private let schema: SyncSchema

  package init(_ source: any CellSource, _ schema: SyncSchema) {
    self.source = source
    self.schema = schema
  }

  /// The dead among these objects, and among those to which they lead, that are needed.
  package func needed(among ids: Set<SyncID>) throws -> [SyncID] {
    var candidates = ids
    for id in ids { candidates.formUnion(try source.cells(of: id)?.targets ?? []) }
    return try candidates.sorted().filter(isNeeded)
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

  /// A dead owner with members that were added meanwhile.
  private func protectsItself(_ cells: ObjectCells, _ rules: EntityRules) throws -> Bool {
    for member in cells.liveMembers
    where rules.memberships[member.relationship]?.protectsOwner == true {
      if try source.cells(of: member.target)?.isAlive == true { return true }
    }
    return false
  }

  private func isNeeded(_ id: SyncID, by referrer: SyncID) throws -> Bool {
    guard let cells = try source.cells(of: referrer), cells.isAlive,
      let rules = schema[cells.entity]
    else { return false }
    for (property, reference) in rules.references where reference.protectsTarget {
      if cells.value(property)?.reference == id { return true }
    }
    return cells.liveMembers.contains {
      $0.target == id && rules.memberships[$0.relationship]?.protectsMember == true
    }
  }
}

extension ObjectCells {
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
      case .life: continue
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
