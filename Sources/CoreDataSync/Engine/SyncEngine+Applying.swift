import CoreData
import CoreDataSyncCore

// MARK: - Apply

extension SyncEngine {
  enum Applied {
    case done
    /// A portion was applied, and there are others.
    case more
    /// The program has saved in between, or the refused objects have to be tried in another way.
    case again
  }

  /// Saves what the inbox has changed in the store, or a portion of it.
  func apply() throws -> Applied {
    try world.pass(.beforeApply)
    guard try hasWork else {
      if try sidecar.isInboxComplete { try sidecar.forgetGone() }
      return .done
    }
    let portion = try nextPortion()
    let merged = try MergedInbox(
      sidecar,
      model,
      world,
      writer: writer,
      portion,
      lacked: lackedLives()
    )
    let affected = try self.affected(by: merged)
    if try losesForAWhile(affected, merged) {
      appliesAtOnce = true
      return .more
    }
    let context = door.context()
    guard try context.performAndWait({ try save(merged, affected, in: context) }) else {
      try sidecar.transact { try sidecar.forgetPending() }
      return .again
    }
    try mark(merged, affected)
    try world.pass(.afterMark)
    return portion.objects == nil ? .done : .more
  }

  private var hasWork: Bool {
    get throws {
      if try sidecar.isInboxComplete {
        if try sidecar.mode != .changes { return true }
        // Pages that were put aside come late, without anything new.
        if try sidecar.received != sidecar.cursor || sidecar.isAnythingInInbox { return true }
      }
      return try sidecar.isAnythingDirty
    }
  }

  /// Whether a portion would take objects out of the store that live, and that the rest of the inbox may bring back
  /// as others: their unique values are still those of objects that wait, or what they need does.
  private func losesForAWhile(_ affected: Set<SyncID>, _ merged: MergedInbox) throws -> Bool {
    switch merged.portion {
    case .everything: return false
    case .inbox: break
    case .dirty: if !merged.awaitsOthers { return false }
    }
    let projector = try projector(of: merged)
    return try affected.contains { id in
      try merged.overlay.cells(of: id)?.isAlive == true && !projector.isVisible(id)
        && sidecar.address(of: id) != nil
    }
  }

  /// Derives the store's content once the inbox is merged, without the cells that the store refuses and those that come
  /// later.
  func projector(of merged: MergedInbox) throws -> Projector {
    let held = try sidecar.heldBack().objects
    return Projector(merged.overlay, model.schema) { held.contains($0) || merged.isAwaited($0) }
  }

  /// The objects that the store may show differently once the inbox is merged, including those that were dirty before.
  func affected(by merged: MergedInbox, includesDirty: Bool = true) throws -> Set<SyncID> {
    let held = try sidecar.heldBack().objects
    var touched = merged.overlay.touched
    switch merged.portion {
    case .everything:
      if includesDirty { touched.formUnion(try sidecar.identities(in: .dirty)) }
      touched.formUnion(held)
      if try isReplacing { touched.formUnion(try sidecar.identities(in: .cell)) }
    case .inbox: break
    case .dirty(let ids): touched.formUnion(ids)
    }
    return try AffectedObjects(
      of: touched,
      old: Projector(
        CellOverlay(on: sidecar, model.schema),
        model.schema,
        isHeldBack: merged.lacked.contains
      ),
      new: projector(of: merged)
    ).found
  }

  private var isReplacing: Bool {
    get throws { try sidecar.mode == .snapshot && sidecar.isInboxComplete }
  }
}

// MARK: - Save

