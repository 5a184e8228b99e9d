import CoreDataSyncCore

// MARK: - Push

extension SyncEngine {
  /// Sends what the server has not confirmed, in the order of its stamps.
  func push(_ send: (SyncRequest) throws -> SyncResponse) throws {
    // A device that begins again sends nothing before it knows the server's cells.
    if try sidecar.mode == .changes { try introduce() }
    while try sidecar.mode == .changes, let push = try nextPush() {
      try world.pass(.beforePush)
      guard let response = try response(to: push, send) else { continue }
      try world.pass(.afterPush)
      switch response {
      case .pushed(let pushed):
        try sidecar.transact {
          try sidecar.confirm(push.cells)
          try noteTime(pushed.time)
          try sidecar.noteSeen(pushed.head)
        }
      case .refused(let refusal):
        if case .clockAhead = refusal {
          if hasRestamped { throw SyncFailure.clocksDisagree }
          hasRestamped = true
        }
        if try !overcome(refusal) { return }
      case .page: throw WireError(sentence: "The server answered a push with a page.", offset: 0)
      }
      try world.pass(.afterConfirmation)
    }
  }

  /// The answer to a push; `nil` if its cells have to go in several messages.
  ///
  /// The answers are then confirmed message by message: a later refusal does not concern them.
  private func response(
    to push: SyncRequest.Push,
    _ send: (SyncRequest) throws -> SyncResponse
  ) throws -> SyncResponse? {
    do {
      return try send(.push(push))
    } catch is MessageTooLarge where push.cells.count > 1 {
      // Later messages are not larger.
      bytesPerPush = push.cells.reduce(0) { $0 + $1.size } / 2
      return nil
    }
  }

  private func nextPush() throws -> SyncRequest.Push? {
    // As many as one message takes: all that waits may be more than there is memory.
    var cells = try sidecar.unsentCells(limit: world.cellsPerPush + 1, bytes: bytesPerPush)
    guard let replica = try sidecar.replica, !cells.isEmpty else { return nil }
    if cells.count > world.cellsPerPush { cells = Self.wholeSaves(in: cells) }
    cells = Self.portion(of: cells, bytes: bytesPerPush)
    try noteSplitSave(of: cells)
    return .init(
      replica: replica,
      cursor: try sidecar.cursor,
      seen: try sidecar.seen,
      latestTaken: try sidecar.latestTaken,
      clock: min(try timeOfStamps, HybridClock.latest),
      cells: cells
    )
  }

  /// Notes which save goes in several messages: when its first has arrived, the server takes it for one that it has.
  private func noteSplitSave(of cells: [KeyedCell]) throws {
    guard let last = cells.last?.cell.stamp else { return }
    let count = cells.reversed().prefix { $0.cell.stamp == last }.count
    if try sidecar.hasUnsent(moreThan: count, of: last) { try sidecar.noteSplit(last) }
  }

  /// The cells for one message: fewer bytes than `bytes`, and whole saves if they fit.
  static func portion(of cells: [KeyedCell], bytes: Int) -> [KeyedCell] {
    var size = 0
    let fitting = cells.prefix {
      size += $0.size
      return size < bytes
    }
    // A value that is larger than all others together goes alone.
    if fitting.isEmpty { return Array(cells.prefix(1)) }
    return fitting.count < cells.count ? wholeSaves(in: cells.prefix(fitting.count + 1)) : cells
  }

  /// Leaves out the last save, which is not complete here, unless it is the only one.
  private static func wholeSaves(in cells: some BidirectionalCollection<KeyedCell>) -> [KeyedCell] {
    let stamp = cells.last?.cell.stamp
    let whole = cells.filter { $0.cell.stamp != stamp }
    return whole.isEmpty ? Array(cells.dropLast()) : whole
  }

  private func noteTime(_ time: UInt64) throws {
    let offset = Int64(clamping: time) - Int64(clamping: world.time())
    let known = try sidecar.clockOffset
    try sidecar.setNumber(offset, "clockOffset")
    // Stamps that were not given out yet are given by the time that is known now.
    if offset.subtractingReportingOverflow(known).partialValue.magnitude > Stamp.tolerance {
      try sidecar.setBackClock()
    }
  }

  /// - Returns: Whether it is worth trying again at once.
  private func overcome(_ refusal: SyncResponse.Refusal) throws -> Bool {
    switch refusal {
    case .resync: try beginAnew(.snapshot)
    case .rewound: try beginAnew(.rewound)
    case .clockAhead(let time):
      try restamp(after: time)
      return true
    }
    return false
  }

  func beginAnew(_ wanted: InboxMode) throws {
    try sidecar.transact {
      // Cells that a server lacks after it was put back are still sent again if it does not know the device any more:
      // nobody else may have them. Objects that all others have since deleted and forgotten come back with them.
      let mode = try sidecar.mode == .rewound ? .rewound : wanted
      try sidecar.set(mode)
      try sidecar.set(Cursor.start, "received")
      if mode == .rewound {
        try sidecar.set(Cursor.start, "seen")
        try sidecar.noteLatestTaken()
      }
      try sidecar.setNumber(0, "isInboxComplete")
      try sidecar.emptyInbox()
    }
  }
}

// MARK: - A clock that was ahead

extension SyncEngine {
  /// The time by the clock that has given the last stamps, corrected by the offset known at that time.
  private var timeOfStamps: UInt64 {
    get throws { try time(correctedBy: sidecar.offsetOfStamps) }
  }

  /// Gives what waits other stamps where the clock that has given them has turned out to be ahead.
  ///
  /// The server would take them once its own clock is near enough. Then a save that is sent once more, from a backup, would
  /// replace what was written since.
  func correctStamps() throws {
    let time = try correctedTime
    if try timeOfStamps > time + Stamp.tolerance { try restamp(after: time) }
  }

