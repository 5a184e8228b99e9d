import CoreData
import CoreDataCPostgreSQL
import Foundation

/// The data that libpq needs to cancel the statement of a connection.
///
/// Safety: it is immutable, one thread uses it, and it is freed with the last reference.
final class LibPQCancelRequest: @unchecked Sendable {
  private let request: OpaquePointer
  private let end = DispatchSemaphore(value: 0)

  init?(_ connection: OpaquePointer) {
    guard let request = PQgetCancel(connection) else { return nil }
    self.request = request
  }

  deinit {
    PQfreeCancel(request)
  }

  /// Sends the request; returns `false` if that is not over in time.
  ///
  /// Nothing is sent to a server that cannot be reached.
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
