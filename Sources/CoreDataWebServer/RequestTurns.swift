import Synchronization

/// The requests of each client that are being answered or wait for it.
///
/// A client has at most so many handlers at work. Its other requests wait for these, and the requests of others do not
/// wait for them: 200 lists that one client asks for at once do not hold up the list of another.
final class RequestTurns: Sendable {
  /// Clients behind one address are told apart by a name that they give themselves.
  struct Client: Hashable, Sendable {
    let address: String
    let name: String
  }

  /// Begins to answer a request; returns `false` if nobody waits for the answer any more.
  typealias Beginning = @Sendable () -> Bool

  private struct Turns {
    var running = 0
    var waiting: [Beginning] = []
  }

  private let limit: Int
  private let clients = Mutex<[Client: Turns]>([:])

  /// - Parameter limit: How many handlers of one client work at once, from 1.
  init(limit: Int) {
    self.limit = max(1, limit)
  }

  /// Begins to answer a request, now or when another request of the client has been answered.
  func take(_ client: Client, _ begin: @escaping Beginning) {
    let isNow = clients.withLock { clients in
      guard clients[client, default: Turns()].running < limit else {
        clients[client]?.waiting.append(begin)
        return false
      }
      clients[client, default: Turns()].running += 1
      return true
    }
    if isNow, !begin() { leave(client) }
  }

  /// A request of the client has been answered: the next one begins.
  func leave(_ client: Client) {
    while let next = next(of: client) {
      if next() { return }
    }
  }

  /// The request that has waited longest, which takes the turn of the one that was answered.
  private func next(of client: Client) -> Beginning? {
    clients.withLock { clients in
      guard var turns = clients[client] else { return nil }
      let next = turns.waiting.isEmpty ? nil : turns.waiting.removeFirst()
      if next == nil { turns.running -= 1 }
      clients[client] = turns.running == 0 ? nil : turns
      return next
    }
  }
}
