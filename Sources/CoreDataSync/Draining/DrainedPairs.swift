import CoreData
import CoreDataSyncCore

/// The pairs that local changes make and take apart, where many may belong to many.
///
/// A pair is there as long as one of its occurrences is: each is known by the transaction that may have made it.
final class DrainedPairs {
  private let material: DrainMaterial
  private let pen: CellPen
  /// The transactions that may have put into a set what a later one has taken out.
  private var goneMakers: Set<Int> = []

  init(_ material: DrainMaterial, _ pen: CellPen) {
    self.material = material
    self.pen = pen
  }

  private var view: ShownStore { material.view }
  private var overlay: CellOverlay { pen.overlay }

  struct Pair {
    let owner: SyncID
    let member: SyncID
    let role: SyncRole
  }
}

// MARK: - Sets

extension DrainedPairs {
  func change(
    _ members: [SyncID],
    of owner: SyncID,
    _ role: SyncRole,
    _ stamp: Stamp,
    _ making: Making
  ) throws {
    noteMakers(making)
    let projector = pen.projector()
    let visible = try material.standIn(for: owner, projector)
    let known = Set(try projector.object(visible)?.members[role.property] ?? [])
    var shown: Set<SyncID> = []
    for member in members {
      let other = try material.standIn(for: member, projector)
      shown.insert(other)
      let pair = Pair(owner: owner, member: member, role: role)
      if try isNew(pair, isKnown: known.contains(other), projector) {
        try link(pair, stamp, making, beyond: member)
      }
    }
    for member in known.subtracting(shown).sorted() {
      try unlink(Pair(owner: owner, member: member, role: role), projector, stamp)
    }
    try noteTakenOut(allBut: members, of: owner, role, projector)
  }

  func change(
    _ owners: [SyncID],
    owning member: SyncID,
    _ role: SyncRole,
    _ stamp: Stamp,
    _ making: Making
  ) throws {
    noteMakers(making)
    let projector = pen.projector()
    let visible = try material.standIn(for: member, projector)
    let known = Set(try projector.owners(of: visible, role.property, role.membership))
    var shown: Set<SyncID> = []
    for owner in owners {
      let other = try material.standIn(for: owner, projector)
      shown.insert(other)
      let pair = Pair(owner: owner, member: member, role: role)
      if try isNew(pair, isKnown: known.contains(other), projector) {
        try link(pair, stamp, making, beyond: owner)
      }
    }
    for owner in known.subtracting(shown).sorted() {
      try unlink(Pair(owner: owner, member: member, role: role), projector, stamp)
    }
  }

  /// Adds the pairs of which nothing is known, neither that they are there nor that they were taken apart.
  func add(_ members: [SyncID], of owner: SyncID, _ role: SyncRole, _ stamp: Stamp) throws {
    let projector = pen.projector()
    for member in members {
      let pair = Pair(owner: owner, member: member, role: role)
      guard try occurrences(of: pair, projector, isLive: false).isEmpty else { continue }
      try link(pair, stamp, dot: material.world.dot(stamp))
    }
  }

  private func noteMakers(_ making: Making) {
    goneMakers.formUnion(making.touch.transactions(of: making.name).dropLast())
  }

  /// Notes the occurrences that members may have had which were put in and taken out again.
  func noteGone() throws {
    // Others may know it from before store and sidecar were put back to a backup.
    if material.changes.isFound { return }
    try material.sidecar.noteGone(Set(goneMakers.map(material.dot)))
  }
}

// MARK: - Occurrences

