import Foundation
import Synchronization

extension Engine {
  /// Ends what is going on: streams at once, answers when they are made or the time is over.
  ///
  /// Afterwards no connection is suspended, which the library needs to stop.
  func wind(within deadline: Duration) async {
    isStopping.withLock { $0 = true }
    for stream in openStreams { stream.finish() }
    await waitForExchanges(deadline)
    for (exchange, _) in openExchanges { exchange.cancel() }
    await waitForExchanges(.seconds(1))
    for (exchange, connection) in openExchanges
    where exchange.ready(Problem.stopped(writes: exchange.writes).response) { connection.resume() }
    await waitForExchanges(.seconds(3))
    connections.closeAll()
    await waitForExchanges(.seconds(2))
  }

  private func waitForExchanges(_ limit: Duration) async {
    let deadline = ContinuousClock.now + limit
    while !openExchanges.isEmpty, .now < deadline {
      for stream in openStreams { stream.finish() }
      await withCheckedContinuation { continuation in
        // Works in a cancelled task too.
        DispatchQueue.global().asyncAfter(deadline: .now() + 0.01) { continuation.resume() }
      }
    }
  }

  var openExchanges: [(Exchange, ConnectionHandle)] {
    exchanges.withLock { Array($0.values) }
  }
}
