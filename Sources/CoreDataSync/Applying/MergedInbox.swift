import CoreDataSyncCore

/// The known cells with the inbox merged into them, and the cells that this device has to add.
final class MergedInbox {
  let overlay: CellOverlay
  /// The cells among the changes that have to be sent.
  private(set) var own: Set<CellKey> = []
  private(set) var conflicts: [KeyedCell] = []
  private(set) var clock: HybridClock
  /// Identities that were taken for other objects since.
  private(set) var renamed: [SyncID: SyncID] = [:]
  /// The part of the inbox that is merged.
  let portion: InboxPortion
  /// Deleted objects that seem to be needed, as far as a portion tells.
  private(set) var needed: [SyncID] = []
  /// Living objects that the store lacks, as one that was restored does.
  let lacked: LackedLives

  private let sidecar: Sidecar
  private let model: SyncModel
  private let world: SyncWorld
  private let writer: UInt64
  private let inPortion: Set<SyncID>
  private var unsent: [CellKey: Cell] = [:]

  init(
    _ sidecar: Sidecar,
    _ model: SyncModel,
    _ world: SyncWorld,
    writer: UInt64,
    _ portion: InboxPortion = .everything,
    lacked: LackedLives,
    repairsDirty: Bool = true
  ) throws {
    self.sidecar = sidecar
    self.model = model
    self.world = world
    self.writer = writer
    self.portion = portion
    self.lacked = lacked
    inPortion = Set(portion.objects ?? [])
    clock = try sidecar.clock
    switch portion {
    case .everything: break
    case .inbox(let ids):
      overlay = CellOverlay(on: sidecar, model.schema)
      let cells = try sidecar.inbox(of: ids)
      try merge(cells)
      try endGone()
      try removeGone(among: cells)
      // Whether they are is known when all is merged.
      needed = try DenialRepair(overlay, model.schema, by: .alive).needed(among: overlay.touched)
      return
    case .dirty(let ids):
      overlay = CellOverlay(on: sidecar, model.schema)
      try repairDenials(among: Set(ids))
      return
    }
    let isComplete = try sidecar.isInboxComplete
    let isSnapshot = try isComplete && sidecar.mode == .snapshot
    overlay = CellOverlay(on: isSnapshot ? NoCells() : sidecar, model.schema)
    let cells = try isComplete ? sidecar.inbox() : []
    if isSnapshot {
      for keyed in try sidecar.unsentCells(limit: .max) { unsent[keyed.key] = keyed.cell }
      try replace(by: cells)
    } else {
      // Of what waits, merging asks for objects with natural identities only.
      for keyed in try sidecar.unsentNaturalCells() { unsent[keyed.key] = keyed.cell }
      try merge(cells)
    }
    try endGone()
    try removeGone(among: cells)
    try liftNaturalObjects()
    try repairDenials(among: repairsDirty ? sidecar.identities(in: .dirty) : [])
  }

  /// Whether the store lacks an object and gets it with another portion.
  ///
  /// Until then it shows others as if that were not there.
  func isAwaited(_ id: SyncID) -> Bool {
    portion.objects != nil && lacked.contains(id) && !inPortion.contains(id)
  }

  /// Whether there is any such object.
  var awaitsOthers: Bool {
    portion.objects != nil && lacked.count > inPortion.filter(lacked.contains).count
  }

  /// A stamp for changes that merging makes necessary.
  private func newStamp() throws -> Stamp {
    let time = world.time().corrected(by: try sidecar.clockOffset)
    return clock.stamp(milliseconds: time, writer: writer)
  }

  private func add(_ keyed: KeyedCell) throws {
    try overlay.replace(keyed.key, by: keyed.cell)
    own.insert(keyed.key)
  }
}

// MARK: - Merging

extension MergedInbox {
  private func merge(_ cells: [KeyedCell]) throws {
    for keyed in cells where keyed.lostValue == nil {
      clock.witness(keyed.cell.stamp.moment)
      switch try overlay.merge(keyed.key, keyed.cell) {
      case .won(let known):
        if let known { try noteConflict(keyed.key, lost: known, to: keyed.cell) }
        try noteDeath(keyed)
        try noteWordsToDead(keyed)
      case .lost(let known):
        try noteConflict(keyed.key, lost: keyed.cell, to: known)
        try tellAgain(known, insteadOf: keyed)
      case .same: break
      }
    }
    for lost in cells.compactMap(\.lostValue) { try noteLoss(lost) }
  }

