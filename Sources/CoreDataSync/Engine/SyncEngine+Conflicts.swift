import CoreDataSyncCore

// MARK: - What was deleted

extension SyncEngine {
  /// Brings a deleted object back as it was in its last life, with a value that lost against the deletion, and shows
  /// that in the store.
  ///
  /// Other values that are back with it are no longer conflicts.
  func bringBack(_ lost: KeyedCell) throws {
    let id = lost.key.object
    try finishSave()
    try drain()
    try sidecar.transact {
      let overlay = CellOverlay(on: sidecar, model.schema)
      var clock = try sidecar.clock
      let stamp = clock.stamp(milliseconds: try correctedTime, writer: writer)
      for keyed in try sidecar.cells(of: id)?.revival(of: id, at: stamp) ?? [] {
        try overlay.replace(keyed.key, by: keyed.cell)
      }
      guard var cell = overlay.changes[lost.key] else { throw SyncFailure.nothingToTakeBackTo }
      cell.payload = lost.cell.payload
      try overlay.replace(lost.key, by: cell)
      try keep(overlay, showing: id, at: clock)
    }
    try applyAll()
  }

  private func keep(_ overlay: CellOverlay, showing id: SyncID, at clock: HybridClock) throws {
    let projector = Projector(overlay, model.schema)
    guard try projector.isVisible(id) else { throw SyncFailure.neededIsGone }
    let affected = try AffectedObjects(
      of: overlay.touched,
      old: Projector(CellOverlay(on: sidecar, model.schema), model.schema),
      new: projector
    ).found
    for kept in try sidecar.keptConflicts() where kept.keyed.key.object == id {
      let isBack = overlay.changes[kept.keyed.key]?.payload == kept.keyed.cell.payload
      if isBack { try sidecar.forgetConflict(kept.number) }
    }
    try sidecar.put(overlay.changes, since: { _ in nil }, isUnsent: { _ in true })
    try sidecar.setClaims(of: overlay.touched, overlay, model.schema)
    try sidecar.markDirty(affected)
    try sidecar.set(clock)
  }
}

// MARK: - For how long

extension SyncEngine {
  /// How long values that lost are kept: thirty days, in milliseconds.
  static let memory: UInt64 = 30 * 24 * 3600 * 1000

  /// The time by the server's clock, as far as it is known.
  var correctedTime: UInt64 {
    get throws { try time(correctedBy: sidecar.clockOffset) }
  }

  func time(correctedBy offset: Int64) -> UInt64 { world.time().corrected(by: offset) }

  /// Forgets the values that have lost more than thirty days ago, and those as old that the server has lost as well.
  ///
  /// Only when the server has just said what time it is: this machine's clock may be wrong by years.
  func forgetOldConflicts() throws {
    let now = try correctedTime
    try sidecar.boundConflicts(by: now)
    let earliest = now - min(now, Self.memory)
    try sidecar.forgetConflicts(before: earliest)
    try sidecar.forgetLostAside(before: earliest)
  }
}

extension UInt64 {
  /// A time by a clock that is wrong by so much; by one that is wrong beyond all times, the time itself.
  func corrected(by offset: Int64) -> UInt64 {
    let (sum, isTooMuch) = Int64(clamping: self).addingReportingOverflow(offset)
    return isTooMuch ? self : UInt64(Swift.max(sum, 0))
  }
}
