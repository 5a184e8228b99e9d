import CMicroHTTPD
import Foundation
import Synchronization

/// The layer between the library's threads and the handlers.
///
///     first line ─▶ Exchange
///     fields     ─▶ screen: framing, host, origin, address, key, route ─▶ BodyReader, or a refusal
///     body       ─▶ BodyReader
///     its end    ─▶ suspend ─▶ Task: handler ─▶ resume
///     resumed    ─▶ Delivery ─▶ send
final class Engine: Sendable {
  let configuration: ServerConfiguration
  let connections: Connections
  private let router: Router
  private let guards: Guards
  private let doorkeeper: Doorkeeper
  /// The number of connections that there may be, as far as the process may have files open.
  let connectionLimit: Int
  let bodies: BodyAllowance
  let uploads: UploadFolder
  let exchanges = Mutex<[ObjectIdentifier: (Exchange, ConnectionHandle)]>([:])
  let streams = Mutex<[ObjectIdentifier: EventStream]>([:])
  let isStopping = Mutex(false)

  init(
    _ router: Router,
    _ configuration: ServerConfiguration,
    port: Int,
    uploads: UploadFolder
  ) {
    self.router = router
    self.configuration = configuration
    self.uploads = uploads
    guards = Guards(configuration)
    doorkeeper = Doorkeeper(configuration, port: port)
    bodies = BodyAllowance(configuration.bodyAllowance)
    OpenFiles.raiseLimit()
    connectionLimit = min(configuration.connectionLimit, OpenFiles.roomForConnections)
    // Some room stays for those who are on their way out.
    connections = Connections(
      limit: connectionLimit - connectionLimit / 4,
      perClient: configuration.connectionsPerClient
    )
  }

  func begin(_ exchange: Exchange, on connection: ConnectionHandle, _ record: ConnectionRecord?) {
    record?.expect(by: .now + configuration.headDeadline)
    exchanges.withLock { $0[ObjectIdentifier(exchange)] = (exchange, connection) }
  }

  func end(_ exchange: Exchange, _ record: ConnectionRecord?) {
    record?.expect(by: .now + configuration.headDeadline * 2)
    record?.rest()
    _ = exchanges.withLock { $0.removeValue(forKey: ObjectIdentifier(exchange)) }
    let method = exchange.progress.withLock { $0.method?.rawValue } ?? "-"
    configuration.accessLog.write(exchange.line(method: method))
  }
}

// MARK: - Steps of an exchange

extension Engine {
  /// The library's next step.
  enum Step {
    case goOn
    case answer(Response)
    case wait
    case close
  }

  /// The fields are there.
  func screen(
    _ exchange: Exchange,
    method: String,
    headers: Headers,
    _ record: ConnectionRecord?
  ) -> Step {
    let method = Method(rawValue: method)
    exchange.progress.withLock { progress in
      progress.method = method
      progress.headers = headers
    }
    let framing: Framing
    do throws(Problem) {
      framing = try Framing(headers)
    } catch {
      // Nobody knows where the next request begins.
      return .answer(error.response.with("Connection", "close"))
    }
    record?.expect(
      by: .now + configuration.headDeadline + framing.patience(configuration)
    )
    do throws(Problem) {
      return begin(
        try admit(exchange, method, headers, framing, record),
        exchange,
        headers,
        framing
      )
    } catch {
      return begin(.settled(error.response, thrownAway: 0), exchange, headers, framing)
    }
  }

  private func admit(
    _ exchange: Exchange,
    _ method: Method?,
    _ headers: Headers,
    _ framing: Framing,
    _ record: ConnectionRecord?
  ) throws(Problem) -> Exchange.Stage {
    guard !isStopping.withLock({ $0 }) else { throw .stopping }
    guard let method else { throw Problem(501, "This method is not known here.") }
    try guards.check(method, headers)
    let target = try RequestTarget(exchange.target)
    switch doorkeeper.look(at: method, target, headers, from: record?.client ?? "") {
    case .known: record?.makeKnown()
    case .arrived(let response): return .settled(response, thrownAway: 0)
    // Nothing that a stranger sends is read any further.
    case .unknown(let response):
      return .settled(response.with("Connection", "close"), thrownAway: 0)
    }
    var request = Request(method, target, headers)
    switch router.destination(method, request.segments) {
    case .route(let route, let parameters):
      request.parameters = parameters
      let reader = try BodyReader(
        route.body,
        headers,
        framing,
        configuration,
        bodies,
        uploads: uploads.url
      )
      return .reading(request, route, reader)
    case .file(let url):
      return .settled(.file(at: url), thrownAway: 0)
    case .otherMethods(let methods):
      return .settled(.otherMethods(methods, than: method), thrownAway: 0)
    case .nowhere:
      throw .nothing(at: request.path)
    }
  }

