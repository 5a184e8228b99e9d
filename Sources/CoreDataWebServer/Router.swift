public import Foundation

/// The handlers of a program's addresses.
///
///     var router = Router()
///     router.get("/api/notes/:id") { request in try .json(notes.note(request.parameter("id"))) }
///     router.put("/api/notes/:id/picture", body: .file) { request in … request.upload … }
///     router.files(under: "/", from: web)
public struct Router: Sendable {
  private var routes: [Route] = []
  private var mounts: [StaticFiles] = []
  private var fallback: (page: URL, except: String)?

  public init() {}

  public mutating func get(_ pattern: String, _ handler: @escaping Handler) {
    add(.get, pattern, .memory, handler)
  }

  public mutating func post(
    _ pattern: String,
    body: BodyPlace = .memory,
    _ handler: @escaping Handler
  ) {
    add(.post, pattern, body, handler)
  }

  public mutating func put(
    _ pattern: String,
    body: BodyPlace = .memory,
    _ handler: @escaping Handler
  ) {
    add(.put, pattern, body, handler)
  }

  public mutating func patch(
    _ pattern: String,
    body: BodyPlace = .memory,
    _ handler: @escaping Handler
  ) {
    add(.patch, pattern, body, handler)
  }

  public mutating func delete(_ pattern: String, _ handler: @escaping Handler) {
    add(.delete, pattern, .memory, handler)
  }

  /// Answers everybody who knows an address with a secret in it, such as `/p/:secret`, without the key.
  ///
  /// The handler throws a `Problem` with status 404 for a secret that it does not know, and for everything that is not there.
  /// The server then answers with a page that is the same for all of them, and limits such requests as it limits wrong keys.
  /// At most two of these requests are answered at once, on a thread that gives way to all others. No answer is kept by
  /// browsers or listed by search engines, and no log names the secret.
  ///
  /// - Parameters:
  ///   - pattern: The pattern of the address.
  ///   - secret: The name of the value in it that is the secret.
  ///   - handler: The handler, which must compare the secret in constant time.
  public mutating func get(
    _ pattern: String,
    openedBy secret: String,
    _ handler: @escaping Handler
  ) {
    add(.get, pattern, .memory, handler, secret: secret)
  }

  /// Answers with the files of a folder; a folder in it is answered with its index.
  public mutating func files(
    under prefix: String,
    from folder: URL,
    index: String = "index.html"
  ) {
    mounts.append(StaticFiles(under: prefix, from: folder, index: index))
  }

  /// Answers with a page if there is neither a route nor a file.
  ///
  /// Such are the places of an app that finds its own way, `/note/12`. Addresses below the exception,
  /// and names with a dot, are still not found.
  public mutating func page(_ file: URL, except prefix: String) {
    fallback = (file, prefix)
  }

  /// The method and the pattern of each route, without files and pages.
  public var patterns: [(method: Method, pattern: String)] {
    routes.map { ($0.method, $0.pattern.text) }
  }

  private mutating func add(
    _ method: Method,
    _ pattern: String,
    _ body: BodyPlace,
    _ handler: @escaping Handler,
    secret: String? = nil
  ) {
    routes.append(
      Route(
        method: method,
        pattern: RoutePattern(pattern),
        body: body,
        handler: handler,
        secret: secret
      )
    )
  }
}

// MARK: - Finding

/// A router's answer about a path.
enum Destination: Sendable {
  case route(Route, [String: String])
  case file(URL)
  case otherMethods([Method])
  case nowhere
}

extension Router {
  func destination(_ method: Method, _ segments: [String]) -> Destination {
    let wanted = method == .head ? .get : method
    let found = routes.compactMap { route in
      route.pattern.match(segments).map { (route: route, values: $0) }
    }
    let best = found.filter { $0.route.method == wanted }
      .reduce(nil as (route: Route, values: [String: String])?) { best, next in
        guard let best else { return next }
        return next.route.pattern.isMoreExact(than: best.route.pattern) ? next : best
      }
    if let best { return .route(best.route, best.values) }
    if let file = mounts.lazy.compactMap({ $0.file(for: segments) }).first {
      return wanted == .get ? .file(file) : .otherMethods(methods(of: found) + [.get, .head])
    }
    if found.isEmpty, wanted == .get, let fallback, segments.first != fallback.except,
      !segments.contains(where: { $0.contains(".") })
    {
      return .file(fallback.page)
    }
    return found.isEmpty ? .nowhere : .otherMethods(methods(of: found))
  }

  /// The route of an address with a secret in it; `nil` for all others, of which those without the key learn nothing.
  func routeForGuests(_ method: Method, _ segments: [String]) -> (Route, [String: String])? {
    guard method == .get || method == .head else { return nil }
    for route in routes where route.secret != nil {
      if let values = route.pattern.match(segments) { return (route, values) }
    }
    return nil
  }

  private func methods(of found: [(route: Route, values: [String: String])]) -> [Method] {
    var methods: [Method] = []
    for method in found.map(\.route.method) where !methods.contains(method) {
      methods += method == .get ? [.get, .head] : [method]
    }
    return methods
  }

  /// The answer to a request, without a network: routes, problems and all.
  public func respond(to request: Request) async -> Response {
    await respond(to: request, report: { _ in })
  }

  func respond(
    to request: Request,
    report: @Sendable (any Error) -> Void
  ) async -> Response {
    switch destination(request.method, request.segments) {
    case .route(let route, let parameters):
      var request = request
      request.parameters = parameters
      return await route.respond(to: request, report: report)
    case .file(let url): return .file(at: url)
    case .otherMethods(let methods): return .otherMethods(methods, than: request.method)
    case .nowhere: return Problem.nothing(at: request.path).response
    }
  }
}

extension Route {
  /// The handler's answer; an error that is not a `Problem` is reported here and not sent to the
  /// client.
  func respond(to request: Request, report: @Sendable (any Error) -> Void) async -> Response {
    do {
      return try await handler(request)
    } catch let problem as Problem {
      return problem.response
    } catch is CancellationError {
      return Problem.abandoned.response
    } catch {
      report(error)
      let problem = Problem(disk: error)
      return (problem ?? Problem(500, "The server could not do this; its log says why.")).response
    }
  }
}

extension Response {
  static func otherMethods(_ methods: [Method], than method: Method) -> Response {
    let allowed = (methods + [.options]).map(\.rawValue).joined(separator: ", ")
    let response =
      method == .options
      ? Response.empty : Problem(405, "Here one can \(allowed), not \(method.rawValue).").response
    return response.with("Allow", allowed)
  }
}
