import CoreDataHTTP
import Foundation
import Synchronization

/// The last step of an exchange: a response becomes the server's answer.
extension Engine {
  /// Returns the answer that is sent.
  func reply(_ response: Response, to exchange: Exchange) -> HTTPReply {
    let (method, asked) = exchange.progress.withLock { ($0.method ?? .get, $0.headers) }
    let response = limited(response, exchange.line.connection.client)
    let delivery = Delivery(response, method: method, asked: asked)
    exchange.progress.withLock {
      $0.stage = .sent(status: delivery.status, byteCount: delivery.byteCount)
      $0.isAllowed = response.isAllowed
    }
    return reply(delivery, on: exchange.line)
  }

  /// Returns the answer to a request that the server has refused.
  func reply(to refusal: HTTPRefusal) -> HTTPReply {
    reply(Delivery(Problem(refusal).response, method: .get, asked: [:]), on: nil)
  }

  /// Turns a stream into a refusal if the client has as many as it may.
  private func limited(_ response: Response, _ client: String) -> Response {
    guard case .events = response.body, streamCount(of: client) >= configuration.streamsPerClient
    else { return response }
    return Problem(429, "There are too many open streams from here; close a page or two.").response
  }

  private func reply(_ delivery: Delivery, on line: HTTPExchange?) -> HTTPReply {
    var headers = delivery.headers
    configuration.securityHeaders.fill(&headers)
    let body: HTTPReply.Body
    switch delivery.payload {
    case .none: body = .none
    case .data(let data): body = .bytes(data)
    case .file(let descriptor, let range): body = .file(descriptor: descriptor, range)
    case .events(let source): body = line.map { .stream(stream(source, on: $0)) } ?? .none
    }
    return HTTPReply(
      status: delivery.status,
      fields: headers.fields.map { HTTPField($0.name, $0.value) },
      body: body
    )
  }
}

extension Problem {
  init(_ refusal: HTTPRefusal) { self.init(refusal.status, refusal.sentence) }

  init(_ failure: ListeningFailure) { self.init(500, failure.sentence) }
}
