import CMicroHTTPD
import Foundation
import Synchronization

/// The data that waits to be sent on one event stream.
///
///     source ─▶ send ─▶ pending ─▶ read ─▶ the client
///
/// With nothing pending the reader suspends its connection, and the next `send` resumes it. Both
/// happen under one lock, so that no message falls between "nothing there" and "suspended".
final class EventStream: Sendable {
  private struct Outlet {
    var pending: Data
    var isSuspended = false
    var ending: Ending?
    /// The library has released the connection; its descriptor may be somebody else's now.
    var isGone = false
    var pump: Task<Void, Never>?
  }

  private enum Ending {
    case orderly
    case broken
  }

  /// The client's address.
  let client: String
  private let connection: ConnectionHandle
  private let descriptor: Int32
  private let backlog: Int
  private let outlet: Mutex<Outlet>

  init(_ connection: ConnectionHandle, of client: String, backlog: Int) {
    self.connection = connection
    self.client = client
    self.backlog = backlog
    descriptor = connection.descriptor
    // A first line makes the client see at once that the stream is open.
    outlet = Mutex(Outlet(pending: Data(": open\n\n".utf8)))
  }

  /// Sends what a source has until it ends or the client has left.
  func follow(_ source: AsyncStream<ServerSentEvent>) {
    let pump = Task {
      for await event in source where !Task.isCancelled { self.send(event.bytes) }
      self.finish()
    }
    let isLate = outlet.withLock { outlet in
      outlet.pump = pump
      return outlet.isGone
    }
    if isLate { pump.cancel() }
  }

  func send(_ bytes: Data) {
    let isLazy = outlet.withLock { outlet in
      guard outlet.ending == nil, !outlet.isGone else { return false }
      outlet.pending.append(bytes)
      if outlet.pending.count > backlog { drop(&outlet) }
      wake(&outlet)
      return outlet.ending != nil
    }
    if isLazy { cancel() }
  }

  /// A sign of life on a stream that says nothing: a client that left is noticed by it.
  func beat() {
    if outlet.withLock({ $0.isSuspended }) { send(Data(": \n\n".utf8)) }
  }

  /// Ends the stream after what is pending.
  func finish() {
    outlet.withLock { outlet in
      guard !outlet.isGone else { return }
      outlet.ending = outlet.ending ?? .orderly
      wake(&outlet)
    }
  }

  /// Gives the client what is pending, or suspends the connection; called by the connection's thread.
  func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    outlet.withLock { outlet in
      if case .broken = outlet.ending { return cmhd_broken_stream() }
      if !outlet.pending.isEmpty {
        let count = min(buffer.count, outlet.pending.count)
        outlet.pending.prefix(count).copyBytes(to: buffer)
        let isAll = outlet.pending.count == count
        outlet.pending = isAll ? Data() : Data(outlet.pending.dropFirst(count))
        return count
      }
      if outlet.ending != nil { return cmhd_end_of_stream() }
      outlet.isSuspended = true
      connection.suspend()
      return 0
    }
  }

  /// The library is done with the stream.
  func leave() {
    outlet.withLock { $0.isGone = true }
    cancel()
  }

  // The client does not read: its socket is full, so nobody would ask for the rest.
  private func drop(_ outlet: inout sending Outlet) {
    outlet.pending = Data()
    outlet.ending = .broken
    shutdown(descriptor, Int32(SHUT_RDWR))
  }

  private func wake(_ outlet: inout sending Outlet) {
    guard outlet.isSuspended else { return }
    outlet.isSuspended = false
    connection.resume()
  }

  private func cancel() {
    outlet.withLock { $0.pump }?.cancel()
  }
}