extension DrainedPairs {
  /// Adds an occurrence.
  ///
  /// It is known by the first transaction that may have made the pair, because it has changed the sets at both ends.
  ///
  /// A history names the sets, and not the members. But a device that is put back to a backup, and reads up to that
  /// transaction or beyond, finds the same one.
  private func link(_ pair: Pair, _ stamp: Stamp, _ making: Making, beyond end: SyncID) throws {
    var maker: Int?
    if !material.changes.isFound {
      let address = making.inverse == nil ? nil : try material.sidecar.address(of: end)
      maker = making.maker(with: address.flatMap { material.changes.touch(at: $0) })
    }
    guard let maker else { return try link(pair, stamp, dot: material.world.dot(stamp)) }
    try link(pair, material.stamps[maker], dot: material.dot(of: maker))
  }

  private func link(_ pair: Pair, _ stamp: Stamp, dot: Stamp) throws {
    let field = CellKey.Field.member(pair.role.property, pair.member, dot: dot)
    let known = try overlay.cells(of: pair.owner)
    // An occurrence that was removed stays removed.
    if let cell = known?[field], cell.epoch == known?.seenEpoch,
      CellValue.isRemoval(cell.payload)
    {
      return
    }
    try pen.write(pair.owner, field, CellValue.present, stamp)
  }

  /// Whether the program has made a pair that the store shows, and nobody has noted that yet.
  private func isNew(_ pair: Pair, isKnown: Bool, _ projector: Projector) throws -> Bool {
    let (owner, member) = (pair.owner, pair.member)
    if view.isCurrent { return !isKnown }
    if isKnown {
      let known = try occurrences(of: pair, projector)
      // Nobody was told since when it is there, but that it is.
      if material.changes.isFound { try view.noteShown(known, since: material.changes.lookedAt) }
      return try view.isMadeAgain(known, between: owner, member)
    }
    let cells = try occurrences(of: pair, projector, isLive: false)
    return try !view.isLeftOver(cells, between: owner, member)
  }

  /// Removes what the store has shown of a pair.
  private func unlink(_ pair: Pair, _ projector: Projector, _ stamp: Stamp) throws {
    let known = try occurrences(of: pair, projector)
    for keyed in try view.takenOut(known, projector) {
      try pen.write(keyed.key.object, keyed.key.field, CellValue.removed, stamp)
    }
  }

  /// Notes which members are taken out that an older store went on showing: put there again, they are new.
  private func noteTakenOut(
    allBut members: [SyncID],
    of owner: SyncID,
    _ role: SyncRole,
    _ projector: Projector
  ) throws {
    guard view.mayHaveLeftOver else { return }
    let shown = Set(try members.flatMap { try projector.group(of: $0) })
    for id in try projector.group(of: owner).sorted() {
      for (member, cell) in try overlay.cells(of: id)?.members ?? [:]
      where member.relationship == role.property && !shown.contains(member.target)
        && CellValue.isRemoval(cell.payload)
      {
        try view.noteTakenOut(CellKey(id, member.field))
      }
    }
  }
}

// MARK: - What is known

extension DrainedPairs {
  /// The known occurrences of a pair: between any two objects that these represent.
  func occurrences(
    of pair: Pair,
    _ projector: Projector,
    isLive: Bool = true
  ) throws -> [KeyedCell] {
    var ends = [(try group(of: pair.owner, projector), try group(of: pair.member, projector))]
    if pair.role.membership.isSymmetric { ends.append((ends[0].1, ends[0].0)) }
    var found: [KeyedCell] = []
    for (owners, members) in ends {
      for owner in owners.sorted() {
        guard let cells = try overlay.cells(of: owner) else { continue }
        for member in isLive ? cells.liveMembers : Array(cells.members.keys)
        where member.relationship == pair.role.property && members.contains(member.target) {
          guard let cell = cells.members[member], cell.epoch == cells.seenEpoch else { continue }
          found.append(KeyedCell(CellKey(owner, member.field), cell))
        }
      }
    }
    return found
  }

  /// The objects that belong together if the store shows one, and the cells another.
  private func group(of id: SyncID, _ projector: Projector) throws -> Set<SyncID> {
    try projector.group(of: material.standIn(for: id, projector)).union([id])
  }
}
