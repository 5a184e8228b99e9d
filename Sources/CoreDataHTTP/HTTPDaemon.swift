import CoreDataCMicroHTTPD
import Foundation
import Synchronization

/// A server that listens, takes requests, and has a program answer them.
///
/// ```
/// first line ─▶ begin
/// fields     ─▶ framing ─▶ screen ─▶ the body, or a refusal
/// body       ─▶ take
/// its end    ─▶ finish ─▶ an answer
/// ```
///
/// A few threads share all connections, one for each processor, of two to six. None of them may wait: a connection is
/// suspended meanwhile. None of them outlives ``stop()``.
public final class HTTPDaemon: Sendable {
  public let address: ListeningAddress
  private let descriptor: Int32
  private let engine: HTTPEngine
  private let stage: Mutex<Stage>
  private let hasStopped = DispatchSemaphore(value: 0)

  private enum Stage {
    case running(OpaquePointer)
    /// New clients are turned away, and answers are still sent.
    case quiet(OpaquePointer)
    case stopped
  }

  /// Begins to serve on a socket, and takes it over; also if this fails.
  public init(
    _ socket: ListeningSocket,
    limits wanted: HTTPLimits,
    _ responder: any HTTPResponder
  ) throws(ListeningFailure) {
    OpenFiles.raiseLimit(for: wanted.connections + wanted.spareConnections)
    let limits = wanted.fitted(to: OpenFiles.roomForConnections)
    let lacksFiles = limits.connections < wanted.connections
    engine = HTTPEngine(responder, HTTPConnections(limits, lacksFiles: lacksFiles))
    let bounds = coredata_http_limits(
      threads: UInt32(min(6, max(2, ProcessInfo.processInfo.activeProcessorCount))),
      connections: UInt32(limits.connections + limits.spareConnections),
      idle_seconds: UInt32(clamping: limits.idleTime.components.seconds),
      connection_memory: limits.headSize
    )
    guard let running = coredata_http_start(socket.descriptor, engine.callbacks, bounds) else {
      socket.close()
      throw .noThreads
    }
    address = socket.address
    descriptor = socket.descriptor
    stage = Mutex(.running(running))
    let (engine, hasStopped) = (engine, hasStopped)
    Thread.detachNewThread {
      while hasStopped.wait(timeout: .now() + limits.pause / .seconds(1)) == .timedOut {
        engine.look()
      }
    }
  }

  /// The program's side of the open requests.
  public var receptions: [any HTTPReception] { engine.open.map(\.reception) }

  /// The number of open connections.
  public var connectionCount: Int { engine.connections.count }

  /// Takes no more clients: their connections are closed at once.
  ///
  /// `MHD_quiesce_daemon` is not called. If one of the library's threads stops listening at the same moment, that function or
  /// the thread ends the program (libmicrohttpd 0.9.75, and 1.0 too).
  public func quiesce() {
    stage.withLock { stage in
      guard case .running(let running) = stage else { return }
      engine.takesClients.store(false, ordering: .relaxed)
      stage = .quiet(running)
    }
  }

  /// Hangs up on all clients.
  public func hangUp() { engine.connections.hangUpAll() }

  /// Ends the server, waits for its threads, and leaves the port to others.
  ///
  /// No connection may be suspended.
  public func stop() {
    quiesce()
    stage.withLock { stage in
      let running: OpaquePointer
      switch stage {
      case .running(let daemon), .quiet(let daemon): running = daemon
      case .stopped: return
      }
      engine.waitForRefusals()
      let copy = dup(descriptor)
      MHD_stop_daemon(running)
      // The library has closed the socket. A program that is being started has a copy of it until it runs; this ends the
      // listening there, too.
      if copy >= 0 {
        shutdown(copy, Int32(SHUT_RDWR))
        close(copy)
      }
      stage = .stopped
      hasStopped.signal()
    }
  }
}

extension HTTPEngine {
  /// Hangs up on late clients, reports a lack of connections, and lets the program look after its requests.
  ///
  /// The threads that take connections report nothing: if nobody reads the reports, they would wait.
  fileprivate func look() {
    let crowding = connections.look { responder.reply(to: $0).lastBytes }
    if let crowding { responder.report(crowding) }
    responder.look(at: open.map(\.reception))
  }
}
