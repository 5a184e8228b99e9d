import CoreData
import CoreDataSQL
import CoreDataSQLite
import CoreDataSyncCore

// MARK: - Opening

extension SyncEngine {
  /// Finishes a save of an earlier run, and finds out whether store and sidecar still belong together.
  func open() throws {
    if try sidecar.replica == nil { try begin() }
    try recover()
    try recognizeStore()
    try noteModel()
  }

  private func begin() throws {
    try sidecar.transact {
      try sidecar.set(.blob(SyncID(random: world.random(), world.random()).bytes), "replica")
      try sidecar.setNumber(1, "needsScan")
      try sidecar.set(.text(door.store.identifier), "store")
    }
  }

  /// A save whose end was not noted has either happened, which the store's history tells, or not.
  private func recover() throws {
    guard let page = try sidecar.number("savingPage") else { return }
    let transactions = try transactionsIfKept(after: sidecar.token)
    let happened = transactions?.contains { $0.isPage(page) }
    if happened == true {
      let merged = try MergedInbox(sidecar, model, world, writer: writer)
      let affected = try self.affected(by: merged)
      try mark(merged, affected)
    } else {
      try sidecar.transact { try forgetPending() }
      // Without a history nobody knows; then the store is compared with the cells.
      if happened == nil { try sidecar.setNumber(1, "needsScan") }
    }
  }

  func forgetPending() throws {
    try sidecar.connection.run("DELETE FROM pending")
    try sidecar.setNumber(nil, "savingPage")
  }

  /// Nil where the history does not go back so far.
  func transactionsIfKept(
    after token: NSPersistentHistoryToken?
  ) throws -> [NSPersistentHistoryTransaction]? {
    do {
      return try door.transactions(after: token)
    } catch let error as CocoaError
      where error.code.rawValue == NSPersistentHistoryTokenExpiredError
    {
      return nil
    }
  }
}

// MARK: - The same store as before

extension SyncEngine {
  /// A store that was restored, replaced or copied is read again, from where it is known.
  private func recognizeStore() throws {
    if try sidecar.text("store") != door.store.identifier { return try adoptOtherStore() }
    guard let last = try lastDrained() else { return }
    guard let all = try transactionsIfKept(after: nil) else { return }
    let times = Dictionary(
      all.map { ($0.transactionNumber, $0) },
      uniquingKeysWith: { first, _ in first }
    )
    if let found = times[last.number], found.timestamp == last.time { return }
    // Purged history says nothing against a store: its last numbers are later than what was read.
    if let first = all.first?.transactionNumber, first > last.number { return }
    // Where nothing is left of it, nothing can be said, and the objects are compared.
    if all.isEmpty { return }
    try returnTo(try latestCommon(times))
  }

  private func lastDrained() throws -> (number: Int64, time: Date)? {
    let statement = try sidecar.connection.statement(
      "SELECT number, time FROM drained ORDER BY number DESC LIMIT 1" as SQLFragment
    )
    defer { statement.reset() }
    guard try statement.step() else { return nil }
    let time = Date(timeIntervalSinceReferenceDate: statement.real(1))
    return (statement.integer(0), time)
  }

  /// The last transaction that both the store and the sidecar have.
  private func latestCommon(
    _ kept: [Int64: NSPersistentHistoryTransaction]
  ) throws -> NSPersistentHistoryTransaction? {
    let statement = try sidecar.connection.statement(
      "SELECT number, time FROM drained ORDER BY number DESC" as SQLFragment
    )
    defer { statement.reset() }
    while try statement.step() {
      let time = Date(timeIntervalSinceReferenceDate: statement.real(1))
      if let found = kept[statement.integer(0)], found.timestamp == time { return found }
    }
    return nil
  }

  /// The store is an older one; what it lacks is in the cells, and what it had since is in its history.
  private func returnTo(_ common: NSPersistentHistoryTransaction?) throws {
    try sidecar.transact {
      let number = common?.transactionNumber ?? 0
      try sidecar.forgetAddresses(since: common == nil ? -1 : number)
      try sidecar.connection.run("DELETE FROM drained WHERE number > \(.integer(number))")
      if let common { try sidecar.set(common.token) } else { try forgetStore() }
      try sidecar.markDirty(try sidecar.identities(in: .cell))
    }
  }

  private func adoptOtherStore() throws {
    try sidecar.transact {
      try sidecar.forgetAddresses(since: -1)
      try sidecar.connection.run("DELETE FROM drained")
      try forgetStore()
      try sidecar.markDirty(try sidecar.identities(in: .cell))
      try sidecar.set(.text(door.store.identifier), "store")
    }
  }

  /// The store is read as if for the first time.
  private func forgetStore() throws {
    try sidecar.set(.null, "token")
    try sidecar.setNumber(1, "needsScan")
    try sidecar.setNumber(nil, "isScanned")
  }

  /// Cells of properties that the model did not know before are shown now.
  private func noteModel() throws {
    let fingerprint = model.fingerprint
    let known = try sidecar.text("model")
    if known == fingerprint { return }
    try sidecar.transact {
      try sidecar.set(.text(fingerprint), "model")
      guard known != nil else { return }
      let all = try sidecar.identities(in: .cell)
      try sidecar.markDirty(all)
      try sidecar.release(all)
      try sidecar.setClaims(of: all, sidecar, model.schema)
    }
  }
}

// MARK: - The engine's own saves

extension NSPersistentHistoryTransaction {
  /// Whether this is the engine's save of that number.
  func isPage(_ page: Int64) -> Bool {
    author == StoreDoor.author && contextName == SyncEngine.name(ofPage: page)
  }
}

extension SyncEngine {
  static func name(ofPage page: Int64) -> String { "page \(page)" }
}