  /// Notes a value as a conflict of which the server says that somebody had not seen it who wrote in its place.
  private func noteLoss(_ lost: KeyedCell) throws {
    if let now = try overlay.cells(of: lost.key.object)?[lost.key.field], lost.cell.loses(to: now) {
      return try keepConflict(lost, to: now)
    }
    // The server may lack what has won.
    guard let winner = try sidecar.cellAside(at: lost.key), lost.cell.loses(to: winner) else {
      return
    }
    try keepConflict(lost, to: winner)
  }

  /// Sends a deletion or a removal that the server has forgotten once more, if another device brings back the ended
  /// thing.
  ///
  /// A device that was restored from before it had reported the object, or the member, does that. A new device would
  /// show something that no other does.
  private func tellAgain(_ known: Cell, insteadOf lost: KeyedCell) throws {
    guard lost.cell.isEnded(by: known, at: lost.key.field) else { return }
    try add(KeyedCell(lost.key, known))
  }

  /// Ends the lives that the server knows from before this device was put back to a backup, and that were deleted here
  /// before they were read.
  private func endGone() throws {
    for id in try sidecar.goneInInbox() where portion.objects == nil || inPortion.contains(id) {
      guard let cells = try overlay.cells(of: id), cells.isAlive, cells.epoch == 1,
        let life = cells.life
      else { continue }
      let death = Cell(
        epoch: 2,
        stamp: try newStamp(),
        base: life.stamp.moment,
        payload: life.payload
      )
      try add(KeyedCell(CellKey(id, .life), death))
    }
  }

  /// Removes the occurrences of members that the server knows from before this device was put back to a backup, and that
  /// were taken out here before they were read.
  private func removeGone(among cells: [KeyedCell]) throws {
    guard try sidecar.hasGoneDots else { return }
    for keyed in cells {
      guard case .member(let relationship, let target, let dot) = keyed.key.field,
        try sidecar.isGone(dot), let now = try overlay.cells(of: keyed.key.object),
        let cell = now[keyed.key.field], cell.epoch == now.seenEpoch,
        cell.payload == CellValue.present
      else { continue }
      // A member that was there when it was read is known by this occurrence, or was there by another before.
      let isShown = try sidecar.cells(of: keyed.key.object)?.liveMembers.contains {
        $0.relationship == relationship && ($0.target == target || $0.dot == dot)
      }
      if isShown == true { continue }
      let removal = Cell(
        epoch: cell.epoch,
        stamp: try newStamp(),
        base: cell.stamp.moment,
        payload: CellValue.removed
      )
      try add(KeyedCell(keyed.key, removal))
    }
  }

  private func noteConflict(_ key: CellKey, lost: Cell, to winner: Cell) throws {
    let lost = KeyedCell(key, lost)
    guard case .value = key.field,
      try winner.isConcurrent(with: lost.cell) || isUnseen(lost, by: winner)
    else { return }
    try keepConflict(lost, to: winner)
  }

  private func keepConflict(_ lost: KeyedCell, to winner: Cell) throws {
    guard !CellValue.showTheSame(lost.cell.payload, winner.payload),
      lost.cell.epoch == winner.epoch,
      !DeviceTag.isDevice(lost.key.object)
    else { return }
    conflicts.append(lost)
  }

  /// Whether no other device saw a value of this device's, although the one in its place replaced a later one: another
  /// device has written twice before the server got this value, which was then not accepted.
  ///
  /// If the server had it all the same, and another device has written twice since, before this device has asked, it is
  /// kept although it was seen.
  private func isUnseen(_ lost: KeyedCell, by winner: Cell) throws -> Bool {
    guard DeviceTag(writer: lost.cell.stamp.writer) == DeviceTag(writer: writer),
      winner.base != lost.cell.stamp.moment
    else { return false }
    return try sidecar.isUnheard(lost)
  }

  /// Notes the values that a device wrote to an object without knowing of its deletion.
  private func noteDeath(_ keyed: KeyedCell) throws {
    guard keyed.key.field == .life, keyed.cell.epoch & 1 == 0,
      let cells = try overlay.cells(of: keyed.key.object)
    else { return }
    for (property, cell) in cells.values where cell.epoch == cells.seenEpoch {
      let written = KeyedCell(CellKey(keyed.key.object, .value(property)), cell)
      guard try cell.stamp.moment > keyed.cell.base || isOwnAndUnheard(written) else { continue }
      conflicts.append(written)
    }
  }

