import CoreDataModel
import Synchronization
import TestSupport
import Testing

@testable import CoreData
@testable import CoreDataPostgreSQL

/// A way to the tests' server that counts what goes over it, and that breaks where a test wants it to.
final class FaultyWire: Sendable {
  let place: URL
  private let faults = Mutex(Faults())

  init(at place: URL = PostgreSQLServer.shared.place()) {
    self.place = place
  }

  private struct Faults {
    var trips = 0
    var breakAt = Int.max
    var loss = Loss.request
    var statements = 0
    var failAt = Int.max
    var commit = CommitFault.none
    var refusals = 0
    var collisions = (state: "", count: 0)
    var meanwhile: (beginning: String, work: @Sendable () throws -> Void)?
    var texts: [String] = []
    var refusedStates: [String] = []
  }

  /// The part of a trip that does not arrive.
  enum Loss: CaseIterable, Sendable {
    case request
    /// The server has done everything, and nobody is told.
    case answer
  }

  enum CommitFault {
    case none
    /// The server never hears of it.
    case unheard
    /// It happens, and nobody is told.
    case unanswered
  }

  /// How often something went to the server and back since the last ``reset(breakingAt:losing:failingAt:)``.
  var trips: Int { faults.withLock { $0.trips } }

  func setCommitFault(_ fault: CommitFault) { faults.withLock { $0.commit = fault } }

  /// How many statements the server was given since then.
  var statements: Int { faults.withLock { $0.statements } }

  /// The texts of these statements, but for those that the server knows by a name.
  var texts: [String] { faults.withLock { $0.texts } }

  /// The states with which the server has refused something since then, in order.
  var refusedStates: [String] { faults.withLock { $0.refusedStates } }

  fileprivate func note(_ texts: [String?]) {
    faults.withLock { $0.texts += texts.compactMap(\.self) }
  }

  fileprivate func note(_ error: PostgreSQLError) {
    faults.withLock { $0.refusedStates.append(error.state) }
  }

  /// Lets nobody in until ``openDoor()``; connections that are there stay.
  func closeDoor() { faults.withLock { $0.refusals = .max } }

  func openDoor() { faults.withLock { $0.refusals = 0 } }

  /// Begins to count again; the trip with that number breaks its connection, the statement with that number is one
  /// that the server refuses.
  func reset(
    breakingAt trip: Int = .max,
    losing loss: Loss = .request,
    failingAt statement: Int = .max
  ) {
    faults.withLock { faults in
      (faults.trips, faults.breakAt, faults.loss) = (0, trip, loss)
      (faults.statements, faults.failAt) = (0, statement)
      (faults.texts, faults.refusedStates) = ([], [])
    }
  }

  fileprivate func isRefused() -> Bool {
    faults.withLock { faults in
      faults.statements += 1
      return faults.statements == faults.failAt
    }
  }

  /// Lets something happen once, before rows of a table are updated.
  func beforeUpdate(_ work: @escaping @Sendable () throws -> Void) {
    before("UPDATE \"Z", work)
  }

  /// Lets something happen once, before a statement that begins so.
  func before(_ beginning: String, _ work: @escaping @Sendable () throws -> Void) {
    faults.withLock { $0.meanwhile = (beginning, work) }
  }

  fileprivate func letHappen(before statements: [String?]) {
    let work = faults.withLock { faults -> (@Sendable () throws -> Void)? in
      guard let (beginning, work) = faults.meanwhile,
        statements.contains(where: { $0?.hasPrefix(beginning) == true })
      else { return nil }
      faults.meanwhile = nil
      return work
    }
    #expect(throws: Never.self) { try work?() }
  }

  /// Has the server refuse so many times what writes rows, with a state.
  func refuseRows(with state: String, times count: Int) {
    faults.withLock { $0.collisions = (state, count) }
  }

  /// The state with which the server is to refuse these, one time less from now on.
  fileprivate func collision(of commands: [PostgreSQLCommand]) -> String? {
    faults.withLock { faults in
      guard faults.collisions.count > 0,
        commands.contains(where: {
          $0.sql?.contains(/^(INSERT INTO|UPDATE|DELETE FROM) "Z/) == true
        })
      else { return nil }
      faults.collisions.count -= 1
      return faults.collisions.state
    }
  }

  /// Refuses so many connections from now on, as a server does if others have its connections; the store has none left.
  func refuseConnections(_ count: Int) {
    reset(breakingAt: 1)
    faults.withLock { $0.refusals = count }
  }

  fileprivate func refuseConnection() throws(PostgreSQLError) {
    let isRefused = faults.withLock { faults in
      defer { faults.refusals = max(faults.refusals - 1, 0) }
      return faults.refusals > 0
    }
    if isRefused {
      throw PostgreSQLError(state: "53300", message: "sorry, too many clients already")
    }
  }

  /// The part of the next trip that is lost; `nil` if all arrives.
  fileprivate func lossOfTrip() -> Loss? {
    faults.withLock { faults in
      faults.trips += 1
      return faults.trips == faults.breakAt ? faults.loss : nil
    }
  }

  fileprivate var commitFault: CommitFault { faults.withLock { $0.commit } }

  /// A coordinator with a store that goes this way.
  func coordinator(
    _ model: NSManagedObjectModel = NotesStack.model,
    options: [String: Any]? = nil
  ) throws -> NSPersistentStoreCoordinator {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    _ = try asType { type in
      try coordinator.addPersistentStore(
        ofType: type,
        configurationName: nil,
        at: place,
        options: options
      )
    }
    return coordinator
  }

  /// Runs something for which there is a type of stores that go this way.
  func asType<Result>(_ body: (String) throws -> Result) rethrows -> Result {
    let kind = Kind(wire: self)
    KindsOfStores.register(kind)
    defer { KindsOfStores.forget(kind.type) }
    return try body(kind.type)
  }
}

// MARK: - Migrating

extension FaultyWire {
  /// Opens connections that go this way.
  fileprivate var door: PostgreSQLDoor {
    PostgreSQLDoor { [self] address throws(PostgreSQLError) in
      try refuseConnection()
      return FaultyConnection(try PostgreSQLShell.connect(address), self)
    }
  }

