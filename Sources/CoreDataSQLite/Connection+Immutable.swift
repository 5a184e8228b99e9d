import Foundation

// MARK: - Files that nobody changes

extension Connection {
  /// Whether somebody has changed the file of an immutable connection after all, so that the
  /// connection must not be used any more: it would mix old pages with new ones.
  package var isOutdated: Bool {
    guard let fileAtOpening else { return false }
    return FileState(path) != fileAtOpening || FileState(path + "-wal") != nil
  }

  static func immutableURI(_ path: String) -> String { "file:\(escaped(path))?immutable=1" }

  /// SQLite shares a database of this kind where its name begins with a slash, as a path does.
  static func memoryURI(_ path: String) -> String { "file:\(escaped(path))?vfs=memdb" }

  private static func escaped(_ path: String) -> String {
    path.utf8.reduce(into: "") { text, byte in
      switch byte {
      case UInt8(ascii: "%"): text += "%25"
      case UInt8(ascii: "?"): text += "%3f"
      case UInt8(ascii: "#"): text += "%23"
      case 0x80...: text += "%" + String(byte, radix: 16)
      case _: text.unicodeScalars.append(Unicode.Scalar(byte))
      }
    }
  }
}

/// The facts that distinguish a file from the same file after a change, as far as the system knows.
struct FileState: Equatable {
  private let device: UInt64
  private let number: UInt64
  private let size: Int64
  private let seconds: Int
  private let nanoseconds: Int

  /// `nil` if there is no file.
  init?(_ path: String) {
    var state = stat()
    guard stat(path, &state) == 0 else { return nil }
    device = UInt64(state.st_dev)
    number = UInt64(state.st_ino)
    size = Int64(state.st_size)
    #if canImport(Darwin)
    seconds = state.st_mtimespec.tv_sec
    nanoseconds = state.st_mtimespec.tv_nsec
    #else
    seconds = state.st_mtim.tv_sec
    nanoseconds = state.st_mtim.tv_nsec
    #endif
  }
}
