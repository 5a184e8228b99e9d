import CoreDataCMicroHTTPD
public import Foundation
import Synchronization

/// The data that waits to be sent in one answer that goes on.
///
/// ```
/// send ─▶ pending ─▶ read ─▶ the client
/// ```
///
/// With nothing pending the reader suspends its connection, and the next `send` resumes it. Both happen under one lock,
/// so that no data falls between "nothing there" and "suspended".
public final class HTTPStream: Sendable {
  private struct Outlet {
    var pending: Data
    var isSuspended = false
    var ending: Ending?
    /// The library has released the connection; its descriptor may be another one's now.
    var isGone = false
  }

  private enum Ending {
    case orderly
    case broken
  }

  private let exchange: HTTPExchange
  private let backlog: Int
  private let whenGone: @Sendable () -> Void
  private let outlet: Mutex<Outlet>

  /// Makes the stream of an answer.
  ///
  /// - Parameters:
  ///   - exchange: The request that is answered.
  ///   - beginning: The first bytes, by which a client sees at once that the stream is open.
  ///   - backlog: How many bytes may wait for a client that does not read; then it is hung up on.
  ///   - whenGone: Called once, when the library is done with the stream.
  public init(
    on exchange: HTTPExchange,
    beginning: Data,
    backlog: Int,
    whenGone: @escaping @Sendable () -> Void
  ) {
    self.exchange = exchange
    self.backlog = backlog
    self.whenGone = whenGone
    outlet = Mutex(Outlet(pending: beginning))
  }

  /// Sends bytes; returns false if the stream takes no more.
  @discardableResult
  public func send(_ bytes: Data) -> Bool {
    outlet.withLock { outlet in
      guard outlet.ending == nil, !outlet.isGone else { return false }
      outlet.pending.append(bytes)
      if outlet.pending.count > backlog { drop(&outlet) }
      wake(&outlet)
      return outlet.ending == nil
    }
  }

  /// Sends bytes if nothing else is on its way: a client that has left is noticed by it.
  public func beat(_ bytes: Data) {
    if outlet.withLock({ $0.isSuspended }) { send(bytes) }
  }

  /// Ends the stream after what is pending.
  public func finish() {
    outlet.withLock { outlet in
      guard !outlet.isGone else { return }
      outlet.ending = outlet.ending ?? .orderly
      wake(&outlet)
    }
  }

  // The client does not read: its socket is full, so nobody would ask for the rest.
  private func drop(_ outlet: inout sending Outlet) {
    outlet.pending = Data()
    outlet.ending = .broken
    exchange.connection.hangUp()
  }

  private func wake(_ outlet: inout sending Outlet) {
    guard outlet.isSuspended else { return }
    outlet.isSuspended = false
    exchange.resume()
  }
}

// MARK: - Called by the library

extension HTTPStream {
  /// The most bytes that are sent at once; the library keeps so many for each open stream.
  private static let portion = 4_096

  var response: OpaquePointer? {
    MHD_create_response_from_callback(
      coredata_http_unknown_size,
      Self.portion,
      readStream,
      Unmanaged.passRetained(self).toOpaque(),
      { context in
        if let context { Unmanaged<HTTPStream>.fromOpaque(context).takeRetainedValue().leave() }
      }
    )
  }

  /// Gives the client what is pending, or suspends the connection; called on the connection's thread.
  fileprivate func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    outlet.withLock { outlet in
      if case .broken = outlet.ending { return coredata_http_broken }
      if !outlet.pending.isEmpty {
        let count = min(buffer.count, outlet.pending.count)
        outlet.pending.prefix(count).copyBytes(to: buffer)
        let isAll = outlet.pending.count == count
        outlet.pending = isAll ? Data() : Data(outlet.pending.dropFirst(count))
        return count
      }
      if outlet.ending != nil { return coredata_http_end }
      outlet.isSuspended = true
      exchange.suspend()
      return 0
    }
  }

  private func leave() {
    outlet.withLock { $0.isGone = true }
    whenGone()
  }
}

private let readStream: MHD_ContentReaderCallback = { context, _, buffer, size in
  guard let context, let buffer else { return coredata_http_broken }
  return Unmanaged<HTTPStream>.fromOpaque(context).takeUnretainedValue()
    .read(into: UnsafeMutableRawBufferPointer(start: buffer, count: size))
}
