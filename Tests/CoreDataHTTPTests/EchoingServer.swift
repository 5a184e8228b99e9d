import ChildPrograms
import CoreDataHTTP
import Foundation
import Synchronization

/// A server that says how many bytes it has got.
///
/// It knows clients that name themselves in a field.
final class EchoingServer: HTTPResponder {
  /// The most bytes of a body; of more, the rest is not waited for.
  static let bodyLimit = 1 << 20

  let reports = Mutex<[HTTPCrowding]>([])
  private let daemon = Mutex<HTTPDaemon?>(nil)
  let port: Int

  init(limits: HTTPLimits = HTTPLimits()) throws {
    let socket = try ListeningSocket(host: "127.0.0.1", port: 0)
    port = socket.address.port
    let started = try HTTPDaemon(socket, limits: limits, self)
    daemon.withLock { $0 = started }
  }

  func stop() {
    let running = daemon.withLock { $0 }
    running?.stop()
  }

  var connectionCount: Int { daemon.withLock { $0?.connectionCount ?? 0 } }

  func begin(_ exchange: HTTPExchange) -> any HTTPReception { EchoedRequest(exchange) }

  func reply(to refusal: HTTPRefusal) -> HTTPReply {
    .text(refusal.sentence, status: refusal.status)
  }

  func report(_ crowding: HTTPCrowding) { reports.withLock { $0.append(crowding) } }

  /// The bytes that the server sends until it hangs up.
  func answer(to text: String) throws -> String {
    let line = try RawLine(port: port)
    line.say(text)
    return line.heard()
  }
}

/// ```
/// GET  /       here
/// GET  /large  64 MB
/// POST /       took 3
/// ```
private final class EchoedRequest: HTTPReception {
  private let exchange: HTTPExchange
  private let state = Mutex((path: "", count: 0))

  init(_ exchange: HTTPExchange) { self.exchange = exchange }

  func screen(_ head: HTTPHead) -> HTTPStep {
    let path = head.path
    state.withLock { $0.path = path }
    if let number = head["X-Known"].flatMap({ Int64($0) }) {
      let expected = head.framing.expected(within: EchoingServer.bodyLimit)
      guard exchange.admit(as: number, expecting: expected) else {
        return .answer(.text("too many", status: 429, isLast: true))
      }
    }
    return .goOn
  }

  func refuse(_ refusal: HTTPRefusal, method: String?) -> HTTPReply {
    .text(refusal.sentence, status: refusal.status)
  }

  func take(_ bytes: UnsafeRawBufferPointer) -> HTTPStep {
    let byteCount = bytes.count
    let count = state.withLock { state in
      state.count += byteCount
      return state.count
    }
    guard count > EchoingServer.bodyLimit else { return .goOn }
    return .close(.text("too large", status: 413))
  }

  func finish() -> HTTPStep {
    let (path, count) = state.withLock { $0 }
    if path == "/large" {
      return .answer(HTTPReply(status: 200, fields: [], body: .bytes(Data(count: 64 << 20))))
    }
    return .answer(.text(count == 0 ? "here" : "took \(count)"))
  }

  func end() {}
}

extension HTTPReply {
  fileprivate static func text(_ text: String, status: Int = 200, isLast: Bool = false) -> HTTPReply
  {
    HTTPReply(
      status: status,
      fields: [HTTPField("Content-Type", "text/plain")],
      body: .bytes(Array(text.utf8)),
      isLast: isLast
    )
  }
}
