/// How many clients a server has at once, and for how long it waits for them.
public struct HTTPLimits: Sendable {
  /// How many connections stay open at once.
  ///
  /// There are fewer if the process may not have as many files open.
  public var connections = 512
  /// How many more there may be for a moment: the server has hung up, and the library has not closed them yet.
  public var spareConnections = 64
  /// The most bytes of a request's first line and fields, which is also the memory that a connection may take.
  public var headSize = 64 << 10
  /// How many connections one address of the network may have.
  public var connectionsPerClient = Int.max
  /// How many connections are served at once for one holder of a token.
  public var connectionsPerHolder = Int.max
  /// How long a new client has until the program knows who it is, and a known one from a request's first line to its
  /// last field.
  public var headTime = Duration.seconds(30)
  /// How long a connection may be silent, in whole seconds.
  public var idleTime = Duration.seconds(90)
  /// The time in which ``pace`` bytes of a body must arrive, again and again.
  public var bodyTime = Duration.seconds(60)
  /// The fewest bytes of a body that must arrive in each ``bodyTime``.
  public var pace = 32 << 10
  /// How many bytes a second the slowest line brings or takes that is waited for until the end.
  ///
  /// A body and an answer have ``bodyTime`` on top.
  public var slowestLine = 512
  /// How often the server looks at its connections; more often if a time above is short.
  public var lookTime = Duration.seconds(1)

  public init() {}
}

extension HTTPLimits {
  /// The time that so many bytes have on a line, in either direction.
  func patience(_ byteCount: Int) -> Duration {
    bodyTime + .seconds(byteCount / max(slowestLine, 1))
  }

  var pause: Duration { min(lookTime, headTime / 4, bodyTime / 4) }

  /// Returns the limits with no more connections than there is room for.
  func fitted(to room: Int) -> HTTPLimits {
    var limits = self
    limits.connections = min(max(connections, 1), 1 << 16)
    limits.spareConnections = max(spareConnections, 1)
    if limits.connections + limits.spareConnections > room {
      limits.spareConnections = min(limits.spareConnections, max(room / 4, 1))
      limits.connections = max(room - limits.spareConnections, 1)
    }
    return limits
  }
}
