import CoreDataHTTP
import Foundation
import Synchronization

/// An HTTP server for programs with pages.
///
///     let server = WebServer(router, configuration: ServerConfiguration(port: 8080))
///     let port = try server.start()
///     …
///     await server.stop()
public final class WebServer: Sendable {
  private enum Stage: Sendable {
    case new
    case running(Engine, HTTPDaemon)
    case stopped
  }

  private let router: Router
  let configuration: ServerConfiguration
  private let stage = Mutex(Stage.new)

  public init(_ router: Router, configuration: ServerConfiguration = ServerConfiguration()) {
    self.router = router
    self.configuration = configuration
  }

  /// Begins to serve; says at which port.
  ///
  /// A new key is written to its file once the server listens.
  ///
  /// - Throws: A `Problem` if the address cannot be listened at, if the key cannot be written, or if other machines can
  ///   reach the address and the configuration does not say under which names they may ask.
  public func start() throws -> Int { try listen().port }

  func listen() throws -> ListeningAddress {
    try stage.withLock { stage in
      guard case .new = stage else { throw Problem(500, "A server starts once.") }
      let socket = try socket()
      guard socket.address.isLoopback || !configuration.allowedHosts.isEmpty else {
        socket.close()
        throw Problem(
          500,
          "\(configuration.host) can be reached from other machines; say under which name or address they may "
            + "ask: --allow-host NAME."
        )
      }
      let engine: Engine
      do {
        try configuration.key?.keep()
        engine = Engine(
          router,
          configuration,
          port: socket.address.port,
          uploads: try UploadFolder(in: configuration.uploadFolder)
        )
      } catch {
        socket.close()
        throw error
      }
      stage = .running(engine, try daemon(engine, on: socket))
      return socket.address
    }
  }

  private func socket() throws(Problem) -> ListeningSocket {
    do throws(ListeningFailure) {
      return try ListeningSocket(host: configuration.host, port: configuration.port)
    } catch {
      throw Problem(error)
    }
  }

  private func daemon(_ engine: Engine, on socket: ListeningSocket) throws(Problem) -> HTTPDaemon {
    HTTPMemory.keepLow()
    do throws(ListeningFailure) {
      return try HTTPDaemon(socket, limits: configuration.limits, engine)
    } catch {
      throw Problem(error)
    }
  }

  /// The engine that serves between start and stop.
  var engine: Engine? {
    stage.withLock { stage in
      if case .running(let engine, _) = stage { engine } else { nil }
    }
  }

  /// Takes no more clients, ends the event streams, waits for answers that are being made, and stops.
  public func stop() async {
    let running: (Engine, HTTPDaemon)? = stage.withLock { stage in
      guard case .running(let engine, let daemon) = stage else { return nil }
      stage = .stopped
      return (engine, daemon)
    }
    guard let (engine, daemon) = running else { return }
    daemon.quiesce()
    await engine.wind(daemon, within: configuration.stopDeadline)
    await withCheckedContinuation { continuation in
      // Waits for threads.
      DispatchQueue.global().async {
        daemon.stop()
        continuation.resume()
      }
    }
    engine.uploads.remove()
  }
}
