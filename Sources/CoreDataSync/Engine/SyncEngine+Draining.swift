import CoreData
import CoreDataSyncCore

// MARK: - Drain

extension SyncEngine {
  /// Makes cells of the changes in the store since the last time.
  func drain() throws {
    try world.pass(.beforeDrain)
    // Afterwards nobody knows any more by which clock the others have got theirs.
    try correctStamps()
    try untilDone {
      let needsScan = try sidecar.number("needsScan") == 1
      // The history is more exact: it has the time of a change, and the deletions.
      let isDone = try drainHistory() && (!needsScan || scan())
      return try isDone || drainAtOneMoment()
    }
    try world.pass(.afterDrain)
  }

  /// Tries something until it is done; an attempt fails if a program writes to the store at the same time.
  func untilDone(_ attempt: () throws -> Bool) throws {
    for _ in 0..<Self.patience where try attempt() { return }
    throw SyncFailure.endlessChanges
  }

  /// - Returns: Whether nothing was written in between.
  func drainHistory() throws -> Bool {
    let known = try sidecar.token
    guard let transactions = try transactionsIfKept(after: known, withChanges: true) else {
      if try sidecar.number("needsScan") == 1 { return true }
      try sidecar.setNumber(1, "needsScan")
      return false
    }
    var changes = LocalChanges(transactions)
    changes.add(try losses(in: changes))
    guard let token = changes.token else { return true }
    return try drain(changes, StoreReader(door)) { [door] in
      try door.transactions(after: token).isEmpty
    }
  }

  /// Makes cells of changes and keeps them, all in one transaction, or nothing if the store is not quiet.
  ///
  /// - Returns: Whether nothing was written in between.
  func drain(
    _ changes: LocalChanges,
    _ reader: StoreReader,
    isQuiet: @escaping () throws -> Bool,
    afterwards: () throws -> Void = {}
  ) throws -> Bool {
    do {
      try reader.context.performAndWait {
        try sidecar.transact {
          let drained = try DrainedCells(
            of: changes,
            readBy: reader,
            sidecar,
            model,
            world,
            writer: writer
          ) {
            guard try isQuiet() else { throw Overtaken() }
          }
          try world.pass(.beforeDrainIsKept)
          try keep(drained, changes)
          try afterwards()
        }
      }
      return true
    } catch is Overtaken {
      return false
    }
  }

  /// Somebody has written to the store while it was read.
  private struct Overtaken: Error {}

  private func keep(_ drained: DrainedCells, _ changes: LocalChanges) throws {
    try sidecar.markDirty(drained.dirty)
    for large in drained.tooLarge {
      let property = large.attribute.property
      try sidecar.hold(large.id, property, large.sentence, isOwn: true, at: world.time())
    }
    let now = try correctedTime
    for keyed in drained.conflicts { try sidecar.keepConflict(keyed, at: now) }
    try sidecar.set(drained.clock)
    try sidecar.noteOffsetOfStamps()
    try notePosition(changes)
  }

  private func notePosition(_ changes: LocalChanges) throws {
    if !changes.numbers.isEmpty { try sidecar.setSight(changes.tokenBeforeLast) }
    if let token = changes.token { try sidecar.set(token) }
    for (number, time) in changes.numbers { try sidecar.noteDrained(number, time) }
    // It may have been purged; a store that is put back to it is known by its number.
    if let number = changes.lookedAt { try sidecar.noteDrained(number) }
    guard let last = changes.last else { return }
    try sidecar.forgetDrained(before: last - 10_000)
  }
}

// MARK: - Scan

extension SyncEngine {
  /// Compares all objects with their known cells.
  ///
  /// - Returns: Whether nothing was written in between.
  private func scan() throws -> Bool {
    let position = try ScanPosition(door, drained: sidecar.token)
    guard try isQuiet(since: position) else { return false }
    return try scan(StoreReader(door), upTo: position.afterwards) { [self] in
      try isQuiet(since: position)
    }
  }

