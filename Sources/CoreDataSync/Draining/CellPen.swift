import CoreDataSyncCore

/// Writes the cells of local changes.
final class CellPen {
  let overlay: CellOverlay

  init(on sidecar: Sidecar, _ schema: SyncSchema) {
    overlay = CellOverlay(on: sidecar, schema)
  }

  /// What the cells say now.
  func projector() -> Projector { Projector(overlay, overlay.schema) }

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
    if let known, known.stamp > stamp, !isOurs { return }
    try overlay.replace(
      CellKey(id, field),
      by: Cell(
        epoch: cells.seenEpoch,
        stamp: isOurs ? known?.stamp ?? stamp : stamp,
        base: isOurs ? known?.base ?? 0 : known?.stamp.moment ?? 0,
        payload: payload
      )
    )
  }

  /// Removes an occurrence of a member.
  func remove(_ member: ObjectCells.Member, from owner: SyncID, _ stamp: Stamp) throws {
    try write(
      owner,
      .member(member.relationship, member.target, dot: member.dot),
      CellValue.removed,
      stamp
    )
  }
}
