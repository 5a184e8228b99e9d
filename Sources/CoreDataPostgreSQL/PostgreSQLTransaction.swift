import CoreData
import CoreDataSQL
import Foundation

/// One save in one zone of a database: nothing is asked of the server before it must be.
///
/// ```
/// 1   keys, for each tree of entities whose block is used up
/// 2   BEGIN, a look whether the tables are still those of the model, all statements of the plan, what they have
///     computed, the rows in which the server may have something else, a look whether the zone is still there, the
///     transaction's number
/// 3   the history, COMMIT, and with a history a flush
/// ```
///
/// Values that must be unique, one trip for each constraint, and the rows that depend on changed rows before these
/// are written, all in one,
/// are looked at in between; the first of these trips begins the transaction. Two saves that are in each other's way are
/// tried again. A COMMIT that nobody answered is asked about, by the number of its transaction.
final class PostgreSQLTransaction: SaveTransaction, CarryingTransaction {
  private let store: PostgreSQLStore
  private var schema: StoreSchema { store.schema }
  private var connection: PostgreSQLConnection?
  private var hasBegun = false
  private var metadata: [String: Any]?
  /// The server's number of the transaction; `nil` while nothing was written.
  private var number: String?
  private var isOpen = true
  private var origin: HistoryOrigin?
  /// The history that the rows have already.
  private var carried: CarriedHistory?
  /// The number of the transaction in the zone's history.
  private var historyNumber: Int64?
  /// Whether keys of the plan are a part of the transaction, so that it cannot be run again.
  private var hasTakenKeys = false
  /// Whether the commit does not wait for the disk, so that a flush has to follow.
  private var isFlushed = false
  /// The requests in the trip of the COMMIT, before it.
  private var remaining: [PostgreSQLRequest] = []

  static let mostAttempts = 10

  init(_ store: PostgreSQLStore) {
    self.store = store
  }

  deinit {
    rollback()
  }
}

// MARK: - Before the plan

extension PostgreSQLTransaction {
  func reserveKeys(root: Int32, count: Int) throws -> Int64 {
    try translating {
      try attempting { try store.keys.reserve(count, root: root, inTransaction: hasBegun) }
    }
  }

  /// Has keys ready that nobody has, before rows are inserted whose number is not known.
  func prepareKeys(root: Int32) throws {
    try translating { try attempting { try store.keys.prepare(root: root) } }
  }

  func takeKeys(root: Int32, count: Int) throws -> Int64 {
    try translating {
      let last = try again(1) {
        let connection = try begun()
        if !hasTakenKeys { _ = try connection.run(beforeKeys(in: connection.zone)) }
        return try store.keys.advance(by: Int64(count), root, on: connection)
      }
      hasTakenKeys = true
      return last - Int64(count) + 1
    }
  }

  /// The requests before the keys that are a part of the transaction.
  ///
  /// Another writer of the zone may wait for keys on a connection of its own while it has rows that are wanted here,
  /// which the server cannot see: so every wait has a limit, and the history comes first, as it does there.
  private func beforeKeys(in zone: String) -> [PostgreSQLRequest] {
    let patience = "SELECT set_config('lock_timeout', '60s', true)"
    let history = keepsHistory ? PostgreSQLHistory.enterAlone(flushing: false) : []
    return ([patience] + history).map { PostgreSQLRequest($0, zone: zone) }
  }

  func setMetadata(_ metadata: [String: Any]) throws { self.metadata = metadata }

  var keepsHistory: Bool { store.history?.isKept == true }

  func sign(_ origin: HistoryOrigin) { self.origin = origin }

  func carry(_ history: CarriedHistory) { carried = history }

  func rows(with values: [UniqueValues], in constraint: UniqueConstraint) throws -> [Row] {
    try translating {
      try attempting {
        try UniqueRows(try begun(), schema).rows(with: values, in: constraint)
      }
    }
  }

  func conflicts(with plan: SavePlan) throws -> [RowConflict] {
    try translating {
      try attempting { try RowVersions(try begun(), schema).conflicts(with: plan) }
    }
  }

