import Foundation
import Synchronization

/// The connections of this process, by the paths of their files.
///
/// SQLite removes the files beside a database when its last connection is closed, except for one that only reads: its
/// `-shm` would stay.
enum OpenFiles {
  private struct Use {
    var count = 0
    /// Whether there was no `-shm` before the first connection that only reads.
    var hadNoIndex = false
  }

  private static let uses = Mutex<[String: Use]>([:])

  static func noteOpening(_ path: String, _ mode: Connection.Mode) {
    uses.withLock { uses in
      var use = uses[path] ?? Use()
      if use.count == 0 {
        use.hadNoIndex = mode == .readOnly && !FileManager.default.fileExists(atPath: path + "-shm")
      }
      use.count += 1
      uses[path] = use
    }
  }

  /// Told when the connection is closed; the index that reading has made goes with the last one.
  static func noteClosing(_ path: String, _ mode: Connection.Mode) {
    uses.withLock { uses in
      guard var use = uses[path] else { return }
      use.count -= 1
      uses[path] = use.count == 0 ? nil : use
      // While others of this process wait for the mutex, none of them has the file open.
      if use.count == 0, use.hadNoIndex, mode == .readOnly { removeIndex(of: path) }
    }
  }

  /// The place at which SQLite's connections hold a lock on the index as long as they use it.
  private static let indexLock: Int64 = 128

  /// Removes the index if no other process uses it.
  private static func removeIndex(of path: String) {
    let descriptor = open(path + "-shm", O_RDWR)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    var lock = flock()
    lock.l_type = Int16(F_WRLCK)
    lock.l_whence = Int16(SEEK_SET)
    lock.l_start = numericCast(indexLock)
    lock.l_len = 1
    guard fcntl(descriptor, F_SETLK, &lock) == 0 else { return }
    unlink(path + "-shm")
  }
}
