import CoreDataSyncCore

// MARK: - Waiting for a change

extension SyncService {
  /// The number of a zone's last change.
  package func head(of zone: String, token: String?) throws -> UInt64 {
    _ = try access(to: zone, token)
    return try zones.head(of: zone)
  }

  /// Tells a client the number of a zone's last change, once it is another one than the client knows.
  ///
  /// No thread waits. The first message may come before this returns.
  ///
  /// - Parameters:
  ///   - zone: The zone.
  ///   - known: The number that the client knows. If it is `nil`, the client is told the number at once, and then each
  ///     other one.
  ///   - patience: For how long the client waits; 55 seconds at most. It is ignored for a client that knows no number.
  ///   - token: The text of the client's token.
  ///   - client: The client's name, for ``stopTelling(_:of:)``.
  ///   - isThere: Whether the client has not hung up.
  ///   - tell: Takes each message; one at a time, from any thread.
  /// - Throws: A refusal, such as 429 if too many wait with the token. Then nothing is told.
  package func tellNews(
    of zone: String,
    after known: UInt64?,
    for patience: Duration = .zero,
    token: String?,
    to client: ObjectIdentifier,
    isThere: @escaping @Sendable () -> Bool = { true },
    tell: @escaping @Sendable (ZoneNews) -> Void
  ) throws {
    let access = try access(to: zone, token)
    guard let place = waiting.place(forToken: access.number) else { throw tooManyWait(access) }
    let waiter = NewsWaiter(
      zone,
      token: token ?? "",
      place,
      knows: known,
      until: known.map { _ in .now + min(patience, .seconds(55)) },
      isThere: isThere,
      tell: tell
    )
    // First, so that no change falls between the reading and the waiting.
    news.add(waiter, of: client)
    do {
      try news.settle(zone) { try zones.head(of: zone) }
    } catch {
      news.remove(client, from: zone)
      throw error
    }
  }

  private func tooManyWait(_ access: AccessToken) -> ServiceRefusal {
    tellOwner(
      """
      \(WaitingRoom.places) devices wait for news of the zone \(access.zone) with token \(access.number), and others are \
      refused. Make a token for each device: \(zones.command.rawValue) --new-token write --zone \(access.zone)
      """
    )
    return ServiceRefusal(
      429,
      """
      \(WaitingRoom.places) devices wait for news with this token; make another one: \
      \(zones.command.rawValue) --new-token write
      """
    )
  }

  /// Tells a client no more, because it has left.
  package func stopTelling(_ zone: String, of client: ObjectIdentifier) {
    news.remove(client, from: zone)
  }

  /// How many clients wait for changes.
  package var waitingCount: Int { news.count }
}

// MARK: - Looking after those who wait

extension SyncService {
  /// Ends the waiting of those whose time is over and of those who have left.
  ///
  /// To be called once a second. Returns the zones for which ``lookAfter(_:)`` is to be called, on a thread that may wait.
  package func lookAtWaiting() -> [String] { news.look() }

  /// Reads whether a zone has changed without a word, ends the waiting of clients whose tokens were revoked, and shows
  /// the others that the server is there.
  package func lookAfter(_ zone: String) {
    do {
      try news.settle(zone) { try zones.head(of: zone) }
    } catch {
      // The next request gets the reason.
      return news.tell(.end, to: zone)
    }
    for token in news.tokens(of: zone) where !isOpen(zone, token) {
      news.tell(.end, to: zone, token: token)
    }
    news.beat(zone)
  }

  /// Whether a token that was good still is.
  private func isOpen(_ zone: String, _ text: String) -> Bool {
    // A book that cannot be read now ends the waiting, too.
    guard let token = try? tokens.token(text) else { return false }
    return token.zone == zone && !token.isRevoked
  }
}
