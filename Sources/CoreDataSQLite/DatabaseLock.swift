import Foundation

/// Keeps other programs from a database that one program is to have for itself, until it is let go or the program
/// ends.
///
/// The lock is a file of its own: SQLite's locks of a file end when the same program closes it elsewhere.
package final class DatabaseLock {
  private let descriptor: Int32

  /// The file of a lock that cannot be made.
  package struct Unusable: Error {
    package let path: String
    /// The system's message.
    package let reason: String
  }

  /// Takes a lock; `nil` if another program has it.
  package init?(at path: String) throws(Unusable) {
    let opened = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard opened >= 0 else { throw Unusable(path: path, reason: String(cString: strerror(errno))) }
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
