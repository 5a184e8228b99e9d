package import Foundation

/// Keeps other servers from a folder, until it is let go or the program ends.
///
/// Two servers on one file would number changes of their own runs, and wake nobody who waits at the other.
package final class FolderLock {
  private let descriptor: Int32

  /// Takes the lock of a folder; nil where another server has it.
  package init?(of folder: URL) throws {
    let path = folder.appending(path: "zones.lock").path
    let opened = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard opened >= 0 else {
      let reason = String(cString: strerror(errno))
      throw ServiceRefusal(
        500,
        "\(path) cannot be made (\(reason)). Make its folder writable, or choose another."
      )
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