  /// Goes on to the body.
  ///
  /// An answer that is known already waits for a body of a usual size, because
  /// a client that is still sending may not see it; a client that asks whether to send is told at
  /// once.
  private func begin(
    _ stage: Exchange.Stage,
    _ exchange: Exchange,
    _ headers: Headers,
    _ framing: Framing
  ) -> Step {
    if case .settled(let response, _) = stage,
      headers["Expect"] != nil || framing.length > patience(for: response)
    {
      return .answer(response.with("Connection", "close"))
    }
    exchange.progress.withLock { $0.stage = stage }
    return .goOn
  }

  /// How many bytes of a body are thrown away for the sake of an answer that is read.
  private static let patience = 256 << 20

  private func patience(for response: Response) -> Int {
    [401, 429].contains(response.status) ? 1 << 20 : Self.patience
  }

  /// A piece of the body.
  func take(_ bytes: UnsafeRawBufferPointer, _ exchange: Exchange) -> Step {
    let taken = exchange.progress.withLock { $0.take(bytes) }
    return taken > Self.patience ? .close : .goOn
  }

  /// The body is complete: the handler's turn.
  func work(
    _ exchange: Exchange,
    on connection: ConnectionHandle,
    _ record: ConnectionRecord?
  ) -> Step {
    record?.expect(by: nil)
    let stage = exchange.progress.withLock { progress in
      let stage = progress.stage
      if case .reading = stage {
        progress.stage = .working(nil)
        progress.workBegan = .now
      }
      return stage
    }
    switch stage {
    case .settled(let response, _), .ready(let response): return .answer(response)
    case .begun, .working, .sent: return .close
    case .reading(var request, let route, let reader):
      do throws(Problem) {
        let kept = try reader.finish(&request)
        connection.suspend()
        handle(request, route, kept, exchange, connection)
        return .wait
      } catch {
        return .answer(error.response)
      }
    }
  }

  private func handle(
    _ request: Request,
    _ route: Route,
    _ kept: [any AnyObject & Sendable],
    _ exchange: Exchange,
    _ connection: ConnectionHandle
  ) {
    let task = Task(executorPreference: HandlerThreads.shared.lane(for: request)) {
      let response = await route.respond(to: request) { error in
        self.configuration.accessLog.report("\(request.method.rawValue) \(request.path): \(error)")
      }
      withExtendedLifetime(kept) {}
      if exchange.ready(response) { connection.resume() }
    }
    exchange.keep(task)
  }
}

extension Exchange.Progress {
  /// Takes a piece of the body; says how much was thrown away in all.
  fileprivate mutating func take(_ bytes: UnsafeRawBufferPointer) -> Int {
    switch stage {
    case .reading(let request, let route, var reader):
      stage = .begun  // so that the reader has one owner, and its buffer is not copied
      do throws(Problem) {
        try reader.take(bytes)
        stage = .reading(request, route, reader)
      } catch {
        stage = .settled(error.response, thrownAway: 0)
      }
      return 0
    case .settled(let response, let count):
      stage = .settled(response, thrownAway: count + bytes.count)
      return count + bytes.count
    case .begun, .working, .ready, .sent:
      return .max
    }
  }
}

extension Problem {
  static let abandoned = Problem(503, "This was given up, because nobody waited for it any more.")

  /// The answer for a handler that still works: one that writes may have written, or may still do.
  static func late(writes: Bool) -> Problem {
    Problem(
      503,
      writes
        ? "This took too long to be waited for. It may have been done all the same: look before you try again."
        : "This took too long and was given up. Try again with less, or later."
    )
  }

  /// The same while the server is being stopped.
  static func stopped(writes: Bool) -> Problem {
    guard writes else { return stopping }
    return Problem(
      503,
      "The server is being stopped. This may have been done all the same: look before you try again."
    )
  }

  static let stopping = Problem(503, "The server is being stopped; try again in a moment.")

  static func nothing(at path: String) -> Problem { Problem(404, "There is nothing at \(path).") }
}
