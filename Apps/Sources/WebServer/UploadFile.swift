import Foundation
import Synchronization

/// A file that takes a body while it arrives, and is removed with its last owner.
///
/// Who wants to keep the content moves the file away before the answer is complete.
final class UploadFile: Sendable {
  let url: URL
  private let descriptor: Int32

  init(in folder: URL) throws(Problem) {
    url = folder.appendingPathComponent("upload-\(UUID().uuidString)")
    descriptor = open(url.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw Problem(507, "The server cannot keep the upload: \(String(cString: strerror(errno))).")
    }
  }

  func write(_ bytes: UnsafeRawBufferPointer) throws(Problem) {
    var rest = bytes[...]
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

  deinit {
    close(descriptor)
    unlink(url.path)
  }
}