  /// Compares all objects that a reader finds; the history is read from a token on afterwards.
  func scan(
    _ reader: StoreReader,
    upTo token: NSPersistentHistoryToken,
    isQuiet: @escaping () throws -> Bool
  ) throws -> Bool {
    // A store that was restored shows an older state. And values that a migration has put into it are older than all
    // that people have written.
    let isWhole =
      try sidecar.number("isScanned") == 1 && !sidecar.isStale
      && sidecar.text("modelOfScan") == nil
    let touches = try touches(foundBy: reader)
    let time = Date(timeIntervalSince1970: Double(world.time()) / 1000)
    var changes = LocalChanges(found: touches, at: time, isFirst: !isWhole)
    changes.setPosition(token, try numbers(of: token), last: lastNumber(in: token))
    return try drain(changes, reader, isQuiet: isQuiet) {
      try sidecar.setNumber(nil, "needsScan")
      try sidecar.setNumber(1, "isScanned")
      try sidecar.setNumber(nil, "modelOfScan")
    }
  }

  private func touches(foundBy reader: StoreReader) throws -> [LocalChanges.Touch] {
    let comparesKnown = try hasLostHistory
    let news = try sidecar.text("modelOfScan").map { ModelNews(model, since: $0) } ?? ModelNews()
    return try reader.context.performAndWait {
      try StoreScan(
        reader,
        door,
        sidecar,
        model,
        comparesKnown: comparesKnown,
        news,
        portion: world.objectsPerPortion
      ).touches
    }
  }

  /// Whether only the objects reveal the fate of those that were read before.
  ///
  /// In a store that was restored they do not reveal it either.
  private var hasLostHistory: Bool {
    get throws {
      try !sidecar.isStale && transactionsIfKept(after: sidecar.token) == nil
    }
  }

  /// Compares the known objects with their cells, before there are cells which the objects have not shown.
  func compareKnown() throws {
    try untilDone {
      guard try hasLostHistory else { return true }
      let end = try door.currentToken
      let isDone = try compareKnown(StoreReader(door), upTo: end) { [door] in
        try door.transactions(after: end).isEmpty
      }
      if isDone { return true }
      guard let moment = try findMoment() else { return false }
      return try compareKnown(moment.reader, upTo: moment.token) { true }
    }
  }

  private func compareKnown(
    _ reader: StoreReader,
    upTo token: NSPersistentHistoryToken,
    isQuiet: @escaping () throws -> Bool
  ) throws -> Bool {
    let touches = try touches(foundBy: reader).filter { $0.inserted == nil }
    let time = Date(timeIntervalSince1970: Double(world.time()) / 1000)
    var changes = LocalChanges(found: touches, at: time, isFirst: true)
    changes.setPosition(token, try numbers(of: token), last: lastNumber(in: token))
    return try drain(changes, reader, isQuiet: isQuiet)
  }

  /// The number of the store's last transaction that a token knows; `nil` if it is unknown.
  func lastNumber(in token: NSPersistentHistoryToken) -> Int64? {
    world.tokens?.number(token, door.store.identifier)
  }

  /// The transaction at which all objects were looked at, by which the store is recognised; empty if it was drained.
  private func numbers(of token: NSPersistentHistoryToken) throws -> [(Int64, Date)] {
    if try token == sidecar.token { return [] }
    let last = try transactionsIfKept(after: nil)?.last { $0.token == token }
    return last.map { [($0.transactionNumber, $0.timestamp)] } ?? []
  }

  /// The history beyond a scan's position is drained before the store is looked at: a first scan would not see the
  /// changes of objects that are known.
  private func isQuiet(since position: ScanPosition) throws -> Bool {
    switch position {
    case .drained(let token, _): try transactionsIfKept(after: token)?.isEmpty != false
    case .current(let token): try door.transactions(after: token).isEmpty
    }
  }
}

/// From where the history is read once all objects were looked at.
enum ScanPosition {
  /// As far as it was drained; the second token is that of a history that is still empty.
  case drained(NSPersistentHistoryToken?, empty: NSPersistentHistoryToken)
  /// The history does not reach back to the drained position, so the scan replaces the missing part.
  case current(NSPersistentHistoryToken)

  init(_ door: StoreDoor, drained: NSPersistentHistoryToken?) throws {
    let current = try door.currentToken
    do {
      _ = try door.transactions(after: drained)
      self = .drained(drained, empty: current)
    } catch let error as CocoaError
      where error.code.rawValue == NSPersistentHistoryTokenExpiredError
    {
      self = .current(current)
    }
  }

  var afterwards: NSPersistentHistoryToken {
    switch self {
    case .drained(let token, let empty): token ?? empty
    case .current(let token): token
    }
  }
}