extension SyncEngine {
  /// - Returns: Whether it is saved, or nothing had to be.
  private func save(
    _ merged: MergedInbox,
    _ affected: Set<SyncID>,
    in context: NSManagedObjectContext
  ) throws -> Bool {
    try world.pass(.beforeEdit)
    let held = try sidecar.heldBack().properties
    let edit = StoreEdit(in: context, door, sidecar, model, try projector(of: merged), held: held)
    try edit.perform(on: affected)
    for (held, sentence) in edit.unfit {
      try sidecar.hold(held.object, held.property, sentence, at: correctedTime)
    }
    // The values read may be later than those drained; from here the store's versions watch.
    guard context.hasChanges else { return try isDrained() }
    guard try isDrained() else { return false }
    try edit.watchEnds(of: merged.overlay.changes.keys)
    try world.pass(.beforePending)
    let page = (try sidecar.number("page") ?? 0) &+ 1
    try notePending(edit, page, merged.portion, in: context)
    context.name = Self.name(ofPage: page)
    let before = StoreMark(of: door)
    StoreMark(replica: try sidecar.replica?.description ?? "", page: page).leave(at: door)
    do {
      try world.pass(.beforeSave)
      try context.save()
    } catch {
      // Else the next save of the program would write that this one has happened.
      StoreMark.leave(before, at: door)
      // On a full disk no part of it would go.
      guard let error = error as? CocoaError, error.code != .fileWriteOutOfSpace else {
        throw error
      }
      try cope(with: error, edit, isAll: merged.portion.objects == nil)
      return false
    }
    try world.pass(.afterSave)
    return true
  }

  /// Whether nobody but the engine has saved since what was read last.
  func isDrained() throws -> Bool {
    guard try sidecar.number("needsScan") != 1,
      let transactions = try transactionsIfKept(after: sidecar.token)
    else { return false }
    return transactions.allSatisfy { $0.author == StoreDoor.author }
  }

  /// Writes down which identities the new objects are to have, before there are any.
  private func notePending(
    _ edit: StoreEdit,
    _ page: Int64,
    _ portion: InboxPortion,
    in context: NSManagedObjectContext
  ) throws {
    let inserted = edit.inserted.sorted { $0.key < $1.key }
    try context.obtainPermanentIDs(for: inserted.map(\.value))
    try sidecar.transact {
      try sidecar.forgetPending()
      for (id, object) in inserted { try sidecar.addPending(id, object.objectID.address) }
      try sidecar.set(portion)
      try sidecar.setNumber(page, "page")
      try sidecar.setNumber(page, "savingPage")
    }
  }

  /// A store that was changed is read again; a value that it refuses is held back, and the others are
  /// saved without it.
  private func cope(with error: CocoaError, _ edit: StoreEdit, isAll: Bool) throws {
    guard isAll else {
      // The rest may complete the objects that are refused now.
      appliesAtOnce = try isDrained()
      return
    }
    switch error.code.rawValue {
    case NSManagedObjectMergeError, NSManagedObjectConstraintMergeError,
      NSPersistentStoreSaveConflictsError:
      if try isDrained() { try hold(conflicting: error, edit) }
    default:
      let count = try hold(refused: error, edit)
      if count == 0 { throw error }
    }
  }
}

// MARK: - Mark

extension SyncEngine {
  /// Notes that the store shows the inbox's cells.
  func mark(_ merged: MergedInbox, _ affected: Set<SyncID>) throws {
    let projector = try projector(of: merged)
    let pending = try sidecar.pendingAddresses()
    var addresses: [SyncID: String?] = [:]
    for id in affected {
      if try !projector.isVisible(id) {
        addresses[id] = .some(nil)
      } else if let new = pending[id] {
        addresses[id] = new
      }
    }
    let (save, follows) = try transactionOfSave()
    // If nothing had to be saved, the store has shown it already.
    let shown =
      try sidecar.number("savingPage") == nil ? sidecar.lastDrained : save?.transactionNumber
    let number = try save?.transactionNumber ?? latestOfSave()
    try sidecar.transact {
      if let save { try sidecar.noteDrained(save.transactionNumber, save.timestamp) }
      if let save, follows { try moveBehind(save) }
      if let page = try sidecar.number("savingPage") { try sidecar.setNumber(page, "markedPage") }
      try keepCells(of: merged, since: shown)
      try keepConflicts(of: merged)
      for (id, address) in addresses { try sidecar.setAddress(address, of: id, since: number) }
      try sidecar.forgetPending()
      if try sidecar.isStale || sidecar.hasLearned {
        try sidecar.noteShown(affected.filter { !merged.isAwaited($0) }, since: shown)
      }
      try markClean(merged, affected, since: shown)
      try sidecar.set(merged.clock)
    }
    try noteGiven(affected, by: merged, projector)
  }

