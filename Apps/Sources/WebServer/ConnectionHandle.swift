import CMicroHTTPD

/// A connection, as the library names it.
///
/// Safety: an address that never changes. The library lets any thread resume a connection; whoever
/// does owns its only suspension, and so the connection is still there.
struct ConnectionHandle: @unchecked Sendable {
  let pointer: OpaquePointer

  var descriptor: Int32 { cmhd_socket(pointer) }

  /// Takes the connection out of its thread's loop; called by that thread only.
  func suspend() { MHD_suspend_connection(pointer) }

  func resume() { MHD_resume_connection(pointer) }
}
