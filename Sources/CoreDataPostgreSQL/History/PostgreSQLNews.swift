import CoreData
import CoreDataSQL
import Foundation
import Synchronization

/// Notifies a program of everything that is written to a zone, no matter who writes.
///
/// ```
/// a save here             ─▶ NSPersistentStoreRemoteChange
/// a save of another one   ─▶ NOTIFY at its commit ─▶ LISTEN, on a connection of its own ─▶ the same
/// behind a pooler, and at a server that follows another one: a look at the history's last number, each second
/// ```
///
/// Stores that keep a history, or want notifications, notify others. If the connection is lost, the writes until the
/// next one are announced as one.
final class PostgreSQLNews: Sendable {
  private let address: PostgreSQLAddress
  private let door: PostgreSQLDoor
  private let queue = DispatchQueue(label: "CoreData.PostgreSQLNews")
  private let audience: Mutex<Audience>

  private struct Audience {
    weak var store: NSPersistentStore?
    var isStopped = false
    /// The last transaction that was announced.
    var told: Int64?
    /// The last transaction that a look has seen.
    var seen: Int64?
  }

  /// The payload of this store's notifications, so that it can ignore its own.
  let name = UUID().uuidString

  /// How long one look lasts: a listener that is to stop does so within it.
  private static let look: Int32 = 1_000

  init(_ address: PostgreSQLAddress, through door: PostgreSQLDoor) {
    self.address = address
    self.door = door
    audience = Mutex(Audience())
  }
}

// MARK: - Listening

extension PostgreSQLNews {
  /// Begins to listen; earlier writes are not announced.
  func start(for store: NSPersistentStore) {
    let last = Self.lastNumber(of: store)
    audience.withLock { ($0.store, $0.told) = (store, last) }
    let hasBegun = DispatchSemaphore(value: 0)
    let thread = Thread { [self] in
      if address.isLentByTransaction {
        hasBegun.signal()
        lookAgainAndAgain()
      } else {
        listen(hasBegun)
      }
    }
    thread.name = "CoreData.PostgreSQLNews"
    thread.start()
    // A server that does not answer is given up after its time-out.
    hasBegun.wait()
  }

  func stop() {
    audience.withLock { $0.isStopped = true }
  }

  private var isStopped: Bool {
    audience.withLock { $0.isStopped || $0.store == nil }
  }

  private func listen(_ hasBegun: DispatchSemaphore) {
    var hasMissed = false
    while !isStopped {
      do throws(PostgreSQLError) {
        let connection = try listening()
        hasBegun.signal()
        if hasMissed { tell(nil) }
        try hear(connection)
      } catch {
        hasBegun.signal()
        // A server that follows another one does not allow listening; the new entries of its history can be seen.
        if error.wouldWrite { return lookAgainAndAgain() }
        // A server that is not there is looked for again.
        hasMissed = true
        usleep(UInt32(Self.look) * 1_000)
      }
    }
    hasBegun.signal()
  }

  /// A connection that hears of the zone.
  private func listening() throws(PostgreSQLError) -> PostgreSQLConnection {
    let connection = PostgreSQLConnection(
      try door.open(address),
      zone: address.zone,
      namesStatements: false
    )
    let statement = try connection.statement("SELECT \(Self.channel)" as SQLFragment)
    defer { statement.reset() }
    _ = try statement.step()
    try connection.run(plain: "LISTEN \"\(statement.text(0))\"")
    return connection
  }

  private func hear(_ connection: PostgreSQLConnection) throws(PostgreSQLError) {
    // A pooler may take the server's connection away from the listener without notice; the history has the missed
    // writes.
    let mayMiss = try connection.wire.isBehindPooler()
    while !isStopped {
      let notices = try connection.wire.notices(within: Self.look)
      if mayMiss, lookOnce() { continue }
      if notices.contains(where: { $0 != name }) { tell(nil) }
    }
  }

  /// A channel for each zone of each schema; only letters and digits.
  private static let channel: SQLFragment = """
    'coredata_' || substr(encode(sha256(convert_to(current_schema() || '/' || $1, 'UTF8')), 'hex'), 1, 40)
    """

  /// The request with which a transaction notifies others at its commit.
  var notification: PostgreSQLRequest {
    let sql: SQLFragment = "SELECT pg_notify(\(Self.channel), \(.parameter))"
    var values = PostgreSQLValues()
    values.append(text: address.zone)
    values.append(text: name)
    return PostgreSQLRequest(
      sql: sql.rendered(for: .postgreSQL).sql,
      types: [PostgreSQLType.text],
      values: values
    )
  }
}

// MARK: - Looking

extension PostgreSQLNews {
  private func lookAgainAndAgain() {
    while !isStopped {
      usleep(UInt32(Self.look) * 1_000)
      _ = lookOnce()
    }
  }

  /// Announces the new transactions of the history; returns false if there is no history to ask.
  private func lookOnce() -> Bool {
    let (store, told) = audience.withLock { ($0.store, $0.told) }
    guard let store, let last = Self.lastNumber(of: store) else { return false }
    if last != told { tell(last) }
    return true
  }

  private static func lastNumber(of store: NSPersistentStore) -> Int64? {
    // A look that fails says nothing; the next one will.
    try? store.history?.lastTransactionNumber()
  }
}

// MARK: - Telling

extension PostgreSQLNews {
  /// Notes that this store has written; the number is that of the transaction.
  func noteOwnWrite(_ number: Int64?) { tell(number, isOwn: true) }

  private func tell(_ number: Int64?, isOwn: Bool = false) {
    queue.async { [self] in
      let store = audience.withLock { audience -> NSPersistentStore? in
        if let number {
          // A look may have seen a write of this store before the store announces it; writes beside each other come in
          // any order.
          if isOwn, let seen = audience.seen, seen >= number { return nil }
          audience.told = isOwn ? max(number, audience.told ?? number) : number
          if !isOwn { audience.seen = number }
        }
        return audience.isStopped ? nil : audience.store
      }
      store?.tellOfWrite(number)
    }
  }
}
