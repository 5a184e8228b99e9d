import CMicroHTTPD
import Foundation

/// A connection, as the library names it.
///
/// Safety: an address that never changes. The library lets any thread resume a connection; whoever
/// does owns its only suspension, and so the connection is still there.
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

  /// Takes the connection out of its thread's loop; called by that thread only.
  func suspend() { MHD_suspend_connection(pointer) }

  func resume() { MHD_resume_connection(pointer) }
}