  /// Migrates the tables at the place over such a connection.
  func migrate(to schema: ModelSchema) throws {
    let store = StorePlace(
      number: .none,
      type: PostgreSQLStores.type,
      configuration: nil,
      url: place,
      options: Upgrade.options
    )
    let address = try PostgreSQLAddress(place, options: nil)
    let model = NSManagedObjectModel(schema: schema.classless)
    try PostgreSQLMigration(store, at: address, through: door, to: model.layout).perform()
  }
}

// MARK: - The connection

private final class FaultyConnection: PostgreSQLWire {
  private let real: any PostgreSQLWire
  private let wire: FaultyWire

  init(_ real: any PostgreSQLWire, _ wire: FaultyWire) {
    self.real = real
    self.wire = wire
  }

  /// Goes to the server and back, unless something is lost on the way.
  private func travel<Answer>(
    _ go: () throws(PostgreSQLError) -> Answer
  ) throws(PostgreSQLError) -> Answer {
    do throws(PostgreSQLError) {
      switch wire.lossOfTrip() {
      case nil: return try go()
      case .request: throw lost()
      case .answer:
        _ = try go()
        throw lost()
      }
    } catch {
      wire.note(error)
      throw error
    }
  }

  private func lost() -> PostgreSQLError {
    real.close()
    return PostgreSQLError(state: "", message: "the test has cut the connection")
  }

  func run(_ sql: String) throws(PostgreSQLError) {
    try travel { () throws(PostgreSQLError) in
      wire.note([sql])
      wire.letHappen(before: [sql])
      if wire.isRefused() { try real.run(Self.refused) }
      guard sql.hasPrefix("COMMIT") else { return try real.run(sql) }
      switch wire.commitFault {
      case .none: try real.run(sql)
      case .unheard: throw lost()
      case .unanswered:
        try real.run(sql)
        throw lost()
      }
    }
  }

  func run(_ commands: [PostgreSQLCommand]) throws(PostgreSQLError) -> [any PostgreSQLRows] {
    try travel { () throws(PostgreSQLError) in
      wire.note(commands.map(\.sql))
      wire.letHappen(before: commands.map(\.sql))
      let collision = wire.collision(of: commands).map { state in
        PostgreSQLCommand(
          plain: "DO 'BEGIN RAISE EXCEPTION ''again'' USING ERRCODE = ''\(state)''; END'"
        )
      }
      let given =
        commands.map { command in
          guard wire.isRefused() else { return command }
          return PostgreSQLCommand(plain: Self.refused)
        } + [collision].compactMap(\.self)
      guard commands.contains(where: { $0.sql == "COMMIT" }) else { return try real.run(given) }
      switch wire.commitFault {
      case .none: return try real.run(given)
      case .unheard: throw lost()
      case .unanswered:
        _ = try real.run(given)
        throw lost()
      }
    }
  }

  /// A statement that fails on any server, and with it the transaction.
  private static let refused = "SELECT 1 / 0"

  func notices(within milliseconds: Int32) throws(PostgreSQLError) -> [String] {
    try real.notices(within: milliseconds)
  }

  var isLost: Bool { real.isLost }
  var isInTransaction: Bool { real.isInTransaction }

  var limit: Duration? {
    get { real.limit }
    set { real.limit = newValue }
  }

  var isGivenUp: (@Sendable () -> Bool)? {
    get { real.isGivenUp }
    set { real.isGivenUp = newValue }
  }

  var serverProcess: Int32 { real.serverProcess }

  func parameter(_ name: String) -> String? { real.parameter(name) }

  func close() { real.close() }
}

/// A kind that opens stores of PostgreSQL over such connections.
private struct Kind: KindOfStore {
  let wire: FaultyWire
  let type = "Faulty \(UUID().uuidString)"

  func open(
    _ place: StorePlace,
    for coordinator: NSPersistentStoreCoordinator
  ) throws -> NSPersistentStore {
    let place = StorePlace(
      number: place.number,
      type: PostgreSQLStores.type,
      configuration: place.configuration,
      url: place.url,
      options: place.options,
      purpose: place.purpose
    )
    return try PostgreSQLStore.open(place, through: wire.door, for: coordinator)
  }

  func metadata(at url: URL, _ options: [AnyHashable: Any]?) throws -> [String: Any] { [:] }

  func setMetadata(
    _ metadata: [String: Any]?,
    at url: URL,
    _ options: [AnyHashable: Any]?
  ) throws {}

  func isThere(at url: URL, _ options: [AnyHashable: Any]?) throws -> Bool {
    try PostgreSQLKind(door: wire.door).isThere(at: url, options)
  }

  func destroy(at url: URL, _ options: [AnyHashable: Any]?) throws {
    try PostgreSQLKind(door: wire.door).destroy(at: url, options)
  }

  func takeBackCopy(at url: URL, _ options: [AnyHashable: Any]?) throws {
    try PostgreSQLKind(door: wire.door).takeBackCopy(at: url, options)
  }

  func replace(
    at url: URL,
    _ options: [AnyHashable: Any]?,
    with source: URL,
    _ sourceOptions: [AnyHashable: Any]?
  ) throws {}
}