  /// How a transaction begins.
  private enum Beginning {
    /// In the trip of the first statement, which shows whether that went well.
    case withNext
    /// In a trip of its own, for what cannot be done again.
    case atOnce
    /// In a trip of its own; all statements see the rows at that moment.
    case atOneMoment
  }

  /// The connection, on which a transaction is open, or will be with the next statement.
  private func begun(
    _ beginning: Beginning = .withNext
  ) throws(PostgreSQLError) -> PostgreSQLConnection {
    let connection = try taken()
    if hasBegun { return connection }
    let mark = store.tables.mark
    switch beginning {
    case .withNext: connection.begin(with: mark.beginning(in: connection.zone))
    case .atOnce: try connection.run(plain: mark.beginning(readOnly: false))
    case .atOneMoment: try connection.run(plain: mark.beginningAtOneMoment(readOnly: false))
    }
    hasBegun = true
    try store.pendingZone?.make(on: connection, keepingHistory: keepsHistory)
    return connection
  }

  private func taken() throws(PostgreSQLError) -> PostgreSQLConnection {
    if let connection { return connection }
    let taken = try store.pool.take()
    connection = taken
    return taken
  }
}

// MARK: - Performing

extension PostgreSQLTransaction {
  func perform(_ plan: SavePlan) throws -> SaveReceipt {
    do {
      return try translating { try attempting { try self.write(plan) } }
    } catch let error as OvertakenSave {
      // A row that has changed keeps its unique values, which another one may have been about to take.
      abandon()
      let conflicts = try conflicts(with: plan)
      if conflicts.isEmpty { throw error }
      throw SaveConflicts(conflicts: conflicts)
    }
  }

