import CoreDataHTTP
import Foundation
import Synchronization

/// The events of one source on their way to one client.
///
///     source ─▶ HTTPStream ─▶ the client
final class EventStream: Sendable {
  /// The client's address.
  let client: String
  let outlet: HTTPStream
  private let pump: Pump

  /// Makes a stream.
  ///
  /// `whenGone` is called when the client has left, or the stream has ended.
  init(
    on exchange: HTTPExchange,
    backlog: Int,
    whenGone: @escaping @Sendable () -> Void
  ) {
    let pump = Pump()
    client = exchange.connection.client
    self.pump = pump
    outlet = HTTPStream(on: exchange, beginning: Data(": open\n\n".utf8), backlog: backlog) {
      pump.stop()
      whenGone()
    }
  }

  /// Sends what a source has until it ends or the client has left.
  func follow(_ source: AsyncStream<ServerSentEvent>) {
    pump.run(
      Task {
        for await event in source where !Task.isCancelled {
          if !self.outlet.send(event.bytes) { self.pump.stop() }
        }
        self.outlet.finish()
      }
    )
  }

  /// Sends a sign of life on a stream that says nothing: a client that left is noticed by it.
  func beat() { outlet.beat(Data(": \n\n".utf8)) }

  /// Ends the stream after what is pending.
  func finish() { outlet.finish() }
}

/// The task that takes events from a source.
private final class Pump: Sendable {
  private struct State {
    var task: Task<Void, Never>?
    var isStopped = false
  }

  private let state = Mutex(State())

  func run(_ task: Task<Void, Never>) {
    let isLate = state.withLock { state in
      state.task = task
      return state.isStopped
    }
    if isLate { task.cancel() }
  }

  func stop() {
    let task = state.withLock { state in
      state.isStopped = true
      return state.task
    }
    task?.cancel()
  }
}
