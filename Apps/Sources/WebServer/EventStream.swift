import CMicroHTTPD
import Foundation
import Synchronization

/// What waits to be sent on one event stream.
///
///     source ─▶ send ─▶ pending ─▶ read ─▶ the client
///
/// With nothing pending the reader suspends its connection, and the next `send` resumes it. Both
/// happen under one lock, so that no message falls between "nothing there" and "suspended".
final class EventStream: Sendable {
  private struct State {
    var pending: Data
    var isSuspended = false
    var ending: Ending?
    /// The library has let go of the connection; its descriptor may be somebody else's now.
    var isGone = false
    var pump: Task<Void, Never>?
  }

  private enum Ending {
    case orderly
    case broken
  }

  /// Where the client comes from.
  let client: String
  private let connection: ConnectionHandle
  private let descriptor: Int32
  private let backlog: Int
  private let state: Mutex<State>

  init(_ connection: ConnectionHandle, of client: String, backlog: Int) {
    self.connection = connection
    self.client = client
    self.backlog = backlog
    descriptor = connection.descriptor
    // A first line makes the client see at once that the stream is open.
    state = Mutex(State(pending: Data(": open\n\n".utf8)))
  }

  /// Sends what a source has until it ends or the client has left.
  func follow(_ source: AsyncStream<ServerSentEvent>) {
    let pump = Task {
      for await event in source where !Task.isCancelled { self.send(event.bytes) }
      self.finish()
    }
    let isLate = state.withLock { state in
      state.pump = pump
      return state.isGone
    }
    if isLate { pump.cancel() }
  }

  func send(_ bytes: Data) {
    let isLazy = state.withLock { state in
      guard state.ending == nil, !state.isGone else { return false }
      state.pending.append(bytes)
      if state.pending.count > backlog { drop(&state) }
      wake(&state)
      return state.ending != nil
    }
    if isLazy { cancel() }
  }

  /// A sign of life on a stream that says nothing: a client that left is noticed by it.
  func beat() {
    if state.withLock({ $0.isSuspended }) { send(Data(": \n\n".utf8)) }
  }

  /// Ends the stream after what is pending.
  func finish() {
    state.withLock { state in
      guard !state.isGone else { return }
      state.ending = state.ending ?? .orderly
      wake(&state)
    }
  }

  /// Gives the client what is pending, or suspends the connection; called by the connection's thread.
  func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    state.withLock { state in
      if case .broken = state.ending { return cmhd_broken_stream() }
      if !state.pending.isEmpty {
        let count = min(buffer.count, state.pending.count)
        state.pending.prefix(count).copyBytes(to: buffer)
        state.pending = state.pending.count == count ? Data() : Data(state.pending.dropFirst(count))
        return count
      }
      if state.ending != nil { return cmhd_end_of_stream() }
      state.isSuspended = true
      connection.suspend()
      return 0
    }
  }

  /// The library is done with the stream.
  func leave() {
    state.withLock { $0.isGone = true }
    cancel()
  }

  // The client does not read: its socket is full, so nobody would ask for the rest.
  private func drop(_ state: inout sending State) {
    state.pending = Data()
    state.ending = .broken
    shutdown(descriptor, Int32(SHUT_RDWR))
  }

  private func wake(_ state: inout sending State) {
    guard state.isSuspended else { return }
    state.isSuspended = false
    connection.resume()
  }

  private func cancel() {
    state.withLock { $0.pump }?.cancel()
  }
}
