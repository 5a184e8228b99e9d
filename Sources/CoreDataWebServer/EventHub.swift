import Foundation
import Synchronization

/// Everybody who listens to the same events.
///
///     router.get("/api/events") { _ in .events(hub.stream()) }
///     hub.send("notes", rows)
public final class EventHub: Sendable {
  private let listeners = Mutex<[UUID: AsyncStream<ServerSentEvent>.Continuation]>([:])

  public init() {}

  /// A stream that begins with some events; it leaves the hub when its client does.
  public func stream(
    beginningWith first: [ServerSentEvent] = [],
    onEnd: @escaping @Sendable () -> Void = {}
  ) -> AsyncStream<ServerSentEvent> {
    let (stream, continuation) = AsyncStream.makeStream(of: ServerSentEvent.self)
    let id = UUID()
    listeners.withLock { $0[id] = continuation }
    continuation.onTermination = { [weak self] _ in
      _ = self?.listeners.withLock { $0.removeValue(forKey: id) }
      onEnd()
    }
    for event in first { continuation.yield(event) }
    return stream
  }

  public func send(_ event: ServerSentEvent) {
    for listener in listeners.withLock({ Array($0.values) }) { listener.yield(event) }
  }

  /// Sends a value as JSON; a value without a form in JSON is reported, and the streams go on.
  public func send(
    _ name: String,
    _ value: some Encodable,
    reportingTo log: AccessLog = .standardError
  ) {
    if let event = ServerSentEvent(name: name, orReport: value, to: log) { send(event) }
  }

  /// How many listen.
  public var count: Int { listeners.withLock { $0.count } }
}
