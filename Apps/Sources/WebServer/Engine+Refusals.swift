import CMicroHTTPD
import Foundation
import Synchronization

// The library refuses some heads before it asks us: a Content-Length that is not a number, more cookies than its memory
// has room for. Version 0.9.75 sends the head of such a refusal twice, because it goes on to the connection's next
// state although its answer is under way.
//
// Between its decision and the first byte it calls one function of ours, on the connection's
// thread: the one that takes lines of its log. There we answer instead of the library and close the line for writing,
// so that its own answer does not arrive. A version that sends one head is served the same way.

extension Engine {
  /// Answers the request that the library is about to refuse, if it is.
  ///
  /// That is the one of this thread whose fields are complete while nobody has been asked about them:
  /// the library does both in one go, and writes no other line in between.
  func answerForTheLibrary() {
    let thread = pthread_self()
    for (exchange, connection) in openExchanges
    where pthread_equal(exchange.thread, thread) != 0 && exchange.isNew && connection.hasWholeHead {
      refuse(exchange, on: connection)
    }
  }

  private func refuse(_ exchange: Exchange, on connection: ConnectionHandle) {
    let response = Problem(refusing: connection.fields).response.with("Connection", "close")
    var delivery = Delivery(response, method: .get, asked: [:])
    configuration.securityHeaders.fill(&delivery.headers)
    exchange.progress.withLock {
      $0.stage = .sent(status: delivery.status, byteCount: delivery.byteCount)
    }
    connection.sendLast(delivery.bytes)
  }
}

extension Problem {
  /// The reason for the library's refusal.
  fileprivate init(refusing headers: Headers) {
    do throws(Problem) {
      _ = try Framing(headers)
      self.init(431, "The request has more fields and cookies than there is room for.")
    } catch {
      self = error
    }
  }
}

extension Delivery {
  /// The answer's bytes on the line; only data have bytes.
  fileprivate var bytes: Data {
    let reason = MHD_get_reason_phrase_for(UInt32(status)).map { String(cString: $0) } ?? ""
    var body = Data()
    if case .data(let data) = payload { body = data }
    var text = "HTTP/1.1 \(status) \(reason)\r\nDate: \(HTTPDate.text(time(nil)))\r\n"
    for field in headers.fields { text += "\(field.name): \(field.value)\r\n" }
    text += "Content-Length: \(body.count)\r\n\r\n"
    return Data(text.utf8) + body
  }
}
