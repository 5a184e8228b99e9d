import Foundation
import Synchronization

/// A file that takes a body while it arrives, and is removed with its last owner.
///
/// A handler that wants to keep the content moves the file away before the answer is complete.
final class UploadFile: Sendable {
  let url: URL
  /// Open while the body arrives.
  private let descriptor: Mutex<Int32?>

  init(in folder: URL) throws(Problem) {
    url = folder.appendingPathComponent("upload-\(UUID().uuidString)")
    let descriptor = open(url.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw Problem(507, "The server cannot keep the upload: \(String(cString: strerror(errno))).")
    }
    self.descriptor = Mutex(descriptor)
  }

  func write(_ bytes: UnsafeRawBufferPointer) throws(Problem) {
    var rest = bytes[...]
    let descriptor = descriptor.withLock { $0 } ?? -1
    while !rest.isEmpty {
      let count = Foundation.write(
        descriptor,
        UnsafeRawBufferPointer(rebasing: rest).baseAddress,
        rest.count
      )
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else {
        throw Problem(
          507,
          "The server cannot keep the upload: \(String(cString: strerror(errno)))."
        )
      }
      rest = rest.dropFirst(count)
    }
  }

  /// The body is complete: a form of many files shall not keep each of them open.
  func finish() {
    descriptor.withLock { descriptor in
      if let descriptor { close(descriptor) }
      descriptor = nil
    }
  }

  deinit {
    finish()
    unlink(url.path)
  }
}
