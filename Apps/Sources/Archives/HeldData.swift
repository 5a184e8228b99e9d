public import Foundation

/// Data that wait on the disk: a file without a name, which is mapped into memory and gone with the data.
public enum HeldData {
  /// The data again, which take room on the disk alone from now on.
  ///
  /// - Parameters:
  ///   - data: The data; few are not worth a file, and stay where they are.
  ///   - folder: A folder on the disk to use.
  /// - Returns: The same bytes.
  /// - Throws: An ``ArchiveError`` if there is no room.
  public static func data(_ data: Data, in folder: URL) throws -> Data {
    guard data.count > few else { return data }
    return try self.data(in: folder) { descriptor in
      try data.withUnsafeBytes { try write($0, to: descriptor) }
    }
  }

  private static let few = 256 << 10

  /// The bytes that a block writes into the file.
  static func data(in folder: URL, _ fill: (Int32) throws -> Void) throws -> Data {
    var template = Array(folder.appendingPathComponent("held-XXXXXX").path.utf8CString)
    let descriptor = mkstemp(&template)
    guard descriptor >= 0 else { throw noRoom }
    defer { close(descriptor) }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    unlink(template)
    try fill(descriptor)
    let count = Int(lseek(descriptor, 0, SEEK_END))
    guard count > 0 else { return Data() }
    guard let start = mmap(nil, count, PROT_READ, MAP_PRIVATE, descriptor, 0), start != MAP_FAILED
    else { throw noRoom }
    return Data(bytesNoCopy: start, count: count, deallocator: .custom { munmap($0, $1) })
  }

  static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      let part = UnsafeRawBufferPointer(rebasing: rest)
      let count = Foundation.write(descriptor, part.baseAddress, part.count)
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { throw noRoom }
      rest = rest.dropFirst(count)
    }
  }

  private static var noRoom: ArchiveError {
    ArchiveError("The disk has no room for it: \(String(cString: strerror(errno))).")
  }
}
