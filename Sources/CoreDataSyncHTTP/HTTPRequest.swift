import CoreDataHTTP
import CoreDataSyncCore
import CoreDataSyncCrypto
import CoreDataSyncServer
import Foundation

/// The answer to a request.
struct HTTPAnswer: Sendable {
  var status = 200
  var type = "application/octet-stream"
  var body: [UInt8] = []
  /// The messages that are sent in the place of a body, for as long as there are some.
  var stream: HTTPStream?
  /// Which bytes of how many the body is.
  var range: String?
  /// Whether the body is compressed with gzip.
  var isCompressed = false
  /// Whether the client may compress the bodies of its next requests.
  var readsCompressed = false

  static func text(_ text: String, status: Int = 200) -> HTTPAnswer {
    HTTPAnswer(status: status, type: "text/plain; charset=utf-8", body: Array("\(text)\n".utf8))
  }

  static func refusal(_ refusal: ServiceRefusal) -> HTTPAnswer {
    .text(refusal.sentence, status: refusal.status)
  }

  static func refusal(_ refusal: HTTPRefusal) -> HTTPAnswer {
    .text(refusal.sentence, status: refusal.status)
  }

  /// The fields before the body.
  var fields: [HTTPField] {
    var fields = [HTTPField("Content-Type", type), HTTPField("Cache-Control", "no-store")]
    // Proxies that know this hold nothing back.
    if stream != nil { fields.append(HTTPField("X-Accel-Buffering", "no")) }
    if let range { fields.append(HTTPField("Content-Range", range)) }
    let gzip = ContentEncoding.gzip.rawValue
    if isCompressed { fields.append(HTTPField("Content-Encoding", gzip)) }
    if readsCompressed { fields.append(HTTPField("Accept-Encoding", gzip)) }
    if status == 401 { fields.append(HTTPField("WWW-Authenticate", "Bearer")) }
    if [429, 503].contains(status) { fields.append(HTTPField("Retry-After", "5")) }
    return fields
  }

  /// The answer as the server sends it.
  func reply(isLast: Bool = false) -> HTTPReply {
    HTTPReply(status: status, fields: fields, body: content, isLast: isLast)
  }

  private var content: HTTPReply.Body {
    if let stream { .stream(stream) } else { .bytes(body) }
  }
}

/// A request that is there as a whole.
struct HTTPRequest: Sendable {
  let method: String
  let path: String
  let authorization: String?
  /// The device's copy of the zone's seal, in hexadecimal digits.
  var seal: String?
  /// Which bytes of an asset are asked for, or sent.
  var range: String?
  /// The encoding of the body, and those that the client accepts in the answer.
  var encoding: String?
  var accepted: String?
  var body: [UInt8]
  /// The values of the known arguments behind the `?`.
  let arguments: [String: String]

  static let argumentNames = ["after", "wait", "role", "label", "limit"]

  func argument(_ name: String) -> String? { arguments[name] }
}

// MARK: - Limits

extension HTTPRequest {
  /// The most bytes of a body that goes to a path; a client without a token sends nothing that has to be kept.
  static func limit(of path: String) -> Int {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    let place = parts.count > 4 ? parts[4] : ""
    return switch place {
    case "sync": WireLimits.message
    case "assets": SyncService.largestPart
    case _: 1024
    }
  }

  static func tooLarge(_ limit: Int) -> HTTPAnswer {
    .text("A body has at most \(limit) bytes here; send less at once.", status: 413)
  }

  /// The answer where other bodies have all of the room.
  static var noRoom: HTTPAnswer {
    .text(
      """
      The server has as many large messages under way as it has memory for. Changes wait, and are sent in a moment.
      """,
      status: 503
    )
  }

  /// The answer where others have all turns for long.
  static var noTurn: HTTPAnswer {
    .text(
      """
      The server works on as many other messages as it can at once. Changes wait, and are sent in a moment.
      """,
      status: 503
    )
  }

  /// The answer while the server ends.
  static var stopping: HTTPAnswer {
    .text(
      "The server is being stopped. Changes wait, and are sent when it is there again.",
      status: 503
    )
  }

  /// The answer about the server's health if its storage does not answer.
  static let standstill = """
    The server's storage has not answered within \(Answering.patienceWithHealth.components.seconds) seconds.
    """

