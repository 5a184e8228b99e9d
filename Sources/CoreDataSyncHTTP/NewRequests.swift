import CoreDataCMicroHTTPD
import Foundation
import Synchronization

/// The connections on which a request has begun whose fields nobody was shown yet.
///
/// libmicrohttpd refuses some heads before it asks us: a `Content-Length` that is no number, more cookies than it has
/// memory for. Version 0.9.75 sends the head of such a refusal twice. Between its decision and the first byte it calls one
/// function of ours, that of its log, on the connection's thread. There we answer in its place, and close the line for
/// writing, so that nothing of its own answer arrives. A version that sends one head is served the same way.
final class NewRequests: Sendable {
  /// The thread of each connection, by the connection's address.
  private let threads = Mutex<[UInt: pthread_t]>([:])

  func begin(on connection: OpaquePointer) {
    threads.withLock { $0[UInt(bitPattern: connection)] = pthread_self() }
  }

  func end(on connection: OpaquePointer) {
    _ = threads.withLock { $0.removeValue(forKey: UInt(bitPattern: connection)) }
  }

  /// Answers the request of this thread that the library is about to refuse, if it is: the one that has all its fields.
  func answerForTheLibrary() {
    let thread = pthread_self()
    let found = threads.withLock { threads in
      threads.first { pthread_equal($0.value, thread) != 0 }?.key
    }
    guard let connection = found.flatMap({ OpaquePointer(bitPattern: $0) }),
      coredata_http_has_whole_head(connection)
    else { return }
    end(on: connection)
    let answer =
      RequestFraming.refusal(of: fields(of: connection))
      ?? .text("The request has more fields and cookies than there is room for.", status: 431)
    answer.bytes.withUnsafeBytes {
      coredata_http_send_last(connection, $0.baseAddress, $0.count)
    }
  }
}

extension HTTPAnswer {
  /// The answer as it stands on the line, the last one of its connection.
  fileprivate var bytes: [UInt8] {
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
