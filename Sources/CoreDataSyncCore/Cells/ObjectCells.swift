/// All cells of one object.
package struct ObjectCells: Hashable, Sendable {
  package var life: Cell? {
    didSet { entity = life.flatMap { Self.entity(in: $0) } }
  }
  /// The entity that the life names.
  package private(set) var entity: String?
  package private(set) var values: [PropertyID: Cell] = [:]
  package private(set) var members: [Member: Cell] = [:]
  package private(set) var places: [Place: Cell] = [:]

  package struct Member: Hashable, Sendable {
    package let relationship: PropertyID
    package let target: SyncID
    package let dot: Stamp

    package var field: CellKey.Field { .member(relationship, target, dot: dot) }
  }

  package struct Place: Hashable, Sendable {
    package let relationship: PropertyID
    package let target: SyncID

    package init(relationship: PropertyID, target: SyncID) {
      self.relationship = relationship
      self.target = target
    }
  }

  package init() {}
}

// MARK: - Merging

extension ObjectCells {
  package subscript(field: CellKey.Field) -> Cell? {
    switch field {
    case .life: life
    case .value(let property): values[property]
    case .member(let relationship, let target, let dot):
      members[Member(relationship: relationship, target: target, dot: dot)]
    case .place(let relationship, let target):
      places[Place(relationship: relationship, target: target)]
    case .lost: nil
    }
  }

  /// Puts a cell where the one with this key is, whichever is later.
  package mutating func replace(_ field: CellKey.Field, by cell: Cell?) {
    switch field {
    case .life: life = cell
    case .value(let property): values[property] = cell
    case .member(let relationship, let target, let dot):
      members[Member(relationship: relationship, target: target, dot: dot)] = cell
    case .place(let relationship, let target):
      places[Place(relationship: relationship, target: target)] = cell
    case .lost: break
    }
  }
}

// MARK: - Reading

extension ObjectCells {
  /// The number of the object's life: odd while it lives, even when it was deleted, zero before.
  package var epoch: UInt16 { life?.epoch ?? 0 }

  package var isAlive: Bool { epoch & 1 == 1 }

  /// The life that cells must be of to be seen: the present one, or the last.
  package var seenEpoch: UInt16 { isAlive ? epoch : max(epoch, 1) - 1 }

  private static func entity(in life: Cell) -> String? {
    guard case .entity(let name)? = CellValue(payload: life.payload) else { return nil }
    return name
  }

  /// The value of a field in the present life, or in the last.
  package func value(_ property: PropertyID) -> CellValue? {
    guard let cell = values[property], cell.epoch == seenEpoch else { return nil }
    return CellValue(payload: cell.payload)
  }

  /// The occurrences of members that were added and not removed.
  package var liveMembers: [Member] {
    members.filter { $0.value.epoch == seenEpoch && $0.value.payload == CellValue.present }
      .map(\.key)
  }

  package func place(of target: SyncID, in relationship: PropertyID) -> String? {
    guard let cell = places[Place(relationship: relationship, target: target)],
      cell.epoch == seenEpoch
    else { return nil }
    return CellValue(payload: cell.payload)?.place
  }

  /// All cells with their fields, in an order that does not change from run to run.
  package var all: [(field: CellKey.Field, cell: Cell)] {
    var all: [(CellKey.Field, Cell)] = []
    if let life { all.append((.life, life)) }
    for (property, cell) in values { all.append((.value(property), cell)) }
    for (member, cell) in members {
      all.append((.member(member.relationship, member.target, dot: member.dot), cell))
    }
    for (place, cell) in places {
      all.append((.place(place.relationship, place.target), cell))
    }
    return all.sorted { $0.0 < $1.0 }
  }

  /// The objects that any of the cells names.
  package var targets: Set<SyncID> {
    var targets = Set(members.keys.map(\.target))
    for cell in values.values {
      if let target = CellValue.reference(in: cell.payload) { targets.insert(target) }
    }
    return targets
  }
}
