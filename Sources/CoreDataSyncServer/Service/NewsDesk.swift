import Synchronization

/// A message to a client that waits for changes of a zone.
package enum ZoneNews: Hashable, Sendable {
  /// The zone's last change has this number.
  case head(UInt64)
  /// Nothing has changed for a while.
  case silence
  /// The server tells no more: it stops, or the client may not hear more.
  case end
}

/// A client that waits for changes of a zone, without a thread.
package final class NewsWaiter: Sendable {
  let zone: String
  let token: String
  private let place: WaitingRoom.Place
  private let end: ContinuousClock.Instant?
  private let isThere: @Sendable () -> Bool
  private let tell: @Sendable (ZoneNews) -> Void
  private let state: Mutex<(known: UInt64?, isOver: Bool)>

  /// Makes a waiter, which keeps its place for as long as it exists.
  ///
  /// - Parameters:
  ///   - zone: The zone.
  ///   - token: The text of the client's token.
  ///   - place: The place among those who wait with the token.
  ///   - known: The number of the last change that the client knows; `nil` for a client that knows nothing, and waits on.
  ///   - end: When the client is answered at the latest; `nil` for one that waits on.
  ///   - isThere: Whether the client has not hung up.
  ///   - tell: Takes each message; one at a time, from any thread.
  init(
    _ zone: String,
    token: String,
    _ place: WaitingRoom.Place,
    knows known: UInt64?,
    until end: ContinuousClock.Instant?,
    isThere: @escaping @Sendable () -> Bool,
    tell: @escaping @Sendable (ZoneNews) -> Void
  ) {
    self.zone = zone
    self.token = token
    self.place = place
    self.end = end
    self.isThere = isThere
    self.tell = tell
    state = Mutex((known, false))
  }

  /// Tells a message; returns false if the waiter waits for no other.
  func take(_ news: ZoneNews, onlyIfLater: Bool = false) -> Bool {
    state.withLock { state in
      if state.isOver { return false }
      switch news {
      case .head(let head):
        if let known = state.known, onlyIfLater ? head <= known : head == known { return true }
        state.known = head
        // A client that has asked until a time gets one answer.
        state.isOver = end != nil
      case .silence: state.isOver = end != nil
      case .end: state.isOver = true
      }
      tell(news)
      return !state.isOver
    }
  }

  /// Whether the client waits without an end.
  var waitsOn: Bool { end == nil }

  /// The message that is due without a change, if there is one.
  func overdue(at now: ContinuousClock.Instant, looking: Bool) -> ZoneNews? {
    if let end, end <= now { return .silence }
    return looking && !isThere() ? .end : nil
  }
}

/// All clients that wait for changes.
///
/// ```
/// a push here, or at another server ─▶ ring ─▶ every waiter of the zone
/// a second has passed               ─▶ look ─▶ those whose time is over, those who have left, zones to look after
/// ```
///
/// A number that was read from the storage is only told if nobody has rung meanwhile, because it may be older.
final class NewsDesk: Sendable {
  /// After so much time without a change something is said, so that both sides know that the other is there.
  static let silence = Duration.seconds(15)
  /// A client that has hung up is noticed at one of so many looks.
  private static let rounds = 4

  private let desk = Mutex(Desk())

  private struct Desk {
    var zones: [String: Zone] = [:]
    /// How often somebody has rung, or a zone has got its first waiter.
    var rings: UInt64 = 0
    var round = 0
    var isClosed = false
  }

  private struct Zone {
    var waiters: [ObjectIdentifier: NewsWaiter] = [:]
    var lastRing: UInt64
    var nextLook: ContinuousClock.Instant
  }

  /// How many clients wait.
  var count: Int { desk.withLock { $0.zones.values.reduce(0) { $0 + $1.waiters.count } } }
}

// MARK: - Coming and going