  /// Runs a step of the save as often as others are in its way; a duplicate makes it plan again.
  private func attempting<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try again(1, body)
    } catch let error as PostgreSQLError where error.isDuplicate {
      throw OvertakenSave(cause: translated(error))
    }
  }

  /// Runs the transaction again where another one was in its way, after a while that is never the same.
  private func again<Result>(_ attempt: Int, _ body: () throws -> Result) throws -> Result {
    let mark = store.tables.mark
    do {
      return try body()
    } catch let error as PostgreSQLError {
      if attempt < Self.mostAttempts, !hasTakenKeys,
        error.state == PostgreSQLError.otherModelState
      {
        abandon()
        guard store.tables.mayGoOn(after: error, to: mark) else { throw error }
        return try again(attempt + 1, body)
      }
      guard isPassing(error), attempt < Self.mostAttempts, !hasTakenKeys else { throw error }
      abandon()
      if error.isLoss { store.pool.forgetIdle() }
      usleep(UInt32.random(in: 1_000...UInt32(2_000 << attempt)))
      return try again(attempt + 1, body)
    }
  }

  /// Runs statements that are not a plan of a save: once, or as often as others are in their way, each time all of
  /// them at one moment of the database.
  func run<Result>(
    repeatedly mayRepeat: Bool,
    _ body: (PostgreSQLConnection) throws -> Result
  ) throws -> Result {
    try translating {
      guard mayRepeat else { return try numbered(try again(1) { try begun(.atOnce) }, body) }
      // If all writers wait for each other, each statement may see the rows of its own time.
      return try again(1) { try numbered(try begun(keepsHistory ? .atOnce : .atOneMoment), body) }
    }
  }

  /// The writer of this transaction's history; `nil` if the store does not keep one.
  func historyWriter(from origin: HistoryOrigin?) -> PostgreSQLHistoryWriter? {
    guard keepsHistory, carried == nil, let history = store.history else { return nil }
    let zone = store.pool.address.zone
    return PostgreSQLHistoryWriter(history, from: origin ?? HistoryOrigin(), zone: zone)
  }

  /// The result of the statements, with the transaction's number noted for a COMMIT that is not answered.
  private func numbered<Result>(
    _ connection: PostgreSQLConnection,
    _ body: (PostgreSQLConnection) throws -> Result
  ) throws -> Result {
    let result = try body(connection)
    let news = store.news.map { [$0.notification] } ?? []
    let ownNumber = PostgreSQLRequest(Self.ownNumber, zone: connection.zone)
    let presence = store.presence.request(in: connection.zone)
    let answers = try connection.run(news + [presence, ownNumber])
    try lookAgain(answers[news.count], on: connection)
    number = answers.last?.bytes(0, 0).map { String(decoding: $0, as: UTF8.self) }
    return result
  }

  /// Asks about the zone once more, if the answer says so.
  private func lookAgain(
    _ answer: any PostgreSQLRows,
    on connection: PostgreSQLConnection
  ) throws(PostgreSQLError) {
    guard store.presence.hasMore(answer) else { return }
    _ = try connection.run([store.presence.request(in: connection.zone)])
  }

  /// Whether nothing has happened, and the same may go through.
  private func isPassing(_ error: PostgreSQLError) -> Bool {
    if error.isSilence { return false }
    return error.isCollision || error.isLoss || error.isStalePlan || error.isCrowd
  }

  private func write(_ plan: SavePlan) throws -> SaveReceipt {
    let connection = try store.pendingZone == nil ? taken() : begun()
    var derivations = try PostgreSQLDerivations(plan, schema, on: connection)
    let looks = try derivations.looks()
    if !looks.isEmpty { try derivations.note(try begun().run(looks)) }
    var history = historyWriter(from: origin)
    var trip = try trip(of: plan, derivations, &history, on: connection)
    hasBegun = true
    try trip.run()
    number = trip.number
    if let presence = trip.presence { try lookAgain(presence, on: connection) }
    if let numbering = trip.numbering { try noteNumber(numbering) }
    let conflicts = try trip.conflicts()
    if !conflicts.isEmpty { throw SaveConflicts(conflicts: try asOthersSee(conflicts)) }
    if let carried, let own = store.history {
      let copy = PostgreSQLHistoryCopy(of: carried, into: own, zone: connection.zone)
      _ = try connection.run(copy.requests)
    }
    remaining = trip.later
    let (reported, rows) = try trip.computed()
    if !derivations.isEmpty, let history {
      try tell(plan.writtenInHistory.including(reported, schema), by: history)
    }
    return receipt(plan, try trip.rows(), derived: plan.leavingOut(rows))
  }

  /// Conflicts with the rows as others see them, without what the plan has written.
  private func asOthersSee(_ conflicts: [RowConflict]) throws -> [RowConflict] {
    abandon()
    return try RowVersions(try begun(), schema).readAgain(conflicts)
  }

  /// The trip that writes the plan, and begins the transaction if no look has done that.
  private func trip(
    of plan: SavePlan,
    _ derivations: PostgreSQLDerivations,
    _ history: inout PostgreSQLHistoryWriter?,
    on connection: PostgreSQLConnection
  ) throws -> PostgreSQLSaveTrip {
    let zone = connection.zone
    let leavesValues = history?.needsRows(of: Array(plan.deletedInHistory)) ?? false
    var frame = PostgreSQLSaveTrip.Frame(
      opening: hasBegun ? [] : store.tables.mark.beginning(in: zone),
      closing: []
    )
    if keepsHistory {
      isFlushed = store.mayFlush
      let enters =
        leavesValues
        ? PostgreSQLHistory.enterAlone(flushing: isFlushed)
        : [PostgreSQLHistory.enter(flushing: isFlushed)]
      frame.opening += enters.map { PostgreSQLRequest($0, zone: zone) }
    }
    if let metadata {
      frame.closing.append(try PostgreSQLDatabase.setting(metadata, in: zone))
      if let identifier = metadata[NSStoreUUIDKey] as? String { store.presence.allow(identifier) }
    }
    if let news = store.news { frame.closing.append(news.notification) }
    frame.closing.append(store.presence.request(in: zone))
    frame.closing.append(PostgreSQLRequest(Self.ownNumber, zone: zone))
    let writer = PostgreSQLPlanWriter(
      plan,
      schema,
      zone: zone,
      keeping: store.texts,
      among: leavesValues ? .inTurn : .atOnce
    )
    return try PostgreSQLSaveTrip(
      plan,
      writer.steps,
      in: frame,
      schema,
      computing: derivations,
      toldBy: &history,
      on: connection
    )
  }

  /// Leaves the remaining entries of the history for the trip of the COMMIT; the request that gives the transaction
  /// its number has to go before.
  private func tell(_ changes: [HistoryChange], by history: PostgreSQLHistoryWriter) throws {
    var history = history
    if history.hasBegun {
      remaining += history.requests(for: changes)
    } else {
      try run(history.requests(for: changes))
    }
  }

  /// Adds to the history.
  func run(_ requests: [PostgreSQLRequest]) throws {
    if requests.isEmpty { return }
    let answers = try begun().run(requests)
    if historyNumber == nil { try noteNumber(answers[0]) }
  }

  /// Notes the number that the first request of a history gives.
  private func noteNumber(_ answer: any PostgreSQLRows) throws(PostgreSQLError) {
    guard answer.rowCount == 1, let bytes = answer.bytes(0, 0), bytes.count == 8 else {
      throw PostgreSQLError(state: "42P01", message: "z_history has no row of this zone")
    }
    historyNumber = Int64(bigEndian: bytes.loadUnaligned(as: Int64.self))
  }

  private static let ownNumber = CommitOutcome.ownNumber

  /// The receipt of the save; `read` are the rows in which the server may have other values than those written.
  private func receipt(
    _ plan: SavePlan,
    _ read: [ChangedRow: Snapshot],
    derived: [Row]
  ) -> SaveReceipt {
    let stored = { (number: Int64, layout: EntityLayout, written: Snapshot) in
      read[ChangedRow(root: layout.rootNumber, number: number)] ?? written
    }
    return SaveReceipt(
      inserted: plan.inserts.map { stored($0.primaryKey, $0.layout, $0.snapshot) },
      updated: plan.updates.map { stored($0.primaryKey, $0.layout, $0.snapshot) },
      derived: derived,
      historyNumber: historyNumber
    )
  }
}