  /// The answer if too many connections are open with a token.
  static func crowd(_ count: Int) -> HTTPAnswer {
    .text(
      """
      \(count) connections are in use with this token. Close some of them, or make a token for each device: coredata \
      serve --new-token write
      """,
      status: 429
    )
  }

  /// The answer to a request whose body is too large from the beginning.
  static func refusal(of framing: RequestFraming, to path: String) -> HTTPAnswer? {
    let limit = limit(of: path)
    return framing.length > limit ? tooLarge(limit) : nil
  }
}

// MARK: - Before the body

extension HTTPRequest {
  /// Whether somebody may send what has only begun to arrive.
  enum Admission {
    /// With the number of the token.
    case admitted(token: Int64)
    case refused(HTTPAnswer)
  }

  static func admission(
    to path: String,
    _ authorization: String?,
    by service: SyncService
  ) -> Admission {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    let text = token(in: authorization)
    do {
      let token =
        parts.count > 4
        ? try service.admit(to: parts[3], isForTokens: parts[4] == "tokens", token: text)
        : try service.admitToServer(text)
      return .admitted(token: token.number)
    } catch {
      return .refused(.refusal(service.refusal(for: error)))
    }
  }

  /// Whether only a client with a token sends something to a path, and gets an answer from there.
  static func needsToken(_ path: String) -> Bool {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    return isForServer(path) || parts.count > 4 && places.contains(String(parts[4]))
  }

  /// Whether a path is for clients with a token of the server.
  private static func isForServer(_ path: String) -> Bool {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    return path == "/metrics"
      || path.hasPrefix("/v1/zones") && (3...4).contains(parts.count) && parts[2] == "zones"
  }

  /// The kind of a path, of which there are few.
  static func place(of path: String) -> String {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    if path == "/health" { return "health" }
    if isForServer(path) { return path == "/metrics" ? "metrics" : "zones" }
    guard parts.count > 4, places.contains(String(parts[4])) else { return "nothing" }
    return String(parts[4])
  }

  /// The places that are only for clients with a token.
  private static let places: Set = ["sync", "seal", "assets", "news", "events", "tokens"]

  private static func token(in authorization: String?) -> String? {
    guard let authorization, authorization.lowercased().hasPrefix("bearer ") else { return nil }
    return String(authorization.dropFirst(7))
  }
}

// MARK: - Answers

extension HTTPRequest {
  /// The way in which a request is answered.
  enum Kind {
    /// There is nothing at the path.
    case nothing
    /// The answer may wait for a change; or it tells changes without end.
    case news(isStream: Bool)
    case health
    /// The answer is made when it is the request's turn.
    case message
  }

  private var parts: [String] {
    path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
  }

  var kind: Kind {
    let parts = parts
    if path == "/health" { return ["GET", "HEAD"].contains(method) ? .health : .nothing }
    if Self.isForServer(path) { return .message }
    guard parts.count >= 5, parts[0].isEmpty, parts[1] == "v1", parts[2] == "zones",
      Self.places.contains(parts[4])
    else { return .nothing }
    return switch (method, parts[4], parts.count) {
    case ("GET", "news", 5): .news(isStream: false)
    case ("GET", "events", 5): .news(isStream: true)
    default: .message
    }
  }

  /// The zone of a path that has one.
  var zone: String { parts.count > 3 ? parts[3] : "" }

  /// Lets the service answer; a refusal becomes a sentence with a status.
  func answer(by answering: Answering) -> HTTPAnswer {
    let service = answering.service
    do {
      if Self.isForServer(path) { return try ofServer(answering) }
      return try routed(to: service)
    } catch {
      return .refusal(service.refusal(for: error))
    }
  }

  var token: String? { Self.token(in: authorization) }

