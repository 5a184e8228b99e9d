import CoreDataSyncCore
import Foundation
import Synchronization

/// One client's line, and the time for which the server waits for its request.
final class ConnectionRecord: Sendable {
  /// The fewest bytes of a body that must arrive between two looks at it; a client that sends less is cut off.
  static let pace = 32 << 10

  private let descriptor: Int32
  private let standing: Mutex<Standing>

  private enum Standing {
    /// The client has not shown a token, and has until then to show one.
    case stranger(until: ContinuousClock.Instant)
    /// The client has shown one, and so many bytes of a body have arrived since the last look; the next look is then.
    case sending(bytes: Int, until: ContinuousClock.Instant)
    /// The whole request is there; the client is being answered.
    case served
    /// The client was answered, and has until then to ask again.
    case idle(until: ContinuousClock.Instant)
    /// The server has hung up.
    case leaving
  }

  fileprivate init(descriptor: Int32, until instant: ContinuousClock.Instant) {
    self.descriptor = descriptor
    standing = Mutex(.stranger(until: instant))
  }

  /// Waits for the body of a client with a token, as long as enough of it has arrived then.
  fileprivate func admit(until instant: ContinuousClock.Instant) {
    standing.withLock { standing in
      switch standing {
      case .stranger, .sending, .served, .idle: standing = .sending(bytes: 0, until: instant)
      case .leaving: break
      }
    }
  }

  /// Some bytes of a body have arrived.
  func take(_ count: Int) {
    standing.withLock { standing in
      switch standing {
      case .sending(let bytes, let instant):
        standing = .sending(bytes: bytes + count, until: instant)
      case .stranger, .served, .idle, .leaving: break
      }
    }
  }

  /// Waits for as long as it takes: the request is there.
  func serve() {
    standing.withLock { standing in
      switch standing {
      case .sending: standing = .served
      case .stranger, .served, .idle, .leaving: break
      }
    }
  }

  /// Waits until then once somebody with a token was answered; a stranger gets no more time by asking.
  fileprivate func rest(until instant: ContinuousClock.Instant) {
    standing.withLock { standing in
      switch standing {
      case .sending, .served: standing = .idle(until: instant)
      case .stranger, .idle, .leaving: break
      }
    }
  }

  fileprivate var isLeaving: Bool {
    standing.withLock { if case .leaving = $0 { true } else { false } }
  }

  /// Which of a crowd goes first: strangers before those who are known, and of each who has come first.
  ///
  /// Nil for one that is being served, or that goes already.
  fileprivate var uselessness: (Int, ContinuousClock.Instant)? {
    standing.withLock { standing in
      switch standing {
      case .stranger(let instant): (0, instant)
      case .idle(let instant): (1, instant)
      case .sending, .served, .leaving: nil
      }
    }
  }

  /// Hangs up on a client that is late; one that sends something gets the same time again before the next look.
  fileprivate func hangUp(ifLateAt now: ContinuousClock.Instant, bodyTime: Duration) {
    standing.withLock { standing in
      switch standing {
      case .stranger(let instant), .idle(let instant): if instant < now { hangUp(&standing) }
      case .sending(let bytes, let instant):
        if instant >= now { return }
        if bytes >= Self.pace {
          standing = .sending(bytes: 0, until: now + bodyTime)
        } else {
          // The library says nothing while a body arrives.
          say(HTTPRequest.tooSlow(bodyTime))
          hangUp(&standing)
        }
      case .served, .leaving: break
      }
    }
  }

  /// Says something past the library, as far as the line takes it at once.
  private func say(_ answer: HTTPAnswer) {
    let bytes = answer.lastBytes
    _ = send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
  }

  fileprivate func hangUp() {
    standing.withLock { hangUp(&$0) }
  }

  private func hangUp(_ standing: inout Standing) {
    standing = .leaving
    shutdown(descriptor, Int32(SHUT_RDWR))
  }
}

/// Every client's line.
///
/// The library measures how long a line is silent, and not how long a request takes to arrive: with a byte now and then
/// a stranger would keep a place for ever. So a stranger must show a token within a time, whatever else arrives, and if
/// all places are taken a stranger goes for each newcomer. A client that has shown one sends its body at a pace, and
/// with one token only a part of the places is served, so that no token shuts the others out.
///
/// The library leaves the list before it closes a socket, so a descriptor in the list is never somebody else's.
final class Connections: Sendable {
  /// How many more lines there may be than places: those that the server has hung up, and the library has not closed.
  static let spare = 64

  private let crowd = Mutex(Crowd())
  let places: Int
  /// How many lines may be served with one token.
  let placesForToken: Int
  private let headTime: Duration
  private let idleTime: Duration
  private let bodyTime: Duration
  private let condition = MonotonicCondition()
  private let hasStopped = Atomic(false)

  /// The pause in microseconds if the system cannot open a file for another line.
  private static let pauseWithoutFile: UInt32 = 50_000