  /// Whether this device has written a value of which nobody can have heard.
  ///
  /// The deletion of an object names the latest moment of all that was seen of it. A value may be earlier than that and
  /// unseen all the same, because another property was written after it.
  private func isOwnAndUnheard(_ keyed: KeyedCell) throws -> Bool {
    guard DeviceTag(writer: keyed.cell.stamp.writer) == DeviceTag(writer: writer) else {
      return false
    }
    return try sidecar.isUnheard(keyed)
  }

  /// Notes a value that another device has written to an object which this one has deleted without having seen it.
  ///
  /// Its writer cannot know that if the value is earlier than another one that the deletion had seen. If it is later, its
  /// writer notes it (``noteDeath(_:)``).
  private func noteWordsToDead(_ keyed: KeyedCell) throws {
    guard case .value = keyed.key.field,
      DeviceTag(writer: keyed.cell.stamp.writer) != DeviceTag(writer: writer),
      !DeviceTag.isDevice(keyed.key.object),
      let cells = try overlay.cells(of: keyed.key.object), !cells.isAlive,
      keyed.cell.epoch == cells.seenEpoch, let death = cells.life, death.epoch > 1,
      DeviceTag(writer: death.stamp.writer) == DeviceTag(writer: writer),
      keyed.cell.stamp.moment <= death.base
    else { return }
    conflicts.append(keyed)
  }

  /// Replaces all known cells by a snapshot, with the cells that the server has not received.
  ///
  /// Received cells are in the snapshot, or were forgotten for good. Other known cells are not merged back: they may be
  /// of objects that were deleted and forgotten.
  private func replace(by cells: [KeyedCell]) throws {
    var known: Set<CellKey> = []
    for keyed in cells where keyed.lostValue == nil {
      clock.witness(keyed.cell.stamp.moment)
      try overlay.merge(keyed.key, keyed.cell)
      known.insert(keyed.key)
    }
    // A new device need not be told of others' losses.
    for lost in cells.compactMap(\.lostValue)
    where try sidecar.cells(of: lost.key.object)?[lost.key.field]?.stamp == lost.cell.stamp {
      try noteLoss(lost)
    }
    let (watermarks, split) = (try sidecar.watermarks(), try sidecar.splitSave)
    unsent = unsent.filter { key, cell in
      cell.stamp == split || watermarks[cell.stamp.writer].map { cell.stamp > $0 } ?? true
    }
    for keyed in try sidecar.unheardCells() {
      guard let now = try overlay.cells(of: keyed.key.object)?[keyed.key.field],
        keyed.cell.loses(to: now)
      else { continue }
      try noteConflict(keyed.key, lost: keyed.cell, to: now)
    }
    try renameForgotten(known)
    try endForgotten()
    for (key, cell) in unsent.sorted(by: { $0.key < $1.key }) {
      switch try overlay.merge(key, cell) {
      case .won(let other):
        own.insert(key)
        if let other { try noteConflict(key, lost: other, to: cell) }
      case .lost(let other): try noteConflict(key, lost: cell, to: other)
      case .same: break
      }
    }
  }

  /// An object that was brought back here, and of which the server knows nothing any more, comes back as
  /// another: those who still know of its deletion would not take it.
  private func renameForgotten(_ known: Set<CellKey>) throws {
    for (key, cell) in unsent.sorted(by: { $0.key < $1.key })
    where key.field == .life && cell.epoch & 1 == 1 && cell.epoch > 1 && !known.contains(key) {
      renamed[key.object] = SyncID(random: world.random(), world.random())
    }
    if renamed.isEmpty { return }
    var moved: [CellKey: Cell] = [:]
    for (key, cell) in unsent {
      var cell = cell
      if renamed[key.object] != nil {
        guard let life = unsent[CellKey(key.object, .life)], life.epoch == cell.epoch else {
          continue
        }
        cell.epoch = 1
        cell.base = 0
      }
      cell.payload = cell.payload.renaming(renamed)
      moved[key.renaming(renamed)] = cell
    }
    unsent = moved
  }
}

// MARK: - What was written to the dead

