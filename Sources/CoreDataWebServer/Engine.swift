import CoreDataHTTP
import Foundation
import Synchronization

/// The layer between the server's threads and the handlers.
///
///     first line ─▶ Exchange
///     fields     ─▶ screen: host, origin, address, key, route ─▶ BodyReader, or a refusal
///     body       ─▶ BodyReader
///     its end    ─▶ suspend ─▶ Task: handler ─▶ resume
///     resumed    ─▶ Delivery ─▶ send
final class Engine: HTTPResponder {
  let configuration: ServerConfiguration
  private let router: Router
  private let guards: Guards
  let doorkeeper: Doorkeeper
  let bodies: BodyAllowance
  let uploads: UploadFolder
  private let turns: RequestTurns
  let guests: GuestTurns
  /// The event streams by their exchanges.
  let streams = Mutex<[ObjectIdentifier: EventStream]>([:])
  let isStopping = Mutex(false)
  /// When silent streams show again that they are alive.
  let nextBeat: Mutex<ContinuousClock.Instant>
  /// When the owner was told last of a lack of connections.
  let lastReport = Mutex<ContinuousClock.Instant?>(nil)

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
    turns = RequestTurns(limit: configuration.requestsPerClient)
    guests = GuestTurns()
    nextBeat = Mutex(.now + configuration.streamHeartbeat)
  }

  func begin(_ exchange: HTTPExchange) -> any HTTPReception { Exchange(exchange, of: self) }

  func log(_ exchange: Exchange) { configuration.accessLog.write(exchange.logLine) }
}

// MARK: - Steps of an exchange

extension Engine {
  /// The fields are there.
  func screen(_ exchange: Exchange, _ head: HTTPHead) -> HTTPStep {
    let method = Method(rawValue: head.method)
    let headers = Headers(head.fields)
    exchange.progress.withLock { progress in
      progress.method = method
      progress.headers = headers
    }
    do throws(Problem) {
      return begin(
        try admit(exchange, method, headers, head.framing),
        exchange,
        headers,
        head.framing
      )
    } catch {
      return begin(.settled(error.response, thrownAway: 0), exchange, headers, head.framing)
    }
  }

  private func admit(
    _ exchange: Exchange,
    _ method: Method?,
    _ headers: Headers,
    _ framing: RequestFraming
  ) throws(Problem) -> Exchange.Stage {
    guard !isStopping.withLock({ $0 }) else { throw .stopping }
    guard let method else { throw Problem(501, "This method is not known here.") }
    try guards.check(method, headers)
    let target = try RequestTarget(exchange.line.target)
    var request = Request(method, target, headers)
    if framing == .none, let (route, parameters) = router.routeForGuests(method, request.segments) {
      exchange.progress.withLock { $0.shownPath = route.pattern.text }
      request.parameters = parameters
      return .reading(request, route, try reader(of: route, headers, framing))
    }
    switch doorkeeper.look(at: method, target, headers, from: exchange.line.connection.client) {
    case .known:
      _ = exchange.line.admit(expecting: configuration.awaitedBytes(framing))
    case .arrived(let response): return .settled(response, thrownAway: 0)
    // Nothing that a stranger sends is read any further.
    case .unknown(let response):
      return .settled(response.with("Connection", "close"), thrownAway: 0)
    }
    switch router.destination(method, request.segments) {
    case .route(let route, let parameters):
      request.parameters = parameters
      return .reading(request, route, try reader(of: route, headers, framing))
    case .file(let url):
      return .settled(.file(at: url), thrownAway: 0)
    case .otherMethods(let methods):
      return .settled(.otherMethods(methods, than: method), thrownAway: 0)
    case .nowhere:
      throw .nothing(at: request.path)
    }
  }

  private func reader(
    of route: Route,
    _ headers: Headers,
    _ framing: RequestFraming
  ) throws(Problem) -> BodyReader {
    try BodyReader(route.body, headers, framing, configuration, bodies, uploads: uploads.url)
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
    _ framing: RequestFraming
  ) -> HTTPStep {
    if case .settled(let response, _) = stage,
      headers["Expect"] != nil || framing.length > patience(for: response)
    {
      return .answer(reply(response.with("Connection", "close"), to: exchange))
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
  func take(_ bytes: UnsafeRawBufferPointer, _ exchange: Exchange) -> HTTPStep {
    let taken = exchange.progress.withLock { $0.take(bytes) }
    guard taken > Self.patience else { return .goOn }
    let problem: Response? = exchange.progress.withLock { progress in
      if case .settled(let response, _) = progress.stage, case .data = response.body {
        response
      } else {
        nil
      }
    }
    return .close(problem.map { reply($0, to: exchange) })
  }

  /// The body is complete: the handler's turn.
  func work(_ exchange: Exchange) -> HTTPStep {
    let stage = exchange.progress.withLock { progress in
      let stage = progress.stage
      if case .reading = stage {
        progress.stage = .working(nil)
        progress.workBegan = .now
      }
      return stage
    }
    switch stage {
    case .settled(let response, _), .ready(let response):
      return .answer(reply(response, to: exchange))
    case .begun, .working, .sent: return .close(nil)
    case .reading(var request, let route, let reader):
      do throws(Problem) {
        let kept = try reader.finish(&request)
        exchange.line.suspend()
        handle(request, route, kept, exchange)
        return .wait
      } catch {
        return .answer(reply(error.response, to: exchange))
      }
    }
  }

  private func handle(
    _ request: Request,
    _ route: Route,
    _ kept: [any AnyObject & Sendable],
    _ exchange: Exchange
  ) {
    if route.secret != nil { return welcome(request, route, exchange) }
    guard let field = configuration.clientField else {
      begin(request, route, kept, exchange) {}
      return
    }
    let client = RequestTurns.Client(
      address: exchange.line.connection.client,
      name: request.headers[field] ?? ""
    )
    turns.take(client) { [self] in
      // The server may have given up meanwhile.
      guard exchange.isWorking else { return false }
      begin(request, route, kept, exchange) { [turns] in turns.leave(client) }
      return true
    }
  }

  private func begin(
    _ request: Request,
    _ route: Route,
    _ kept: [any AnyObject & Sendable],
    _ exchange: Exchange,
    _ leave: @escaping @Sendable () -> Void
  ) {
    let task = Task(executorPreference: HandlerThreads.shared.lane(for: request)) {
      let response = await route.respond(to: request) { error in
        self.configuration.accessLog.report(
          "\(request.method.rawValue) \(request.path), request \(request.id): \(error)"
        )
      }
      withExtendedLifetime(kept) {}
      if exchange.ready(response.with("X-Request-ID", request.id)) { exchange.line.resume() }
      leave()
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
