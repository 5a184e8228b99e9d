import CoreData
import CoreDataCPostgreSQL

/// Makes the server stop commands that nobody wants any more.
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
  /// - Returns: Whether to wait on; `false` if the server does not stop, or if the request may still be on its way:
  ///   then the connection must run nothing more.
  mutating func allowsWaiting(on connection: OpaquePointer) -> Bool {
    guard isGivenUp() else { return true }
    let now = ContinuousClock.now
    if let first, now - first > Self.patience { return false }
    if let last, now - last < Self.pause { return true }
    first = first ?? now
    defer { last = .now }
    // Without memory for a request none is sent.
    guard let request = LibPQCancelRequest(connection) else { return true }
    return request.isOver(within: Self.patience)
  }
}
