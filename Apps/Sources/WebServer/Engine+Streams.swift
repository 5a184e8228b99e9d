import Foundation
import Synchronization

extension Engine {
  /// Opens an event stream on a connection.
  func stream(
    _ source: AsyncStream<ServerSentEvent>,
    on connection: ConnectionHandle,
    of client: String
  ) -> EventStream {
    let stream = EventStream(connection, of: client, backlog: configuration.streamBacklog)
    streams.withLock { $0[ObjectIdentifier(stream)] = stream }
    stream.follow(source)
    if isStopping.withLock({ $0 }) { stream.finish() }
    return stream
  }

  func close(_ stream: EventStream) {
    stream.leave()
    _ = streams.withLock { $0.removeValue(forKey: ObjectIdentifier(stream)) }
  }

  /// How many streams a client has.
  func streamCount(of client: String) -> Int {
    streams.withLock { $0.values.count { $0.client == client } }
  }

  /// Keeps streams alive, hangs up on slow clients, and gives up what nobody waits for any more or what takes too
  /// long, until it is cancelled.
  func watch() async {
    var beat = ContinuousClock.now + configuration.streamHeartbeat
    while !Task.isCancelled {
      // Cancellation ends the sleep, and the loop sees it.
      try? await Task.sleep(for: min(configuration.streamHeartbeat, .milliseconds(250)))
      connections.closeLate(.now)
      giveUpLate()
      giveUpAbandoned()
      guard .now >= beat else { continue }
      beat = .now + configuration.streamHeartbeat
      for stream in openStreams { stream.beat() }
    }
  }

  /// Answers for handlers that take too long, and cancels them.
  private func giveUpLate() {
    for (exchange, connection) in openExchanges
    where exchange.isLate(.now, configuration.handlerDeadline) {
      let answer = Problem.late(writes: exchange.writes).response
      if exchange.giveUp(with: answer) { connection.resume() }
    }
  }

  /// Cancels the handlers whose clients have left.
  ///
  /// The library does not look at a connection that is suspended, so we do.
  private func giveUpAbandoned() {
    // Under the lock no exchange ends, and so no descriptor becomes somebody else's.
    let abandoned = exchanges.withLock { exchanges in
      exchanges.values.filter { $0.0.isWorking && $0.1.hasLeft }.map(\.0)
    }
    for exchange in abandoned { exchange.cancel() }
  }

  var openStreams: [EventStream] { streams.withLock { Array($0.values) } }
}