  private func routed(to service: SyncService) throws -> HTTPAnswer {
    if case .health = kind {
      return service.illness().map(HTTPAnswer.refusal) ?? .text("ok")
    }
    let parts = parts
    switch (method, parts[4], parts.count) {
    case ("POST", "sync", 5):
      let seal = try seal.map { try ZoneSealField($0).bytes }
      var answer = HTTPAnswer(body: try service.answer(body, zone: zone, token: token, seal: seal))
      // Sealed cells do not get smaller.
      if seal == nil { answer.compress(for: accepted) }
      answer.readsCompressed = true
      return answer
    case ("GET", "seal", 5):
      return HTTPAnswer(body: try service.seal(of: zone, token: token))
    case ("PUT", "seal", 5):
      return HTTPAnswer(body: try service.seal(zone, with: body, token: token))
    case ("GET", "assets", 6): return try asset(parts[5], zone, by: service)
    case ("PUT", "assets", 6): return try taken(parts[5], zone, by: service)
    case ("POST", "tokens", 5):
      let label = argument("label") ?? ""
      let role = argument("role") ?? "write"
      return .text(try service.makeToken(role, label: label, zone: zone, token: token))
    case ("GET", "tokens", 5):
      let lines = try service.tokens(of: zone, token: token).map(\.line)
      return .text(lines.joined(separator: "\n"))
    case ("DELETE", "tokens", 6):
      guard let number = Int64(parts[5]) else { throw absence }
      try service.revoke(number, zone: zone, token: token)
      return .text("Token \(number) is revoked.")
    default:
      throw absence
    }
  }

  /// The answer to a client with a token of the server.
  private func ofServer(_ answering: Answering) throws -> HTTPAnswer {
    let service = answering.service
    switch (method, parts.count, path) {
    case ("GET", _, "/metrics"):
      return HTTPAnswer(
        type: "text/plain; version=0.0.4; charset=utf-8",
        body: Array(answering.counts.page(of: answering).utf8)
      )
    case ("GET", 3, "/v1/zones"):
      let lines = try service.holdings(token: token).map { zone, holding in
        "\(zone)\t\(holding.bytes)\t\(holding.limit.map { $0 == .max ? "none" : "\($0)" } ?? "default")"
      }
      return .text(lines.joined(separator: "\n"))
    case ("PUT", 4, _):
      let limit = argument("limit") == nil ? nil : Int(clamping: try number("limit"))
      let token = try service.makeZone(
        zone,
        label: argument("label") ?? "",
        limit: limit,
        token: token
      )
      return .text(token, status: 201)
    default:
      throw absence
    }
  }

  /// The answer where there is nothing.
  var nowhere: HTTPAnswer { .refusal(absence) }

  private var absence: ServiceRefusal {
    ServiceRefusal(404, "There is nothing at \(path.prefix(200)) for \(method).")
  }

  /// A whole number among the arguments; zero if there is none.
  func number(_ name: String) throws(ServiceRefusal) -> UInt64 {
    guard let text = argument(name) else { return 0 }
    guard let number = UInt64(text) else {
      throw ServiceRefusal(400, "'\(name)' is a whole number, not '\(text.prefix(40))'.")
    }
    return number
  }
}

// MARK: - Assets

extension HTTPRequest {
  private func asset(_ name: String, _ zone: String, by service: SyncService) throws -> HTTPAnswer {
    guard let hash = ContentHash(text: name) else { throw absence }
    let range = try range.map { try AssetRange(asked: $0) }
    let (bytes, whole) = try service.part(of: hash, range?.bytes, zone: zone, token: token)
    guard range != nil || bytes.count < whole else { return HTTPAnswer(body: bytes) }
    let start = range?.bytes?.lowerBound ?? 0
    let told = "bytes \(start)-\(start + bytes.count - 1)/\(whole)"
    return HTTPAnswer(status: 206, body: bytes, range: told)
  }

  /// Answers with the number of bytes that are there.
  private func taken(_ name: String, _ zone: String, by service: SyncService) throws -> HTTPAnswer {
    guard let hash = ContentHash(text: name) else { throw absence }
    let range = try AssetRange(sent: range ?? "")
    guard let whole = range.whole, whole <= WireLimits.payload else {
      throw ServiceRefusal(413, "An asset has at most \(WireLimits.payload) bytes.")
    }
    guard range.bytes == nil || range.bytes?.count == body.count else {
      throw ServiceRefusal(400, "Content-Range and the body are not of the same size.")
    }
    let count = try service.take(
      body,
      of: AssetReference(hash, size: whole),
      from: range.bytes?.lowerBound,
      zone: zone,
      token: token
    )
    return .text("\(count)")
  }
}

extension AccessToken {
  /// The token on a line: number, role, state, label.
  package var line: String {
    "\(number)\t\(zone)\t\(role.rawValue)\t\(isRevoked ? "revoked" : "valid")\t\(label)"
  }
}
