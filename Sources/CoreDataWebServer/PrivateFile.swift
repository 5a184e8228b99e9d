public import Foundation

/// A small text file that only the user who runs the program can read or write.
public struct PrivateFile: Sendable {
  public let url: URL

  public init(url: URL) {
    self.url = url
  }

  /// Returns the first bytes of the file as text, or `nil` if there is no such file, if it belongs to another user, if others
  /// can read or write it, or if it is a link.
  public func contents(limit: Int) -> String? {
    let descriptor = open(url.path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      status.st_uid == geteuid(), status.st_mode & 0o077 == 0
    else { return nil }
    var bytes = [UInt8](repeating: 0, count: limit)
    let count = read(descriptor, &bytes, bytes.count)
    return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
  }

  /// Writes text to a new file with mode 0600, which then replaces the old one.
  ///
  /// - Throws: A `Problem` that names the file, if it cannot be written. The old file is then as it was.
  public func write(_ text: String) throws {
    let new = url.appendingPathExtension("new-\(getpid())")
    unlink(new.path)
    let descriptor = open(new.path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw failure }
    let bytes = Array(text.utf8)
    let isWritten =
      Foundation.write(descriptor, bytes, bytes.count) == bytes.count && fsync(descriptor) == 0
    close(descriptor)
    guard isWritten, rename(new.path, url.path) == 0 else {
      let problem = failure
      unlink(new.path)
      throw problem
    }
  }

  private var failure: Problem {
    Problem(500, "The file \(url.path) cannot be written: \(String(cString: strerror(errno))).")
  }
}