extension NewsDesk {
  /// Adds the waiter of a client.
  func add(_ waiter: NewsWaiter, of client: ObjectIdentifier) {
    let isClosed = desk.withLock { desk in
      if desk.isClosed { return true }
      if desk.zones[waiter.zone] == nil {
        desk.rings += 1
        desk.zones[waiter.zone] = Zone(lastRing: desk.rings, nextLook: .now + Self.silence)
      }
      desk.zones[waiter.zone]?.waiters[client] = waiter
      return false
    }
    if isClosed { _ = waiter.take(.end) }
  }

  func remove(_ client: ObjectIdentifier, from zone: String) {
    // The last owner of a waiter gives its place back, for which this lock is not needed.
    let waiter = desk.withLock { desk in
      let waiter = desk.zones[zone]?.waiters.removeValue(forKey: client)
      if desk.zones[zone]?.waiters.isEmpty == true { desk.zones[zone] = nil }
      return waiter
    }
    withExtendedLifetime(waiter) {}
  }

  /// Ends all waiting, also of those who come later.
  func close() {
    let zones = desk.withLock { desk in
      desk.isClosed = true
      return Array(desk.zones.keys)
    }
    for zone in zones { tell(.end, to: zone) }
  }
}

// MARK: - Telling

extension NewsDesk {
  /// Tells the number of a zone's last change to those who know an earlier one.
  func ring(_ zone: String, head: UInt64) {
    let isAwaited = desk.withLock { desk in
      desk.rings += 1
      desk.zones[zone]?.lastRing = desk.rings
      return desk.zones[zone] != nil
    }
    if isAwaited { tell(.head(head), to: zone, onlyIfLater: true) }
  }

  /// Reads the number of a zone's last change, and tells it to those who know another one.
  func settle(_ zone: String, _ head: () throws -> UInt64) throws {
    let ring = desk.withLock { $0.zones[zone]?.lastRing }
    let number = try head()
    guard let ring, desk.withLock({ $0.zones[zone]?.lastRing }) == ring else { return }
    tell(.head(number), to: zone)
  }

  /// Tells something to the waiters of a zone, or to those with one token.
  func tell(
    _ news: ZoneNews,
    to zone: String,
    token: String? = nil,
    onlyIfLater: Bool = false
  ) {
    let waiters = desk.withLock { $0.zones[zone]?.waiters ?? [:] }
    for (client, waiter) in waiters where token == nil || waiter.token == token {
      if !waiter.take(news, onlyIfLater: onlyIfLater) { remove(client, from: zone) }
    }
  }

  /// Shows those who wait on that the server is there; for the others, nothing is said before their time is over.
  func beat(_ zone: String) {
    let waiters = desk.withLock { $0.zones[zone]?.waiters ?? [:] }
    for waiter in waiters.values where waiter.waitsOn { _ = waiter.take(.silence) }
  }

  /// The tokens with which clients wait for a zone.
  func tokens(of zone: String) -> Set<String> {
    desk.withLock { Set(($0.zones[zone]?.waiters ?? [:]).values.map(\.token)) }
  }

  /// Ends the waiting of those whose time is over and of those who have left; returns the zones to look after.
  ///
  /// To be called once a second.
  func look(at now: ContinuousClock.Instant = .now) -> [String] {
    let (all, round, due) = desk.withLock { desk in
      desk.round = (desk.round + 1) % Self.rounds
      var due: [String] = []
      for (name, zone) in desk.zones where zone.nextLook <= now {
        desk.zones[name]?.nextLook = now + Self.silence
        due.append(name)
      }
      return (desk.zones.values.map(\.waiters), desk.round, due)
    }
    var number = 0
    for (client, waiter) in all.joined() {
      number += 1
      let isTurn = number % Self.rounds == round
      guard let news = waiter.overdue(at: now, looking: isTurn) else { continue }
      if !waiter.take(news) { remove(client, from: waiter.zone) }
    }
    return due
  }
}
