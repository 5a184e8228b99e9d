import CoreDataSyncCore

/// Writes the cells of local changes, within a transaction of the sidecar.
///
/// When there are as many as a portion has, they go into the sidecar; its former cells are still known then, as another
/// connection sees them until the transaction ends.
final class CellPen {
  private(set) var overlay: CellOverlay
  /// The cells before the first was written.
  private(set) var before: any CellSource
  private(set) var hasFlushed = false
  /// Values that were replaced, and that the program had not seen; and values of the store's that are replaced, of which
  /// nobody knows whether they are the older ones.
  private(set) var conflicts: [KeyedCell] = []
  private var flushed: Set<SyncID> = []
  private let sidecar: Sidecar
  private let room: Int
  private let awaitsLook: Bool
  private let view: ShownStore
  /// The stamp with which a first reading keeps the store's values as conflicts; `nil` if it keeps none.
  private let found: Stamp?
  /// The transactions that have these stamps.
  private let numbers: [Stamp: Int64]

  /// With `awaitsLook`, all objects are still to be looked at: the history may have some without the older objects that
  /// they need; the store has them nevertheless.
  init(
    on sidecar: Sidecar,
    _ schema: SyncSchema,
    room: Int,
    awaitsLook: Bool,
    _ view: ShownStore,
    found: Stamp?,
    _ numbers: [Stamp: Int64]
  ) {
    self.sidecar = sidecar
    self.room = room
    self.awaitsLook = awaitsLook
    self.view = view
    self.found = found
    self.numbers = numbers
    before = sidecar
    overlay = CellOverlay(on: sidecar, schema)
  }

  /// The cells' present view of the store's objects.
  func projector() -> Projector {
    Projector(overlay, overlay.schema, showsUnfinished: awaitsLook)
  }

  /// The objects of which a cell was written.
  var touched: Set<SyncID> { flushed.union(overlay.touched) }

  /// Writes a cell in the present life of its object.
  func write(
    _ id: SyncID,
    _ field: CellKey.Field,
    _ payload: [UInt8],
    _ stamp: Stamp
  ) throws {
    guard let cells = try overlay.cells(of: id), cells.epoch > 0 else { return }
    let known = cells[field]
    // The clock has seen all that is known, so that only these changes have later stamps.
    let isOurs = known.map { $0.stamp >= stamp && $0.stamp.writer == stamp.writer } ?? false
    // A cell of an earlier life says nothing about this one.
    if let known, known.epoch == cells.seenEpoch, known.stamp > stamp, !isOurs {
      return noteFound(KeyedCell(CellKey(id, field), known), instead: payload)
    }
    let key = CellKey(id, field)
    var base = isOurs ? known?.base : known?.stamp.moment
    if let known, !isOurs, known.epoch == cells.seenEpoch,
      try view.showing(KeyedCell(key, known)) == .never
    {
      // The program saw what the other writer saw, or what was there before that.
      base = known.base
      note(KeyedCell(key, known), replacedBy: payload)
    } else if let known, !isOurs, known.epoch == cells.seenEpoch,
      try sidecar.isUntold(KeyedCell(key, known))
    {
      base = Self.base(insteadOf: known)
    }
    try overlay.replace(
      key,
      by: Cell(
        epoch: cells.seenEpoch,
        stamp: isOurs ? known?.stamp ?? stamp : stamp,
        base: base ?? 0,
        payload: payload
      )
    )
  }

  /// The base of a cell that replaces one that no other device has got: the base of the replaced cell.
  ///
  /// Neither has seen anything between the two. The base says all the same that something was replaced.
  private static func base(insteadOf untold: Cell) -> UInt64 { max(untold.base, 1) }

  /// Keeps the store's value as a conflict if others have written something else, and nobody knows which was later.
  ///
  /// That happens at the first reading of a store whose history does not reach back, for example of one that was in
  /// step before, left, and was written to in between.
  func noteFound(_ known: KeyedCell, instead payload: [UInt8]) {
    guard let found else { return }
    note(
      KeyedCell(known.key, Cell(epoch: known.cell.epoch, stamp: found, payload: payload)),
      replacedBy: known.cell.payload
    )
  }

  private func note(_ lost: KeyedCell, replacedBy payload: [UInt8]) {
    guard case .value = lost.key.field, !CellValue.showTheSame(lost.cell.payload, payload) else {
      return
    }
    conflicts.append(lost)
  }

  /// Removes an occurrence of a member.
  func remove(_ member: ObjectCells.Member, from owner: SyncID, _ stamp: Stamp) throws {
    try write(owner, member.field, CellValue.removed, stamp)
  }
}

// MARK: - Portions

extension CellPen {
  /// Puts the written cells into the sidecar, if there are as many as a portion.
  func makeRoom() throws {
    guard overlay.size >= room else { return }
    if !hasFlushed { before = try Sidecar(asCommitted: sidecar) }
    hasFlushed = true
    flushed.formUnion(overlay.touched)
    try flush()
    overlay = CellOverlay(on: sidecar, overlay.schema)
  }

  /// Puts what was written into the sidecar.
  func flush() throws {
    let touched = overlay.touched
    try sidecar.put(overlay.changes, since: { numbers[$0.stamp] }, isUnsent: { _ in true })
    try sidecar.setClaims(of: touched, overlay, overlay.schema)
    // A change of the program is a reason to try its objects again, and those that may need them.
    try sidecar.release(touched)
    try sidecar.retryObjects(after: overlay.changes, overlay.schema)
    try sidecar.release(overlay.changes.keys, areOwn: true)
  }

  /// The objects that the store may show differently because these were written.
  func affected(by ids: Set<SyncID>, portion: Int) throws -> Set<SyncID> {
    guard hasFlushed else {
      return try AffectedObjects(
        of: ids,
        old: Projector(before, overlay.schema),
        new: Projector(overlay, overlay.schema)
      ).found
    }
    var found: Set<SyncID> = []
    for portion in ids.sorted().portions(of: portion) {
      let (old, new) = (
        CellOverlay(on: before, overlay.schema), CellOverlay(on: overlay, overlay.schema)
      )
      found = try AffectedObjects(
        of: Set(portion),
        old: Projector(old, overlay.schema),
        new: Projector(new, overlay.schema),
        beyond: found
      ).found
      try makeRoom()
    }
    return found
  }
}

extension RandomAccessCollection {
  /// The elements, so many at a time.
  func portions(of size: Int) -> some Sequence<SubSequence> {
    sequence(state: self[...]) { rest in
      if rest.isEmpty { return nil }
      defer { rest = rest.dropFirst(size) }
      return rest.prefix(size)
    }
  }
}
