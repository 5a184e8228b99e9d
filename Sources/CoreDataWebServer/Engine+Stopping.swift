import CoreDataHTTP
import Foundation
import Synchronization

extension Engine {
  /// Ends what is going on: streams at once, answers when they are made or the time is over.
  ///
  /// Afterwards no connection is suspended, which the library needs to stop.
  func wind(_ daemon: HTTPDaemon, within deadline: Duration) async {
    isStopping.withLock { $0 = true }
    for stream in openStreams { stream.finish() }
    await waitForExchanges(of: daemon, deadline)
    for exchange in daemon.exchanges { exchange.cancel() }
    await waitForExchanges(of: daemon, .seconds(1))
    for exchange in daemon.exchanges
    where exchange.ready(Problem.stopped(writes: exchange.writes).response) {
      exchange.line.resume()
    }
    await waitForExchanges(of: daemon, .seconds(3))
    daemon.hangUp()
    await waitForExchanges(of: daemon, .seconds(2))
  }

  private func waitForExchanges(of daemon: HTTPDaemon, _ limit: Duration) async {
    let deadline = ContinuousClock.now + limit
    while !daemon.exchanges.isEmpty, .now < deadline {
      for stream in openStreams { stream.finish() }
      await withCheckedContinuation { continuation in
        // Works in a cancelled task too.
        DispatchQueue.global().asyncAfter(deadline: .now() + 0.01) { continuation.resume() }
      }
    }
  }
}

extension HTTPDaemon {
  fileprivate var exchanges: [Exchange] { receptions.compactMap { $0 as? Exchange } }
}
