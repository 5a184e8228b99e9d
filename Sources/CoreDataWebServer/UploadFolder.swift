import Foundation

/// A folder for the bodies that a server takes, which nobody else uses; it goes with the server.
///
/// ```
/// parent/upload-4F…/          locked while the server runs
/// parent/upload-4F…/upload-9A…
/// ```
///
/// Leftovers of a server that was killed are recognised by its lock, which went with the process, and are removed when
/// the next one starts.
final class UploadFolder: Sendable {
  let url: URL
  private let descriptor: Int32

  init(in parent: URL) throws(Problem) {
    mkdir(parent.path, 0o700)
    let name = "upload-\(UUID().uuidString)"
    url = parent.appendingPathComponent(name, isDirectory: true)
    // One server at a time sweeps and makes: a folder that is not locked yet does not belong to a running server.
    let turn = open(parent.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard turn >= 0 else { throw Self.cannotMake(url) }
    defer { close(turn) }
    while flock(turn, LOCK_EX) != 0 {
      guard errno == EINTR else { throw Self.cannotMake(url) }
    }
    Self.sweep(parent)
    guard mkdir(url.path, 0o700) == 0 else { throw Self.cannotMake(url) }
    let descriptor = open(url.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw Self.cannotMake(url) }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      defer { close(descriptor) }
      throw Self.cannotMake(url)
    }
    self.descriptor = descriptor
  }

  /// Removes the folder with its content.
  func remove() {
    // A folder that cannot be removed now is swept at the next start.
    try? FileManager.default.removeItem(at: url)
  }

  deinit {
    remove()
    close(descriptor)
  }

  private static func cannotMake(_ url: URL) -> Problem {
    Problem(
      500,
      "The folder for uploads \(url.path) cannot be made: \(String(cString: strerror(errno)))."
    )
  }
}

// MARK: - What was left behind

extension UploadFolder {
  private static func sweep(_ parent: URL) {
    // If the folder cannot be read, we cannot have left anything in it.
    let names = (try? FileManager.default.contentsOfDirectory(atPath: parent.path)) ?? []
    for name in names where isOurs(name) {
      let url = parent.appendingPathComponent(name)
      // A folder that cannot be removed now is tried at the next start.
      if isLeft(url) { try? FileManager.default.removeItem(at: url) }
    }
  }

  /// Older versions began with another name, which a kill could leave.
  private static func isOurs(_ name: String) -> Bool {
    ["upload-", "new-upload-"].contains { beginning in
      name.hasPrefix(beginning) && UUID(uuidString: String(name.dropFirst(beginning.count))) != nil
    }
  }

  /// Whether nobody uses a folder, or a file as older versions have made them, any more.
  private static func isLeft(_ url: URL) -> Bool {
    let descriptor = open(url.path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_uid == geteuid() else { return false }
    switch status.st_mode & S_IFMT {
    case S_IFDIR: return flock(descriptor, LOCK_EX | LOCK_NB) == 0
    case S_IFREG: return status.st_mtim.tv_sec + 3_600 < time(nil)
    default: return false
    }
  }
}
