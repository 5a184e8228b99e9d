import CoreData
import CoreDataSQL
import CoreDataSyncCore

// MARK: - Opening

extension SyncEngine {
  /// Finishes a save of an earlier run, and finds out whether store and sidecar still belong together.
  func open() throws {
    if try sidecar.replica == nil { try begin() }
    if let device = try sidecar.device { beWriter(device) }
    try finishSave()
    try recognizeStore()
    try noteModel()
    // The program may take by now what it has refused.
    try sidecar.transact { try sidecar.retryObjects(sidecar.heldBack().objects) }
  }

  private func begin() throws {
    try sidecar.transact {
      try sidecar.set(.blob(SyncID(random: world.random(), world.random()).bytes), "replica")
      try sidecar.setNumber(1, "needsScan")
      try sidecar.set(.text(door.store.identifier), "store")
    }
  }

  /// A save whose end was not noted, because the program or the room on the disk came to an end, has either happened,
  /// which the store's history tells and the mark in its file, or not.
  func finishSave() throws {
    guard let page = try sidecar.number("savingPage") else { return }
    let transactions = try transactionsIfKept(after: sidecar.token)
    let mark = StoreMark(replica: try sidecar.replica?.description ?? "", page: page)
    let isInHistory = transactions?.contains { $0.isPage(page) } ?? false
    // A history may have been purged since; one that reaches back to the drained position is the best source.
    if transactions == nil { try sidecar.setNumber(1, "needsScan") }
    let isWhole = try transactions != nil && sidecar.token != nil
    if try isInHistory || !isWhole && StoreMark(inFileOf: door) == mark {
      let merged = try MergedInbox(
        sidecar,
        model,
        world,
        writer: writer,
        sidecar.portion,
        lacked: lackedLives()
      )
      let affected = try self.affected(by: merged)
      try self.mark(merged, affected)
    } else {
      try sidecar.transact { try sidecar.forgetPending() }
    }
  }

  /// Nil where the history does not go back so far.
  func transactionsIfKept(
    after token: NSPersistentHistoryToken?,
    withChanges: Bool = false
  ) throws -> [any StoreTransaction]? {
    do {
      return try door.transactions(after: token, withChanges: withChanges)
    } catch let error as CocoaError
      where error.code.rawValue == NSPersistentHistoryTokenExpiredError
    {
      return nil
    }
  }
}

// MARK: - The same store as before

extension SyncEngine {
  /// A store that was restored, replaced or copied is read again, from the known position.
  private func recognizeStore() throws {
    if try sidecar.text("store") != door.store.identifier { return try adoptOtherStore() }
    guard let last = try sidecar.drained(limit: 1).first, try !isInSight(last) else { return }
    let all = try transactionsIfKept(after: nil) ?? []
    let isBehind = try (sidecar.number("markedPage") ?? 0) > StoreMark(of: door)?.page ?? 0
    let times = Dictionary(
      all.map { ($0.transactionNumber, $0) },
      uniquingKeysWith: { first, _ in first }
    )
    if let found = times[last.number], found.timestamp == last.time { return }
    let end = try door.currentToken
    let lastNumber = lastNumber(in: end)
    // A purged history says nothing against a store that is as far; then only its mark does.
    let isPurged = all.isEmpty || all[0].transactionNumber > last.number
    if isPurged, !isBehind, (lastNumber ?? .max) >= last.number { return }
    let purged = all.first.map { $0.transactionNumber - 1 } ?? lastNumber
    try returnTo(try latestCommon(times) ?? latestPurged(purged, before: last.number, end))
  }

  /// Whether the store has the last transaction that was read, as far as the end of its history tells: all of it may
  /// be years.
  private func isInSight(_ last: (number: Int64, time: Date)) throws -> Bool {
    guard let sight = try sidecar.sight, let end = try transactionsIfKept(after: sight) else {
      return false
    }
    return end.contains { $0.transactionNumber == last.number && $0.timestamp == last.time }
  }

  /// The last transaction that both the store and the sidecar have.
  private func latestCommon(
    _ kept: [Int64: any StoreTransaction]
  ) throws -> CommonPosition? {
    for (number, time) in try sidecar.drained() {
      if let found = kept[number], found.timestamp == time { return (number, found.token) }
    }
    return nil
  }

  /// The last of a store's purged transactions, if it was read.
  ///
  /// Nothing proves any more that it was the same one. It is assumed: nobody puts a store back, writes to it and purges
  /// that between two openings.
  private func latestPurged(
    _ number: Int64?,
    before last: Int64,
    _ token: NSPersistentHistoryToken
  ) throws -> CommonPosition? {
    guard let tokens = world.tokens, let number, number < last, try sidecar.hasDrained(number)
    else { return nil }
    return (number, tokens.moved(token, number, door.store.identifier))
  }

