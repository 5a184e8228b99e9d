import CoreDataHTTP
public import Foundation

/// How a server behaves.
public struct ServerConfiguration: Sendable {
  /// The address to listen at; only this machine reaches 127.0.0.1.
  public var host = "127.0.0.1"
  /// The port to listen at; 0 takes any that is free.
  public var port = 8080
  /// Names beside the loopback ones under which browsers may ask: `slipbox.example`.
  public var allowedHosts: [String] = []
  /// The largest body kept in memory.
  public var bodyLimit = 4 << 20
  /// The largest body, or form, written to disk.
  public var uploadLimit = 64 << 20
  /// The largest body that is an archive of many files.
  public var archiveLimit = 2 << 30
  /// How many bytes of bodies are kept in memory at once, over all requests.
  public var bodyAllowance = 16 << 20
  /// The folder of bodies while they are answered, in which the server has a folder of its own.
  public var uploadFolder = FileManager.default.temporaryDirectory
  public var accessLog = AccessLog.standardError
  /// How often a silent event stream shows that it is alive.
  public var streamHeartbeat = Duration.seconds(15)
  /// How much may wait for a client of an event stream that does not read, before it is dropped.
  public var streamBacklog = 4 << 20
  /// How long a request may take until its last field has arrived; for a body there is time by its
  /// length on top.
  public var headDeadline = Duration.seconds(30)
  /// How long a connection may be silent between two requests, in whole seconds.
  public var idleDeadline = Duration.seconds(60)
  /// How many bytes the slowest line brings in a second that is waited for, in either direction.
  ///
  /// Of a body, a quarter of that must arrive in each ``headDeadline``.
  public var slowestLine = 16_384
  /// How long a handler may take until its task is cancelled and the client told so.
  public var handlerDeadline = Duration.seconds(60)
  /// How long `stop` waits for answers that are being made.
  public var stopDeadline = Duration.seconds(10)
  public var connectionLimit = 2_048
  /// How many connections one client may have; beyond, the one that has said least for longest goes.
  public var connectionsPerClient = 512
  /// How many event streams one client may have.
  public var streamsPerClient = 256
  /// The field with which clients behind one address name themselves, such as the tabs of a browser; `nil` if they do not.
  ///
  /// With it, a client has at most ``requestsPerClient`` handlers at work, and its other requests wait for these. Requests
  /// without the field are those of one client for each address.
  public var clientField: String?
  /// How many handlers of one client work at once, if there is a ``clientField``: as many as a browser asks at once.
  public var requestsPerClient = 6
  /// The key that every request must have; `nil` lets everybody in who can reach the address.
  public var key: AccessKey?
  /// The time in which an address may send 20 wrong keys.
  var guessWindow = Duration.seconds(60)
  public var securityHeaders = SecurityHeaders()

  public init() {}

  public init(host: String = "127.0.0.1", port: Int, allowedHosts: [String] = []) {
    self.host = host
    self.port = port
    self.allowedHosts = allowedHosts
  }
}

extension ServerConfiguration {
  /// The limits of the server's connections.
  var limits: HTTPLimits {
    var limits = HTTPLimits()
    limits.spareConnections = connectionLimit / 4
    limits.connections = connectionLimit - limits.spareConnections
    limits.connectionsPerClient = connectionsPerClient
    // Readers without the key are one holder: most places are left to those who have it.
    limits.connectionsPerHolder = max(connectionLimit / 8, 1)
    limits.headTime = headDeadline
    limits.idleTime = idleDeadline
    limits.bodyTime = headDeadline
    // A line may be slower than the slowest for a while.
    limits.pace = Int(min(Double(slowestLine) * (limits.bodyTime / .seconds(4)), 1e15))
    limits.slowestLine = slowestLine
    limits.lookTime = min(streamHeartbeat, .milliseconds(250))
    return limits
  }

  /// The number of bytes of a body for which there is time.
  func awaitedBytes(_ framing: RequestFraming) -> Int {
    framing.expected(
      within: framing == .chunked ? uploadLimit : max(uploadLimit, archiveLimit)
    )
  }
}
