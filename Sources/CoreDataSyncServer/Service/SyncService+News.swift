import CoreDataSyncCore

// MARK: - Waiting for a change

extension SyncService {
  /// Waits for a change after a number, while somebody is there; gives the number of the last change there is.
  package func news(
    of zone: String,
    after number: UInt64,
    seconds: Int,
    token: String?,
    isThere: () -> Bool = { true }
  ) throws -> UInt64 {
    let access = try access(to: zone, token)
    let head = try zones.head(of: zone)
    if head != number || seconds == 0 { return head }
    let place = try place(for: access)
    return try withExtendedLifetime(place) {
      try waitedHead(of: zone, after: number, seconds: Double(min(seconds, 55)), isThere)
    }
  }

  /// The number of the last change, once it is a later one, the time is over or nobody is there any more.
  private func waitedHead(
    of zone: String,
    after number: UInt64,
    seconds: Double,
    _ isThere: () -> Bool
  ) throws -> UInt64 {
    let end = ContinuousClock.now + .seconds(seconds)
    var rung: UInt64
    repeat {
      let left = ContinuousClock.now.duration(to: end) / .seconds(1)
      rung = bells.wait(for: zone, after: number, seconds: min(left, NewsListener.look))
    } while rung <= number && !bells.isStopped && .now < end && isThere()
    let head = try zones.head(of: zone)
    // The bells know of a change that is not there: somebody has put a database back while this server ran.
    if rung > number, head <= number { bells.forget(zone, head: rung) }
    return head
  }
}

// MARK: - The stream of news

extension SyncService {
  /// A listener that is notified of each change of a zone, as long as it is connected and the token is good.
  package func listener(
    to zone: String,
    token: String?,
    isThere: @escaping () -> Bool = { true }
  ) throws -> NewsListener {
    let place = try place(for: try access(to: zone, token))
    return NewsListener(first: try zones.head(of: zone), place) { [self] known in
      // A storage that cannot be read ends the stream; the next request tells why.
      let head = try? waitedHead(of: zone, after: known, seconds: NewsListener.silence, isThere)
      return !bells.isStopped && isThere() && isOpen(zone, token) ? head : nil
    }
  }

  private func place(for token: AccessToken) throws -> WaitingRoom.Place {
    guard let place = waiting.place(forToken: token.number) else {
      throw ServiceRefusal(
        429,
        """
        \(WaitingRoom.places) devices wait for news with this token; make another one: \
        \(zones.command.rawValue) --new-token write
        """
      )
    }
    return place
  }

  /// Whether a token that was good still is.
  private func isOpen(_ zone: String, _ text: String?) -> Bool {
    // A book that cannot be read now ends the stream, too.
    guard let text, let token = try? tokens.token(text) else { return false }
    return token.zone == zone && !token.isRevoked
  }
}

/// Waits for one change after another.
///
/// Used by one thread at a time.
package final class NewsListener {
  /// After so many seconds without a change something is said, so that both sides know that the other is there.
  package static let silence: Double = 15
  /// The seconds between looks at whether the listener is still there, so that another one can have its place.
  static let look: Double = 1
  private var known: UInt64
  private var isFirst = true
  private let place: WaitingRoom.Place
  private let wait: (UInt64) -> UInt64?

  fileprivate init(
    first: UInt64,
    _ place: WaitingRoom.Place,
    wait: @escaping (UInt64) -> UInt64?
  ) {
    known = first
    self.place = place
    self.wait = wait
  }

  /// The next message of an event stream: the number of the last change, at once and then when it is another, or a
  /// line that says nothing; nil at the end.
  package func next() -> String? {
    if isFirst {
      isFirst = false
      return "data: \(known)\n\n"
    }
    guard let head = wait(known) else { return nil }
    if head == known { return ":\n\n" }
    known = head
    return "data: \(head)\n\n"
  }
}
