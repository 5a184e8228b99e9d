package import CoreDataHTTP
package import CoreDataSyncServer
import Foundation
import Synchronization

/// A service that can be reached over HTTP.
///
/// ```
/// POST   /v1/zones/ZONE/sync                      a push or a pull, as bytes
/// GET    /v1/zones/ZONE/seal                      what the devices know of its encryption; PUT writes it once
/// GET    /v1/zones/ZONE/assets/HASH               a large value, or with Range some of its bytes
/// PUT    /v1/zones/ZONE/assets/HASH               the bytes of Content-Range; answers how many are there
/// GET    /v1/zones/ZONE/news?after=12&wait=25     the number of the last change, once it is another
/// GET    /v1/zones/ZONE/events                    the same without end, as an event stream
/// GET    /v1/zones/ZONE/tokens                    the tokens of the zone
/// POST   /v1/zones/ZONE/tokens?role=read&label=…  a new one, as text
/// DELETE /v1/zones/ZONE/tokens/3
/// PUT    /v1/zones/ZONE?limit=2000000&label=…     makes a zone, and a token for it; needs a token of the server
/// GET    /v1/zones                                the zones: name, bytes, limit; the same
/// GET    /metrics                                 figures for Prometheus; the same
/// GET    /health                                  whether the storage can be read and written; needs no token
/// ```
///
/// A few threads share all connections, and a few others do what takes time. None of them outlives `stop`.
package final class HTTPServer: Sendable {
  /// How many clients a server has at once: each device that waits for news is one.
  package static let usualConnections = 10_000

  private let daemon: HTTPDaemon
  private let answering: Answering

  package var address: ListeningAddress { daemon.address }

  /// Begins to serve at a host and a port; of port 0 the system chooses one.
  ///
  /// On a new connection a token must have been shown within `headTime`, however much else arrives. Of a body at least
  /// ``HTTPLimits/pace`` bytes arrive in each `bodyTime`. With one token, as many connections are served as the devices of
  /// a family need that share it: each waits for news, and asks for something.
  package init(
    _ service: SyncService,
    host: String = "127.0.0.1",
    port: Int,
    connections: Int = usualConnections,
    connectionsForToken: Int = 128,
    headTime: Duration = .seconds(30),
    bodyTime: Duration = .seconds(60),
    room: BodyRoom = BodyRoom(),
    turns: WorkTurns = WorkTurns()
  ) throws {
    var limits = HTTPLimits()
    limits.connections = connections
    limits.connectionsPerHolder = connectionsForToken
    limits.headTime = headTime
    limits.bodyTime = bodyTime
    // The fields of our clients are short, and strangers are many.
    limits.headSize = 16 << 10
    answering = Answering(service, room, turns, connectionsForToken: connectionsForToken)
    do throws(ListeningFailure) {
      daemon = try HTTPDaemon(
        try ListeningSocket(host: host, port: port),
        limits: limits,
        answering
      )
    } catch {
      throw ServiceRefusal(500, error.sentence)
    }
    answering.follow(daemon)
  }

  /// Has this program give the memory of large bodies back to the system with each of them.
  package static func returnMemory() { HTTPMemory.keepLow() }

  /// Answers what was asked, and ends; its port is free then.
  ///
  /// A storage that does not answer is waited for half a minute.
  package func stop() {
    daemon.quiesce()
    answering.pauses.close()
    answering.service.stop()
    wait(atMost: .seconds(30)) { answering.pauses.areOver }
    for request in arriving { request.giveUp() }
    wait(atMost: .seconds(30)) { answering.pauses.areOver }
    wait(atMost: .seconds(3)) { arriving.isEmpty }
    daemon.stop()
  }

  private var arriving: [ArrivingRequest] {
    daemon.receptions.compactMap { $0 as? ArrivingRequest }
  }

  private func wait(atMost patience: Duration, for condition: () -> Bool) {
    let end = ContinuousClock.now + patience
    while !condition(), .now < end { usleep(1_000) }
  }
}

/// The service, as the server asks it.
final class Answering: HTTPResponder {
  let service: SyncService
  let room: BodyRoom
  /// Where messages and large values are worked on.
  let turns: WorkTurns
  /// Where tokens are looked up.
  let doors = WorkTurns(places: 2, forToken: 2)
  /// Where the numbers of changes are read.
  let news = WorkTurns(places: 2, forToken: 2)
  let pauses = Pauses()
  let counts = ServerCounts()
  private let daemon = Mutex<WeakDaemon>(WeakDaemon())
  let connectionsForToken: Int

  /// For how long the storage is waited for to learn whether it is well.
  static let patienceWithHealth = Duration.seconds(3)

  init(
    _ service: SyncService,
    _ room: BodyRoom,
    _ turns: WorkTurns,
    connectionsForToken: Int
  ) {
    self.service = service
    self.room = room
    self.turns = turns
    self.connectionsForToken = connectionsForToken
  }

  private struct WeakDaemon {
    weak var daemon: HTTPDaemon?
  }

  /// Counts the connections of a daemon.
  func follow(_ daemon: HTTPDaemon) { self.daemon.withLock { $0.daemon = daemon } }

  var connectionCount: Int { daemon.withLock { $0.daemon }?.connectionCount ?? 0 }

  func begin(_ exchange: HTTPExchange) -> any HTTPReception { ArrivingRequest(exchange, self) }

  func reply(to refusal: HTTPRefusal) -> HTTPReply { HTTPAnswer.refusal(refusal).reply() }

  /// Looks after those who wait, once a second.
  func look(at receptions: [any HTTPReception]) {
    let now = ContinuousClock.now
    for zone in service.lookAtWaiting() {
      news.add { [service] in
        service.lookAfter(zone)
      } orGiveUp: {
      }
    }
    for turns in [turns, doors, news] { turns.look(at: now) }
    for case let request as ArrivingRequest in receptions { request.giveUp(ifLateAt: now) }
  }

  func report(_ crowding: HTTPCrowding) {
    switch crowding {
    case .newcomersLeave(let count):
      service.tellOwner(
        """
        All \(count) connections are in use by devices with tokens, and others are refused until one of them ends.
        """
      )
    case .idleLeave(let count):
      service.tellOwner(
        """
        All \(count) connections are in use; those on which nobody has shown a token, or asks any more, are closed for \
        others. Where devices do not get through, let nobody but a proxy reach the server, and let that limit connections.
        """
      )
    case .noFiles:
      service.tellOwner(
        """
        The server may open no more files, so that not everybody who comes gets a connection. Start it with a higher limit, \
        such as with ulimit -n 4096, or let a proxy limit connections.
        """
      )
    }
  }
}
