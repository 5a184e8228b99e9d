public import Foundation

/// A file without a name, for an answer that is too large to wait in memory until a slow client has taken it.
///
/// It is gone with its last owner, also when the program is killed.
public final class HeldFile: Sendable {
  private let descriptor: Int32
  public let byteCount: Int

  /// Writes data to a new file in a folder.
  ///
  /// - Throws: A `Problem` with status 507 if it cannot be written.
  public init(_ data: Data, in folder: URL) throws {
    var template = Array(folder.appendingPathComponent("held-XXXXXX").path.utf8CString)
    let descriptor = mkstemp(&template)
    guard descriptor >= 0 else { throw Self.cannotHold }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    unlink(template)
    self.descriptor = descriptor
    byteCount = data.count
    try data.withUnsafeBytes { bytes in
      var sent = 0
      while sent < bytes.count {
        let count = Foundation.write(
          descriptor,
          bytes.baseAddress.map { $0 + sent },
          bytes.count - sent
        )
        if count < 0 && errno == EINTR { continue }
        guard count > 0 else { throw Self.cannotHold }
        sent += count
      }
    }
  }

  private static var cannotHold: Problem {
    Problem(507, "The server cannot prepare the answer: \(String(cString: strerror(errno))).")
  }

  /// A new file in a folder, which a block fills.
  ///
  /// - Parameters:
  ///   - folder: Its folder, in which it has no name.
  ///   - fill: Writes into the file that is open under the descriptor.
  /// - Throws: A `Problem` with status 507 if it cannot be made, and the errors of the block.
  public init(in folder: URL, filledBy fill: (Int32) async throws -> Void) async throws {
    var template = Array(folder.appendingPathComponent("held-XXXXXX").path.utf8CString)
    let descriptor = mkstemp(&template)
    guard descriptor >= 0 else { throw Self.cannotHold }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    unlink(template)
    do {
      try await fill(descriptor)
    } catch {
      Foundation.close(descriptor)
      throw error
    }
    self.descriptor = descriptor
    byteCount = Int(lseek(descriptor, 0, SEEK_END))
  }

  /// A descriptor of its own for the sender; `nil` if there are no more.
  func duplicate() -> Int32? {
    let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
    return copy < 0 ? nil : copy
  }

  deinit { close(descriptor) }
}
