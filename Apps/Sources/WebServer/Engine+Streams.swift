import Foundation
import Synchronization

extension Engine {
  /// Opens an event stream on a connection.
  func stream(
    _ source: AsyncStream<ServerSentEvent>,
    on connection: ConnectionHandle
  ) -> EventStream {
    let stream = EventStream(connection, backlog: configuration.streamBacklog)
    streams.withLock { $0[ObjectIdentifier(stream)] = stream }
    stream.follow(source)
    if isStopping.withLock({ $0 }) { stream.finish() }
    return stream
  }

  func close(_ stream: EventStream) {
    stream.leave()
    _ = streams.withLock { $0.removeValue(forKey: ObjectIdentifier(stream)) }
  }

  /// Keeps streams alive and hangs up on slow clients, until it is cancelled.
  func watch() async {
    var beat = ContinuousClock.now + configuration.streamHeartbeat
    while !Task.isCancelled {
      // Cancellation ends the sleep, and the loop sees it.
      try? await Task.sleep(for: min(configuration.streamHeartbeat, .seconds(1)))
      connections.closeLate(.now)
      guard .now >= beat else { continue }
      beat = .now + configuration.streamHeartbeat
      for stream in openStreams { stream.beat() }
    }
  }

  var openStreams: [EventStream] { streams.withLock { Array($0.values) } }
}
