import CoreDataHTTP
import CoreDataSyncCore
import CoreDataSyncCrypto
import CoreDataSyncServer
import Foundation

/// The answer to a request.
struct HTTPAnswer {
  var status = 200
  var type = "application/octet-stream"
  var body: [UInt8] = []
  /// The source of messages that follow the body, for as long as there are some.
  var news: NewsListener?
  /// Which bytes of how many the body is.
  var range: String?

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
    if news != nil { fields.append(HTTPField("X-Accel-Buffering", "no")) }
    if let range { fields.append(HTTPField("Content-Range", range)) }
    if status == 401 { fields.append(HTTPField("WWW-Authenticate", "Bearer")) }
    if [429, 503].contains(status) { fields.append(HTTPField("Retry-After", "5")) }
    return fields
  }

  /// The answer as the server sends it.
  func reply(isLast: Bool = false) -> HTTPReply {
    HTTPReply(status: status, fields: fields, body: content, isLast: isLast)
  }

  private var content: HTTPReply.Body {
    guard let news else { return .bytes(body) }
    return .messages { news.next().map { Array($0.utf8) } }
  }
}

/// A request that is there as a whole.
struct HTTPRequest {
  let method: String
  let path: String
  let authorization: String?
  /// The device's copy of the zone's seal, in hexadecimal digits.
  var seal: String?
  /// Which bytes of an asset are asked for, or sent.
  var range: String?
  let body: [UInt8]
  /// The value of an argument behind the `?`.
  let argument: (String) -> String?
  /// Whether the client waits for the answer; for the connection's own thread.
  let isWaitedFor: () -> Bool
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
    /// With the number of the token; zero if none is needed yet.
    case admitted(token: Int64)
    case refused(HTTPAnswer)
  }

  static func admission(
    to path: String,
    _ authorization: String?,
    by service: SyncService
  ) -> Admission {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard parts.count >= 5, places.contains(parts[4]) else {
      return .admitted(token: 0)
    }
    do {
      let token = try service.admit(to: parts[3], token: token(in: authorization))
      return .admitted(token: token.number)
    } catch {
      return .refused(.refusal(service.refusal(for: error)))
    }
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
  /// Whether the answer to a path may wait for a change, for which nobody else is to wait.
  static func waitsForNews(at path: String) -> Bool {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    return parts.count > 4 && ["news", "events"].contains(parts[4])
  }

  /// Lets the service answer; a refusal becomes a sentence with a status.
  func answer(by service: SyncService) -> HTTPAnswer {
    do {
      return try routed(to: service)
    } catch {
      return .refusal(service.refusal(for: error))
    }
  }

  private var token: String? { Self.token(in: authorization) }

  private func routed(to service: SyncService) throws -> HTTPAnswer {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard parts.count >= 5, parts[0].isEmpty, parts[1] == "v1", parts[2] == "zones" else {
      throw nowhere
    }
    let zone = parts[3]
    switch (method, parts[4], parts.count) {
    case ("POST", "sync", 5):
      let seal = try seal.map { try ZoneSealField($0).bytes }
      return HTTPAnswer(body: try service.answer(body, zone: zone, token: token, seal: seal))
    case ("GET", "seal", 5):
      return HTTPAnswer(body: try service.seal(of: zone, token: token))
    case ("PUT", "seal", 5):
      return HTTPAnswer(body: try service.seal(zone, with: body, token: token))
    case ("GET", "assets", 6): return try asset(parts[5], zone, by: service)
    case ("PUT", "assets", 6): return try taken(parts[5], zone, by: service)
    case ("GET", "news", 5):
      let head = try service.news(
        of: zone,
        after: try number("after"),
        seconds: Int(clamping: try number("wait")),
        token: token,
        isThere: isWaitedFor
      )
      return .text("\(head)")
    case ("GET", "events", 5):
      let listener = try service.listener(to: zone, token: token, isThere: isWaitedFor)
      return HTTPAnswer(type: "text/event-stream", news: listener)
    case ("POST", "tokens", 5):
      let label = argument("label") ?? ""
      let role = argument("role") ?? "write"
      return .text(try service.makeToken(role, label: label, zone: zone, token: token))
    case ("GET", "tokens", 5):
      let lines = try service.tokens(of: zone, token: token).map(\.line)
      return .text(lines.joined(separator: "\n"))
    case ("DELETE", "tokens", 6):
      guard let number = Int64(parts[5]) else { throw nowhere }
      try service.revoke(number, zone: zone, token: token)
      return .text("Token \(number) is revoked.")
    default:
      throw nowhere
    }
  }

  private var nowhere: ServiceRefusal {
    ServiceRefusal(404, "There is nothing at \(path.prefix(200)) for \(method).")
  }

  /// A whole number among the arguments; zero if there is none.
  private func number(_ name: String) throws(ServiceRefusal) -> UInt64 {
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
    guard let hash = ContentHash(text: name) else { throw nowhere }
    let range = try range.map { try AssetRange(asked: $0) }
    let (bytes, whole) = try service.part(of: hash, range?.bytes, zone: zone, token: token)
    guard range != nil || bytes.count < whole else { return HTTPAnswer(body: bytes) }
    let start = range?.bytes?.lowerBound ?? 0
    let told = "bytes \(start)-\(start + bytes.count - 1)/\(whole)"
    return HTTPAnswer(status: 206, body: bytes, range: told)
  }

  /// Answers with the number of bytes that are there.
  private func taken(_ name: String, _ zone: String, by service: SyncService) throws -> HTTPAnswer {
    guard let hash = ContentHash(text: name) else { throw nowhere }
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