  private struct Crowd {
    var records: [ObjectIdentifier: ConnectionRecord] = [:]
    /// The tokens of the lines that are served, and how many are with each.
    var tokens: [ObjectIdentifier: Int64] = [:]
    var served: [Int64: Int] = [:]
    /// The sentence about it for the server's owner.
    var sentence: String?

    mutating func rest(_ record: ConnectionRecord) {
      guard let token = tokens.removeValue(forKey: ObjectIdentifier(record)) else { return }
      let left = served[token, default: 1] - 1
      served[token] = left > 0 ? left : nil
    }
  }

  /// Gives strangers so much time, and answered clients so much more to begin again, and looks at arriving bodies each
  /// time that so much has passed.
  init(
    places: Int,
    forToken part: Int,
    headTime: Duration,
    idleTime: Duration,
    bodyTime: Duration
  ) {
    self.places = places
    placesForToken = part
    self.headTime = headTime
    self.idleTime = idleTime
    self.bodyTime = bodyTime
  }

  /// Takes a line in; if there are too many, another one goes for it.
  func begin(on descriptor: Int32) -> ConnectionRecord {
    let record = ConnectionRecord(descriptor: descriptor, until: .now + headTime)
    crowd.withLock { crowd in
      crowd.records[ObjectIdentifier(record)] = record
      let staying = crowd.records.values.filter { !$0.isLeaving }
      if staying.count > places { crowd.sentence = makeRoom(in: staying, for: record) }
    }
    return record
  }

  /// Lets another line go for the one that the system cannot open, and lets a moment pass, on the thread that takes
  /// them in.
  func waitForFile() {
    crowd.withLock { crowd in
      let staying = crowd.records.values.filter { !$0.isLeaving }
      Self.mostUseless(of: staying)?.hangUp()
      crowd.sentence = """
        The server may open no more files, so that not everybody who comes gets a connection. Start it with a higher limit, \
        such as with ulimit -n 4096, or let a proxy limit connections.
        """
    }
    usleep(Self.pauseWithoutFile)
  }

  private static func mostUseless(of records: [ConnectionRecord]) -> ConnectionRecord? {
    records.compactMap { record in record.uselessness.map { (record, $0) } }
      .min { $0.1 < $1.1 }?.0
  }

  /// Says what has become of whom.
  private func makeRoom(
    in staying: [ConnectionRecord],
    for newcomer: ConnectionRecord
  ) -> String {
    guard let record = Self.mostUseless(of: staying.filter { $0 !== newcomer }) else {
      newcomer.hangUp()
      return """
        All \(places) connections are in use by devices with tokens, and others are refused until one of them ends.
        """
    }
    record.hangUp()
    return """
      All \(places) connections are in use; those on which nobody has shown a token, or asks any more, are closed for \
      others. Where devices do not get through, let nobody but a proxy reach the server, and let that limit connections.
      """
  }

  /// Serves a client with a token; returns whether it may be one more with it.
  func admit(_ record: ConnectionRecord, token: Int64) -> Bool {
    let isAdmitted = crowd.withLock { crowd in
      crowd.rest(record)
      guard crowd.served[token, default: 0] < placesForToken else { return false }
      crowd.tokens[ObjectIdentifier(record)] = token
      crowd.served[token, default: 0] += 1
      return true
    }
    if isAdmitted { record.admit(until: .now + bodyTime) }
    return isAdmitted
  }

  /// The answer to somebody was sent, or its end.
  func rest(_ record: ConnectionRecord) {
    crowd.withLock { $0.rest(record) }
    record.rest(until: .now + idleTime + headTime)
  }

  func end(_ record: ConnectionRecord) {
    crowd.withLock { crowd in
      crowd.rest(record)
      crowd.records[ObjectIdentifier(record)] = nil
    }
  }
}

// MARK: - Watching

extension Connections {
  /// Hangs up on late clients, and reports crowds to the owner, until it is stopped.
  ///
  /// The thread that takes connections reports nothing: if nobody reads the reports, it would wait.
  func watch(telling tell: (String) -> Void) {
    while pause() {
      let sentence = crowd.withLock { crowd in
        for record in crowd.records.values { record.hangUp(ifLateAt: .now, bodyTime: bodyTime) }
        defer { crowd.sentence = nil }
        return crowd.sentence
      }
      if let sentence { tell(sentence) }
    }
  }

  func stop() {
    condition.lock()
    defer { condition.unlock() }
    hasStopped.store(true, ordering: .releasing)
    condition.broadcast()
  }

  /// Waits a moment; says whether to go on.
  private func pause() -> Bool {
    condition.lock()
    defer { condition.unlock() }
    if !isStopped { condition.wait(atMost: min(headTime / 4, bodyTime / 4, .seconds(1))) }
    return !isStopped
  }

  private var isStopped: Bool { hasStopped.load(ordering: .acquiring) }
}
