import CMicroHTTPD
import Foundation

/// A connection, as the library names it.
///
/// Safety: an address that never changes. The library lets any thread resume a connection; the code
/// that does owns its only suspension, and so the connection is still there.
struct ConnectionHandle: @unchecked Sendable {
  let pointer: OpaquePointer

  var descriptor: Int32 { cmhd_socket(pointer) }

  /// Whether the client has closed its end.
  var hasLeft: Bool {
    var line = pollfd(fd: descriptor, events: Int16(Self.closedEnd), revents: 0)
    let gone = Int16(Self.closedEnd | POLLHUP | POLLERR)
    return poll(&line, 1, 0) > 0 && line.revents & gone != 0
  }

  /// `POLLRDHUP`, which not every header shows.
  private static let closedEnd: Int32 = 0x2000

  /// Whether the library has all fields of a request; asked on the connection's thread only.
  var hasWholeHead: Bool { cmhd_has_whole_head(pointer) }

  /// The fields of a request, in order, doubled ones too.
  var fields: Headers {
    var headers = Headers()
    withUnsafeMutablePointer(to: &headers) { headers in
      _ = MHD_get_connection_values(
        pointer,
        .HEADER_KIND,
        { headers, _, name, value in
          guard let headers, let name else { return .NO }
          headers.assumingMemoryBound(to: Headers.self).pointee
            .add(String(cString: name), value.map { String(cString: $0) } ?? "")
          return .YES
        },
        headers
      )
    }
    return headers
  }

  /// Sends bytes past the library, as many as the line takes at once, and nothing after them.
  func sendLast(_ bytes: Data) {
    _ = bytes.withUnsafeBytes { cmhd_send(descriptor, $0.baseAddress, $0.count) }
    shutdown(descriptor, Int32(SHUT_WR))
  }

  /// Takes the connection out of its thread's loop; called by that thread only.
  func suspend() { MHD_suspend_connection(pointer) }

  func resume() { MHD_resume_connection(pointer) }
}
