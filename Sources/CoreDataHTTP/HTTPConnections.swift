import Foundation
import Synchronization

/// A lack of connections, for the owner of a server.
public enum HTTPCrowding: Sendable, Equatable {
  /// All of so many connections are in use by clients that are being served, so that others are refused.
  case newcomersLeave(Int)
  /// All of so many connections are in use, so that strangers and idle clients are closed for others.
  case idleLeave(Int)
  /// The process may have no more files open.
  case noFiles
}

/// Every client's connection.
///
/// The library measures how long a connection is silent, and not how long a request takes to arrive: with a byte now
/// and then a stranger would keep a place for ever. So a stranger has a time until the program must know it, whatever
/// else arrives, and if all places are taken a stranger is closed for each newcomer. A known client must send its body
/// at a pace, and one holder of a token has only a part of the places.
///
/// The library leaves the list before it closes a socket, so a descriptor in the list always belongs to its connection.
final class HTTPConnections: Sendable {
  private let crowd = Mutex(Crowd())
  private let limits: HTTPLimits
  /// Whether there are fewer places than the program wanted, because each is a file.
  private let lacksFiles: Bool

  private struct Crowd {
    var connections: [ObjectIdentifier: HTTPConnection] = [:]
    /// The holders of the connections that are served, and how many each has.
    var holders: [ObjectIdentifier: Int64] = [:]
    var served: [Int64: Int] = [:]
    /// The report that the owner has not got yet.
    var crowding: HTTPCrowding?

    mutating func rest(_ connection: HTTPConnection) {
      guard let holder = holders.removeValue(forKey: ObjectIdentifier(connection)) else { return }
      let left = served[holder, default: 1] - 1
      served[holder] = left > 0 ? left : nil
    }
  }

  init(_ limits: HTTPLimits, lacksFiles: Bool) {
    self.limits = limits
    self.lacksFiles = lacksFiles
  }

  var count: Int { crowd.withLock { $0.connections.count } }

  /// Takes a connection in.
  ///
  /// If there are too many, of one client or in all, another one is closed for it.
  func begin(on descriptor: Int32, client: String) -> HTTPConnection {
    let connection = HTTPConnection(descriptor: descriptor, client: client, limits: limits)
    crowd.withLock { crowd in
      crowd.connections[ObjectIdentifier(connection)] = connection
      // Among thousands, nobody is looked for unless there may be too many.
      guard
        crowd.connections.count > limits.connections || limits.connectionsPerClient < .max
      else { return }
      let staying = crowd.connections.values.filter { !$0.isLeaving }
      let ofClient =
        limits.connectionsPerClient == .max ? [] : staying.filter { $0.client == client }
      if ofClient.count > limits.connectionsPerClient {
        Self.makeRoom(in: ofClient, for: connection)
      } else if staying.count > limits.connections {
        let hasRoom = Self.makeRoom(in: staying, for: connection)
        let full: HTTPCrowding =
          hasRoom ? .idleLeave(limits.connections) : .newcomersLeave(limits.connections)
        crowd.crowding = lacksFiles ? .noFiles : full
      }
    }
    return connection
  }

  /// Closes another connection for the one that the system cannot open.
  func makeRoomForFile() {
    crowd.withLock { crowd in
      Self.leastUseful(of: crowd.connections.values.filter { !$0.isLeaving })?.hangUp()
      crowd.crowding = .noFiles
    }
  }

  private static func leastUseful(of connections: [HTTPConnection]) -> HTTPConnection? {
    connections.compactMap { connection in connection.uselessness.map { (connection, $0) } }
      .min { $0.1 < $1.1 }?.0
  }

  /// Closes the least useful connection; returns false if that is the newcomer.
  @discardableResult
  private static func makeRoom(
    in staying: [HTTPConnection],
    for newcomer: HTTPConnection
  ) -> Bool {
    let other = leastUseful(of: staying.filter { $0 !== newcomer })
    (other ?? newcomer).hangUp()
    return other != nil
  }

  /// Serves a client that the program has let in; returns false if its holder has as many connections as it may.
  func admit(_ connection: HTTPConnection, as holder: Int64?, expecting byteCount: Int) -> Bool {
    let isAdmitted = crowd.withLock { crowd in
      crowd.rest(connection)
      guard let holder else { return true }
      guard crowd.served[holder, default: 0] < limits.connectionsPerHolder else { return false }
      crowd.holders[ObjectIdentifier(connection)] = holder
      crowd.served[holder, default: 0] += 1
      return true
    }
    if isAdmitted { connection.admit(expecting: byteCount) }
    return isAdmitted
  }

  /// The answer was sent, or the request was broken off.
  func rest(_ connection: HTTPConnection) {
    crowd.withLock { $0.rest(connection) }
    connection.rest()
  }

  func end(_ connection: HTTPConnection) {
    crowd.withLock { crowd in
      crowd.rest(connection)
      crowd.connections[ObjectIdentifier(connection)] = nil
    }
  }

  /// Hangs up on late clients; returns the report of a lack of connections since the last look.
  func look(saying say: (HTTPRefusal) -> [UInt8]) -> HTTPCrowding? {
    crowd.withLock { crowd in
      for connection in crowd.connections.values {
        connection.hangUp(ifLateAt: .now, saying: say)
      }
      defer { crowd.crowding = nil }
      return crowd.crowding
    }
  }

  func hangUpAll() {
    crowd.withLock { crowd in
      for connection in crowd.connections.values { connection.hangUp() }
    }
  }
}
