import CoreDataCPostgreSQL
import Foundation

/// Has the server stop what nobody wants any more.
///
/// ```
/// wait for the answer ─▶ still wanted? ─▶ PQcancel, on a thread of its own ─▶ the server has taken it
///          ╰──────────────────────────────────────◀──────────────────────────────────╯
/// ```
///
/// The thread that waits for the answer also asks and has the request sent, and sends nothing else before the server
/// has taken it: a request that was late would stop the next statement. A server forgets a request that comes between
/// two statements, so it is repeated.
struct LibPQWithdrawal {
  private let isGivenUp: @Sendable () -> Bool
  private var first: ContinuousClock.Instant?
  private var last: ContinuousClock.Instant?

  init(_ isGivenUp: @escaping @Sendable () -> Bool) {
    self.isGivenUp = isGivenUp
  }

  /// After so many milliseconds without a word from the server it is asked again whether the answer is wanted.
  static let interval: Int32 = 20
  private static let pause = Duration.milliseconds(500)
  /// How long the server may go on, or be out of reach.
  private static let patience = Duration.seconds(5)

  /// Tells the server to stop if nobody wants the answer.
  ///
  /// - Returns: Whether to wait on; false where the server does not stop, or where the request may still be on its
  ///   way: then the connection must run nothing more.
  mutating func allowsWaiting(on connection: OpaquePointer) -> Bool {
    guard isGivenUp() else { return true }
    let now = ContinuousClock.now
    if let first, now - first > Self.patience { return false }
    if let last, now - last < Self.pause { return true }
    first = first ?? now
    defer { last = .now }
    // Without memory for a request none is sent.
    guard let request = CancelRequest(connection) else { return true }
    return request.isOver(within: Self.patience)
  }
}

/// What libpq needs to cancel the statement of a connection.
///
/// Safety: it is immutable, one thread uses it, and it is freed with the last reference.
private final class CancelRequest: @unchecked Sendable {
  private let request: OpaquePointer
  private let end = DispatchSemaphore(value: 0)

  init?(_ connection: OpaquePointer) {
    guard let request = PQgetCancel(connection) else { return nil }
    self.request = request
  }

  deinit {
    PQfreeCancel(request)
  }

  /// Sends it; false where that is not over in time.
  ///
  /// A server that cannot be reached was sent nothing.
  func isOver(within patience: Duration) -> Bool {
    Thread.detachNewThread { [self] in
      send()
      end.signal()
    }
    let (seconds, attoseconds) = patience.components
    let nanoseconds = Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000)
    return end.wait(timeout: .now() + .nanoseconds(nanoseconds)) == .success
  }

  private func send() {
    // A server that hangs up at once would end the program by a signal, which libpq does not keep away here.
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGPIPE)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    var words = [CChar](repeating: 0, count: 256)
    _ = PQcancel(request, &words, Int32(words.count))
  }
}