  private typealias CommonPosition = (number: Int64, token: NSPersistentHistoryToken)

  /// The store is an older one; the cells have what it lacks, and its history has what came since.
  private func returnTo(_ common: CommonPosition?) throws {
    try sidecar.transact {
      let number = common?.number ?? 0
      try sidecar.forgetAddresses(since: common == nil ? -1 : number)
      if common != nil {
        try sidecar.recallAddresses(at: number)
        try sidecar.recallGone(at: number)
      }
      try sidecar.forgetDrained(after: number)
      try sidecar.forgetShown(since: common?.number)
      try forgetStore(since: common?.number)
      if let common { try sidecar.set(common.token) }
      try sidecar.markDirty(try sidecar.identities(in: .cell))
      try sidecar.markForgottenDirty()
    }
  }

  private func adoptOtherStore() throws {
    try sidecar.transact {
      try sidecar.forgetAddresses(since: -1)
      try sidecar.forgetDrained(after: 0)
      try sidecar.forgetShown(since: nil)
      try forgetStore(since: nil)
      try sidecar.markDirty(try sidecar.identities(in: .cell))
      try sidecar.set(.text(door.store.identifier), "store")
    }
  }

  /// The store is read as if for the first time, or from that transaction on.
  private func forgetStore(since number: Int64?) throws {
    try sidecar.setNumber(number, "putBackTo")
    try sidecar.set(.null, "token")
    try sidecar.set(.null, "sight")
    try sidecar.setNumber(1, "needsScan")
    try sidecar.setNumber(nil, "isScanned")
    // Members that its sets lack were not there yet, rather than removed.
    try sidecar.setNumber(1, "isStale")
    try sidecar.setNumber(StoreMark(of: door)?.page ?? 0, "markedPage")
  }

  /// Cells of properties that the model did not know before are shown now.
  private func noteModel() throws {
    let fingerprint = model.fingerprint
    let known = try sidecar.text("model")
    if known == fingerprint { return }
    try sidecar.transact {
      try sidecar.set(.text(fingerprint), "model")
      guard let known else { return }
      let all = try sidecar.identities(in: .cell)
      let new = ModelNews(model, since: known)
      try noteUnshown(new, of: all)
      if !new.isEmpty { try awaitLook(since: known) }
      try sidecar.markDirty(all)
      try sidecar.release(all)
      try sidecar.setClaims(of: all, sidecar, model.schema)
    }
  }
}

// MARK: - Properties that are new

extension SyncEngine {
  /// Demands a look at all objects: a migration may have given them values of new attributes, which are in no history.
  private func awaitLook(since fingerprint: String) throws {
    try sidecar.setNumber(1, "needsScan")
    // Where they were not looked at since another model, that is the one that counts.
    if try sidecar.text("modelOfScan") == nil { try sidecar.set(.text(fingerprint), "modelOfScan") }
  }

  /// Notes that the store does not show yet the cells of properties that are new to the program.
  ///
  /// It shows the values of its migration, and the program's later writes are made without having seen the cells.
  private func noteUnshown(_ news: ModelNews, of ids: Set<SyncID>) throws {
    if news.properties.isEmpty { return }
    for id in ids {
      guard let cells = try sidecar.cells(of: id), let entity = cells.entity,
        let new = news.properties[entity], try sidecar.address(of: id) != nil
      else { continue }
      for property in cells.values.keys where new.contains(property) {
        let key = CellKey(id, .value(property))
        if let shown = try shown(property, of: cells, entity, news) {
          try sidecar.noteShownValue(shown.payload, key)
        }
        try sidecar.noteUnshown(key)
      }
      for member in cells.liveMembers where new.contains(member.relationship) {
        try sidecar.noteUnshown(CellKey(id, member.field))
      }
    }
    try sidecar.setNumber(1, "hasLearned")
  }

  /// The value that a store shows after its migration, if something about the attribute is new; `nil` if it is not an
  /// attribute of the program.
  private func shown(
    _ property: PropertyID,
    of cells: ObjectCells,
    _ entity: String,
    _ news: ModelNews
  ) throws -> CellValue? {
    guard news.wasKnown(property, of: entity), let value = cells.value(property),
      let attribute = model.entities[entity]?.attributes.first(where: { $0.property == property })
    else { return model.schema[entity]?.attributes[property] }
    return try attribute.migrated(value) { news.wasKnown($0, of: entity) }
  }
}

// MARK: - The engine's own saves

extension StoreTransaction {
  /// Whether this is the engine's save of that number.
  func isPage(_ page: Int64) -> Bool {
    author == StoreDoor.author && contextName == SyncEngine.name(ofPage: page)
  }
}

extension SyncEngine {
  static func name(ofPage page: Int64) -> String { "page \(page)" }
}
