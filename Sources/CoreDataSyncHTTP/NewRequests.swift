import CoreDataCMicroHTTPD
import Foundation
import Synchronization

/// The connections on which a request has begun whose fields nobody was shown yet.
///
/// libmicrohttpd refuses some heads before it asks us: a `Content-Length` that is not a number, more cookies than it
/// has memory for. Version 0.9.75 sends the head of such a refusal twice. Between its decision and the first byte it
/// calls one function of ours, that of its log, on the connection's thread. There we answer instead of the library, and
/// close the line for writing, so that its own answer does not arrive. A version that sends one head is served the same
/// way.
final class NewRequests: Sendable {
  private struct Request {
    let thread = pthread_self()
    /// The address as it was sent, with its escapes.
    let address: String
    /// Whether we have answered it, and the library is about to find that it cannot.
    var isRefused = false
  }

  /// By the address of the connection.
  private let requests = Mutex<[UInt: Request]>([:])

  func begin(on connection: OpaquePointer, to address: String) {
    requests.withLock { $0[UInt(bitPattern: connection)] = Request(address: address) }
  }

  /// Forgets a request whose fields are known; returns its address as it was sent.
  @discardableResult
  func end(on connection: OpaquePointer) -> String? {
    requests.withLock { $0.removeValue(forKey: UInt(bitPattern: connection))?.address }
  }

  /// Answers the request of this thread that the library is about to refuse, if it is: the one that has all its fields.
  func answerForTheLibrary() {
    let thread = pthread_self()
    let found = requests.withLock { requests in
      requests.first { pthread_equal($0.value.thread, thread) != 0 && !$0.value.isRefused }?.key
    }
    guard let address = found, let connection = OpaquePointer(bitPattern: address),
      coredata_http_has_whole_head(connection)
    else { return }
    requests.withLock { $0[address]?.isRefused = true }
    let answer =
      RequestFraming.refusal(of: fields(of: connection))
      ?? .text("The request has more fields and cookies than there is room for.", status: 431)
    answer.lastBytes.withUnsafeBytes {
      coredata_http_send_last(connection, $0.baseAddress, $0.count)
    }
  }

  /// Waits until the library has closed the refused requests, for a minute at most: if it is told to stop in between,
  /// it goes on with an answer that it has not made, and ends the program.
  func waitForRefusals() {
    let deadline = ContinuousClock.now + .seconds(60)
    while requests.withLock({ $0.values.contains { $0.isRefused } }), .now < deadline {
      Thread.sleep(forTimeInterval: 0.001)
    }
  }
}

extension HTTPAnswer {
  /// The answer's bytes on the line, as the last one of its connection.
  var lastBytes: [UInt8] {
    let reason = MHD_get_reason_phrase_for(UInt32(status)).map { String(cString: $0) } ?? ""
    var head = "HTTP/1.1 \(status) \(reason)\r\nDate: \(Self.date)\r\nConnection: close\r\n"
    for (name, value) in fields { head += "\(name): \(value)\r\n" }
    return Array("\(head)Content-Length: \(body.count)\r\n\r\n".utf8) + body
  }

  /// `Sun, 22 Nov 2026 15:30:00 GMT`.
  private static var date: String {
    var now = time(nil)
    var parts = tm()
    gmtime_r(&now, &parts)
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { text in
      guard let start = text.baseAddress else { return "" }
      start[strftime(start, text.count, "%a, %d %b %Y %H:%M:%S GMT", &parts)] = 0
      return String(cString: start)
    }
  }
}
