import Foundation

/// Keeps other programs from using a sidecar, until it is let go or the program ends.
///
/// Two engines on one sidecar would take each other's saves for the program's.
package final class SidecarLock {
  private let descriptor: Int32

  /// Takes the lock of a sidecar; nil where another program has it.
  ///
  /// The lock is a file of its own: SQLite's locks of a file end when the same program closes it elsewhere.
  package init?(ofSidecarAt path: String) throws {
    let opened = open("\(path)-lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard opened >= 0 else {
      throw SyncFailure.unusableLock("\(path)-lock", String(cString: strerror(errno)))
    }
    guard flock(opened, LOCK_EX | LOCK_NB) == 0 else {
      close(opened)
      return nil
    }
    descriptor = opened
  }

  deinit {
    // A program that is just being started has a copy of the descriptor for a moment, and the lock with it.
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }
}