// MARK: - The end

extension PostgreSQLTransaction {
  func commit() throws {
    if let connection, hasBegun {
      do throws(PostgreSQLError) {
        let answers = try connection.commit(
          behind: remaining,
          followedBy: isFlushed ? PostgreSQLHistory.flush : nil
        )
        if historyNumber == nil, let first = answers.first { try noteNumber(first) }
      } catch {
        try settle(error)
      }
      store.pendingZone?.noteMade()
    }
    if number != nil { store.news?.noteOwnWrite(historyNumber) }
    end()
  }

  /// A COMMIT without an answer, or whose flush was refused, may have happened all the same: the server knows.
  private func settle(_ error: PostgreSQLError) throws {
    let isLost = error.isLoss || connection?.wire.isLost == true
    hasBegun = false
    // A request in the trip of the COMMIT may have been refused; the error that matters is the first.
    if !isLost, connection?.isInTransaction == true { try? connection?.run(plain: "ROLLBACK") }
    // A thread that asks for a connection while others wait must not keep one.
    end()
    // The refused statement may have been the flush.
    guard isLost || isFlushed, let number else { throw translated(error) }
    let outcome = CommitOutcome(of: number, in: store.pool)
    switch outcome {
    case .happened: return
    case .didNotHappen: throw translated(error)
    case .unknown:
      throw PostgreSQLFailure(.unknownOutcome(error), path: store.path).error()
    }
  }

  var lateHistoryNumber: Int64? { historyNumber }

  func rollback() {
    guard isOpen else { return }
    abandon()
    end()
  }

  /// Ends the transaction on the server, and returns the connection.
  private func abandon() {
    if let connection {
      // The server has rolled back the transaction of a lost connection.
      if hasBegun, !connection.wire.isLost { try? connection.run(plain: "ROLLBACK") }
      store.pool.giveBack(connection)
    }
    connection = nil
    hasBegun = false
    number = nil
    historyNumber = nil
    isFlushed = false
    remaining = []
  }

  private func end() {
    isOpen = false
    if let connection { store.pool.giveBack(connection) }
    connection = nil
  }
}

// MARK: - Errors

extension PostgreSQLTransaction {
  private func translated(_ error: PostgreSQLError) -> NSError {
    PostgreSQLFailure(.server(error, .saving), path: store.path).error()
  }

  private func translating<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as PostgreSQLError {
      throw translated(error)
    }
  }
}