  private func markClean(
    _ merged: MergedInbox,
    _ affected: Set<SyncID>,
    since number: Int64?
  ) throws {
    switch merged.portion {
    case .inbox: return try sidecar.markDirty(merged.needed)
    case .dirty:
      try sidecar.forgetDirty(affected.filter { !merged.isAwaited($0) })
      if try sidecar.isAnythingDirty { return }
    case .everything: try sidecar.forgetDirty()
    }
    if try sidecar.isStale || sidecar.hasLearned { try sidecar.noteAllShown(since: number) }
  }

  /// The save to be noted, as the store's history has it, and whether it comes right after the last one read.
  private func transactionOfSave() throws -> ((any StoreTransaction)?, isNext: Bool) {
    guard let page = try sidecar.number("savingPage"),
      let transactions = try transactionsIfKept(after: sidecar.token),
      let place = transactions.lastIndex(where: { $0.isPage(page) })
    else { return (nil, false) }
    return (transactions[place], place == 0)
  }

  /// The number of the save to be noted, if the history does not reach back to the last transaction read: its own, or
  /// that of the last transaction that was purged with it.
  ///
  /// Zero if nothing was being saved, and the greatest number if it is unknown.
  private func latestOfSave() throws -> Int64 {
    guard let page = try sidecar.number("savingPage") else { return 0 }
    let token = try sidecar.token
    if token != nil, try transactionsIfKept(after: token) != nil { return .max }
    let kept = try transactionsIfKept(after: nil) ?? []
    if let own = kept.last(where: { $0.isPage(page) }) { return own.transactionNumber }
    if let first = kept.first { return first.transactionNumber - 1 }
    return lastNumber(in: try door.currentToken) ?? .max
  }

  /// Notes that the history was read up to a save of the engine's own, in which there is nothing to drain.
  ///
  /// Otherwise a program that purges a history that everybody has read would leave the sidecar in front of the gap, and
  /// all objects would have to be looked at.
  private func moveBehind(_ save: any StoreTransaction) throws {
    try sidecar.setSight(nil)
    try sidecar.set(save.token)
  }

  /// Keeps what merging has changed, and which transaction shows it; nil for none, or for one of which nothing is known.
  func keepCells(of merged: MergedInbox, since number: Int64?) throws {
    let isComplete = try sidecar.isInboxComplete
    let mode = try sidecar.mode
    if isComplete, mode == .snapshot { try sidecar.forgetCells(butFor: merged.overlay.changes) }
    try sidecar.put(
      merged.overlay.changes,
      since: { _ in number },
      isUnsent: { merged.own.contains($0) }
    )
    try sidecar.setClaims(of: merged.overlay.touched, merged.overlay, model.schema)
    try sidecar.sendWhatCameLate()
    try sidecar.forgetLostAsideInInbox()
    switch merged.portion {
    case .inbox(let ids): return try sidecar.removeFromInbox(ids)
    case .dirty: return
    case .everything: break
    }
    guard isComplete else { return }
    if mode == .rewound {
      try sidecar.sendWhatInboxLacks()
      try sidecar.doubtWhatIsAside()
    }
    try sidecar.emptyInbox()
    try sidecar.forgetNeedlessAside()
    try sidecar.forgetTold()
    try sidecar.forgetGone()
    try sidecar.set(try sidecar.received, "cursor")
    try sidecar.set(.changes)
    try sidecar.setNumber(0, "isInboxComplete")
  }

  func keepConflicts(of merged: MergedInbox) throws {
    let now = try correctedTime
    for keyed in merged.conflicts { try sidecar.keepConflict(keyed, at: now) }
  }
}
