import CoreDataCSQLite

/// Stops the statement that a connection is running, from any thread.
///
/// The statement fails with code 9. If none is running, nothing happens.
///
/// Safety: SQLite lets any thread interrupt a connection that is open; the owner of this value makes sure that it is.
package struct Interruption: @unchecked Sendable {
  fileprivate let handle: OpaquePointer

  package func callAsFunction() {
    sqlite3_interrupt(handle)
  }
}

extension Connection {
  package var interruption: Interruption { Interruption(handle: handle) }
}
