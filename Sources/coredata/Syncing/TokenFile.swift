import Foundation

/// A file for an address with a new token, if others may read the server's output.
///
/// Only its owner can read it. A file that is there already is never replaced: others may have it open, and its content
/// may be the only copy of another token.
struct TokenFile {
  let path: String

  /// Makes the file and writes the text; nothing of it stays if that fails.
  func write(_ text: String) throws {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    let reason = errno
    guard descriptor >= 0 else {
      if reason == EEXIST { throw Refusal("\(path) already exists") }
      throw Refusal("\(path) cannot be made (\(String(cString: strerror(reason))))")
    }
    defer { close(descriptor) }
    do {
      let output = Output(descriptor: descriptor, endsWithReader: false)
      try output.writeExactly(text)
      try output.flush()
    } catch {
      unlink(path)
      throw Refusal("\(path): \(error)")
    }
  }
}