extension MergedInbox {
  /// Keeps the values that were written here to objects that others have deleted, if the server has forgotten even the
  /// deletion.
  ///
  /// To the server they would be values of nothing. So they are not sent, the lives of the objects end here, and the
  /// values can be taken back as from any deleted object. One with a natural identity may be there as another's.
  private func endForgotten() throws {
    let (keys, made) = (unsent.keys, Set(unsent.keys.filter { $0.field == .life }.map(\.object)))
    for id in Set(keys.map(\.object)).subtracting(made).sorted()
    where !id.isNatural && !DeviceTag.isDevice(id) {
      guard try overlay.cells(of: id)?.life == nil, let known = try sidecar.cells(of: id),
        known.isAlive, known.epoch < .max, let life = known.life
      else { continue }
      let death = Cell(
        epoch: known.epoch + 1,
        stamp: try newStamp(),
        base: life.stamp.moment,
        payload: life.payload
      )
      for (field, cell) in known.all {
        let key = CellKey(id, field)
        try overlay.replace(key, by: field == .life ? death : cell)
        guard let written = unsent.removeValue(forKey: key), written.epoch == known.epoch,
          case .value = field
        else { continue }
        conflicts.append(KeyedCell(key, written))
      }
    }
  }
}

// MARK: - What has to be added

extension MergedInbox {
  /// An object that was made here without knowing that another with its unique values had been deleted
  /// is not that one, and stays.
  private func liftNaturalObjects() throws {
    for (key, life) in unsent.sorted(by: { $0.key < $1.key })
    where key.field == .life && key.object.isNatural && life.epoch & 1 == 1 {
      guard let cells = try overlay.cells(of: key.object), cells.epoch > life.epoch else {
        continue
      }
      let stamp = try newStamp()
      let epoch = cells.isAlive ? cells.epoch : cells.epoch + 1
      for (other, cell) in unsent.sorted(by: { $0.key < $1.key })
      where other.object == key.object && cell.epoch == life.epoch {
        try lift(other, cell, to: epoch, stamp, isAlive: cells.isAlive)
      }
    }
  }

  private func lift(
    _ key: CellKey,
    _ cell: Cell,
    to epoch: UInt16,
    _ stamp: Stamp,
    isAlive: Bool
  ) throws {
    var field = key.field
    switch field {
    case .life: if isAlive { return }
    case .member(let property, let target, _): field = .member(property, target, dot: stamp)
    case .value, .place, .lost: break
    }
    let lifted = Cell(epoch: epoch, stamp: stamp, base: 0, payload: cell.payload)
    try add(KeyedCell(CellKey(key.object, field), lifted))
  }

  /// Objects that were deleted while another device came to need them.
  private func repairDenials(among dirty: Set<SyncID>) throws {
    let repair = DenialRepair(overlay, model.schema)
    for _ in 0..<100 {
      let needed = try repair.needed(among: overlay.touched.union(dirty))
      if needed.isEmpty { return }
      for id in needed {
        let stamp = try newStamp()
        for keyed in try overlay.cells(of: id)?.revival(of: id, at: stamp) ?? [] { try add(keyed) }
      }
    }
  }
}

// MARK: - Other identities

extension CellKey {
  fileprivate func renaming(_ renamed: [SyncID: SyncID]) -> CellKey {
    var field = field
    switch field {
    case .life, .value, .lost: break
    case .member(let property, let target, let dot):
      field = .member(property, renamed[target] ?? target, dot: dot)
    case .place(let property, let target): field = .place(property, renamed[target] ?? target)
    }
    return CellKey(renamed[object] ?? object, field)
  }
}

extension [UInt8] {
  fileprivate func renaming(_ renamed: [SyncID: SyncID]) -> [UInt8] {
    guard case .reference(let target, let place)? = CellValue(payload: self),
      let new = renamed[target]
    else { return self }
    return CellValue.reference(new, place: place).payload
  }
}

extension Cell {
  /// Whether this says that something is there, and a later cell that it is not.
  fileprivate func isEnded(by known: Cell, at field: CellKey.Field) -> Bool {
    switch field {
    case .life: epoch & 1 == 1 && known.epoch & 1 == 0
    case .member: payload == CellValue.present && CellValue.isRemoval(known.payload)
    case .value, .place, .lost: false
    }
  }
}
