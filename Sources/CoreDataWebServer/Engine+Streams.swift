import CoreDataHTTP
import Foundation
import Synchronization

extension Engine {
  /// Opens an event stream on a connection.
  func stream(_ source: AsyncStream<ServerSentEvent>, on exchange: HTTPExchange) -> HTTPStream {
    let key = ObjectIdentifier(exchange)
    let stream = EventStream(on: exchange, backlog: configuration.streamBacklog) {
      _ = self.streams.withLock { $0.removeValue(forKey: key) }
    }
    streams.withLock { $0[key] = stream }
    stream.follow(source)
    if isStopping.withLock({ $0 }) { stream.finish() }
    return stream.outlet
  }

  /// How many streams a client has.
  func streamCount(of client: String) -> Int {
    streams.withLock { $0.values.count { $0.client == client } }
  }

  var openStreams: [EventStream] { streams.withLock { Array($0.values) } }
}

// MARK: - Looking after what is open

extension Engine {
  /// Keeps streams alive, and gives up what takes too long, and what nobody waits for or may have any more.
  func look(at receptions: [any HTTPReception]) {
    for exchange in receptions.compactMap({ $0 as? Exchange }) {
      giveUpIfLate(exchange)
      exchange.breakOffIfNotAllowed()
      // The library does not look at a connection that is suspended, so we do.
      if exchange.isWorking, exchange.line.hasLeft { exchange.cancel() }
    }
    let isBeat = nextBeat.withLock { next in
      guard .now >= next else { return false }
      next = .now + configuration.streamHeartbeat
      return true
    }
    if isBeat { for stream in openStreams { stream.beat() } }
  }

  /// Answers for a handler that takes too long, and cancels it.
  private func giveUpIfLate(_ exchange: Exchange) {
    guard exchange.isLate(.now, configuration.handlerDeadline) else { return }
    let answer = Problem.late(writes: exchange.writes).response
    if exchange.giveUp(with: answer) { exchange.line.resume() }
  }

  func report(_ crowding: HTTPCrowding) {
    let isDue = lastReport.withLock { last in
      if let last, last.duration(to: .now) < .seconds(60) { return false }
      last = .now
      return true
    }
    if isDue { configuration.accessLog.report(crowding.sentence) }
  }
}

extension HTTPCrowding {
  fileprivate var sentence: String {
    switch self {
    case .newcomersLeave(let count):
      "All \(count) connections are in use, and others are refused until one of them ends."
    case .idleLeave(let count):
      "All \(count) connections are in use; those of strangers and idle clients are closed for others."
    case .noFiles:
      """
      The program may open no more files, so that not everybody who comes gets a connection. Start it with a higher limit, \
      such as with ulimit -n 4096.
      """
    }
  }
}