  /// Gives cells that nobody else has seen the stamps that they would have had by the server's clock.
  private func restamp(after time: UInt64) throws {
    let limit = (time << 16) | 0xFFFF
    let late = try sidecar.neverTakenCells().filter { $0.cell.stamp.moment > limit }
    var clock = HybridClock()
    let told = try timeOfStamps
    let stamps = try stamps(inPlaceOfThoseOf: late, ahead: told - min(told, time), of: time, &clock)
    clock.witness(try sidecar.latestMoment(upTo: limit))
    // A received cell that lost to one that is early now is not known here any more, and wins on other devices.
    let mayHaveLost = try stamps.values.contains { try $0.moment <= sidecar.latestReceived }
    try sidecar.transact {
      for keyed in late {
        let number = try sidecar.since(keyed.key)
        try sidecar.remove(keyed.key)
        var cell = keyed.cell
        cell.stamp = stamps[cell.stamp] ?? cell.stamp
        let moved = KeyedCell(keyed.key.redotted(stamps), cell)
        try sidecar.put(moved, since: number, isUnsent: true)
      }
      try noteTime(time)
      try sidecar.noteOffsetOfStamps()
      try sidecar.set(clock)
    }
    if mayHaveLost, try sidecar.mode == .changes { try beginAnew(.snapshot) }
  }

  /// Stamps of the time at which the saves were by the server's clock, each behind all that its save has replaced.
  ///
  /// A store that is put back to before them, and sent again, gets the same once more, so that nothing that others
  /// have written since is older.
  private func stamps(
    inPlaceOfThoseOf late: [KeyedCell],
    ahead: UInt64,
    of time: UInt64,
    _ clock: inout HybridClock
  ) throws -> [Stamp: Stamp] {
    // The server may have accepted replaced cells up to this moment, although it is ahead of its clock; and it has
    // accepted all cells that it has sent.
    let tolerated = max((time + Stamp.tolerance) << 16, try sidecar.latestReceived)
    var bases: [Stamp: UInt64] = [:]
    for keyed in late where keyed.cell.base <= tolerated {
      bases[keyed.cell.stamp] = max(bases[keyed.cell.stamp] ?? 0, keyed.cell.base)
    }
    // The server knows a writer's cells by the latest stamp: no earlier one may come after that.
    let run = world.random()
    let writer = try sidecar.device?.writer(run: run) ?? run | 1
    var stamps: [Stamp: Stamp] = [:]
    for stamp in Set(late.map(\.cell.stamp)).sorted() {
      clock.witness(bases[stamp] ?? 0)
      let saved = stamp.milliseconds - min(stamp.milliseconds, ahead)
      stamps[stamp] = clock.stamp(milliseconds: min(saved, time), writer: writer)
    }
    return stamps
  }
}

extension CellKey {
  fileprivate func redotted(_ stamps: [Stamp: Stamp]) -> CellKey {
    guard case .member(let property, let target, let dot) = field else { return self }
    return CellKey(object, .member(property, target, dot: stamps[dot] ?? dot))
  }
}

// MARK: - Pull

extension SyncEngine {
  /// Fetches pages into the inbox until the server's head.
  ///
  /// - Returns: Whether everything has to be fetched again.
  @discardableResult
  func pull(_ send: (SyncRequest) throws -> SyncResponse) throws -> Bool {
    while let pull = try nextPull() {
      try world.pass(.beforePull)
      let response = try send(.pull(pull))
      try world.pass(.afterPull)
      switch response {
      case .page(let page):
        // A device that asks for pages after a place, and gets that place again, would ask for ever.
        guard page.isLast || page.next.position > pull.after.position else {
          throw WireError(sentence: "The server sent a page that leads nowhere.", offset: 0)
        }
        try receive(page)
        try world.pass(.afterReceipt)
        if page.isLast { return false }
      case .refused(let refusal):
        _ = try overcome(refusal)
        return true
      case .pushed: throw WireError(sentence: "The server answered a pull as a push.", offset: 0)
      }
    }
    return false
  }

  private func nextPull() throws -> SyncRequest.Pull? {
    guard let replica = try sidecar.replica else { return nil }
    let mode = try sidecar.mode
    let hasSentAll = try sidecar.unsentCount == 0
    var pull = SyncRequest.Pull(
      replica: replica,
      after: try sidecar.received,
      seen: try sidecar.seen,
      // A device with unconfirmed cells may still refer to objects that others have forgotten.
      acknowledged: hasSentAll && mode == .changes ? try sidecar.cursor : .start,
      isSnapshot: mode != .changes,
      limit: world.cellsPerPage
    )
    if pull.isSnapshot { pull.writers = try sidecar.unconfirmedWriters(limit: WireLimits.writers) }
    return pull
  }

  private func receive(_ page: SyncResponse.Page) throws {
    try sidecar.transact {
      try sidecar.addToInbox(page.cells)
      // Refused cells may be the ones that these replace.
      try sidecar.release(page.cells.map(\.key), areOwn: false)
      try sidecar.retryObjects(after: page.cells.lazy.map { ($0.key, $0.cell) }, model.schema)
      try sidecar.noteReceived(page.cells)
      try sidecar.setWatermarks(page.watermarks.values)
      try sidecar.set(page.next, "received")
      try sidecar.noteSeen(page.next)
      try sidecar.setNumber(page.isLast ? 1 : 0, "isInboxComplete")
      if page.isLast { try sidecar.noteAskedForGone() }
      try noteTime(page.time)
    }
  }
}
