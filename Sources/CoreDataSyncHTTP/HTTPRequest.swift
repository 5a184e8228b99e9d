import CoreDataSyncCore
import CoreDataSyncServer
import Foundation

/// What is sent back.
struct HTTPAnswer {
  var status = 200
  var type = "application/octet-stream"
  var body: [UInt8] = []
  /// What follows the body, for as long as there is something to say.
  var news: NewsListener?

  static func text(_ text: String, status: Int = 200) -> HTTPAnswer {
    HTTPAnswer(status: status, type: "text/plain; charset=utf-8", body: Array("\(text)\n".utf8))
  }
}

/// A request that is there as a whole.
struct HTTPRequest {
  let method: String
  let path: String
  let authorization: String?
  let body: [UInt8]
  /// The value of an argument behind the `?`.
  let argument: (String) -> String?
}

// MARK: - Limits

extension HTTPRequest {
  static let limit = WireLimits.message

  static var tooLarge: HTTPAnswer {
    .text("A message has at most \(limit) bytes; send fewer changes at once.", status: 413)
  }

  /// The answer to a request whose body is too large from the beginning.
  static func refusal(ofLength field: String?) -> HTTPAnswer? {
    guard let field, let length = UInt64(field) else { return nil }
    return length > UInt64(limit) ? tooLarge : nil
  }
}

// MARK: - Before the body

extension HTTPRequest {
  /// The answer to somebody who may not send what has only begun to arrive.
  static func refusal(
    of path: String,
    _ authorization: String?,
    by service: SyncService
  ) -> HTTPAnswer? {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 5, parts[4] == "sync" else { return nil }
    do {
      try service.admit(to: parts[3], token: token(in: authorization))
      return nil
    } catch let refusal as ServiceRefusal {
      return .text(refusal.sentence, status: refusal.status)
    } catch {
      return .text("The server's file cannot be read: \(error)", status: 500)
    }
  }

  private static func token(in authorization: String?) -> String? {
    guard let authorization, authorization.lowercased().hasPrefix("bearer ") else { return nil }
    return String(authorization.dropFirst(7))
  }
}

// MARK: - Answers

extension HTTPRequest {
  /// Lets the service answer; what it refuses becomes a sentence with a status.
  func answer(by service: SyncService) -> HTTPAnswer {
    do {
      return try routed(to: service)
    } catch let refusal as ServiceRefusal {
      return .text(refusal.sentence, status: refusal.status)
    } catch {
      return .text(
        "The server's file cannot be read or written; nothing was changed: \(error)",
        status: 500
      )
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
      return HTTPAnswer(body: try service.answer(body, zone: zone, token: token))
    case ("GET", "news", 5):
      let head = try service.news(
        of: zone,
        after: try number("after"),
        seconds: Int(clamping: try number("wait")),
        token: token
      )
      return .text("\(head)")
    case ("GET", "events", 5):
      let listener = try service.listener(to: zone, token: token)
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

  /// A whole number among the arguments; zero where there is none.
  private func number(_ name: String) throws(ServiceRefusal) -> UInt64 {
    guard let text = argument(name) else { return 0 }
    guard let number = UInt64(text) else {
      throw ServiceRefusal(400, "'\(name)' is a whole number, not '\(text.prefix(40))'.")
    }
    return number
  }
}

extension AccessToken {
  /// The token on a line: number, role, state, label.
  package var line: String {
    "\(number)\t\(zone)\t\(role.rawValue)\t\(isRevoked ? "revoked" : "valid")\t\(label)"
  }
}
