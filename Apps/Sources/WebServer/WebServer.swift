import CMicroHTTPD
import Foundation
import Synchronization

/// An HTTP server for programs with pages.
///
///     let server = WebServer(router, configuration: ServerConfiguration(port: 8080))
///     let port = try server.start()
///     …
///     await server.stop()
public final class WebServer: Sendable {
  private enum State: Sendable {
    case new
    case running(Daemon, watch: Task<Void, Never>)
    case stopped
  }

  private let engine: Engine
  private let state = Mutex(State.new)

  public init(_ router: Router, configuration: ServerConfiguration = ServerConfiguration()) {
    engine = Engine(router, configuration)
  }

  /// Begins to serve; says at which port.
  public func start() throws -> Int {
    try state.withLock { state in
      guard case .new = state else { throw Problem(500, "A server starts once.") }
      let socket = try ListeningSocket(
        host: engine.configuration.host,
        port: engine.configuration.port
      )
      let daemon = try Daemon(engine, socket)
      state = .running(daemon, watch: Task { [engine] in await engine.watch() })
      return socket.port
    }
  }

  /// What a person types to reach the server from this machine.
  var addressForPeople: String {
    let host = engine.configuration.host
    if ["0.0.0.0", "::", "127.0.0.1", "::1"].contains(host) { return "localhost" }
    return host.contains(":") ? "[\(host)]" : host
  }

  /// Takes no more clients, ends the event streams, waits for answers that are being made, and stops.
  public func stop() async {
    let (daemon, watch): (Daemon?, Task<Void, Never>?) = state.withLock { state in
      guard case .running(let daemon, let watch) = state else { return (nil, nil) }
      state = .stopped
      return (daemon, watch)
    }
    guard let daemon else { return }
    daemon.quiesce()
    await engine.wind(within: engine.configuration.stopDeadline)
    watch?.cancel()
    await daemon.stop()
  }
}
