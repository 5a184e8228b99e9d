import Foundation

// MARK: - The file that was opened

extension Connection {
  /// Has commits fail from now on if the file, or its write-ahead log, is not the one that this connection has open.
  ///
  /// On Linux, a file that was removed or replaced can still be written to by a program that has it open. A commit into
  /// such a file would be lost when the program ends.
  package func refuseOtherFiles() {
    ownFile = OwnFile(path)
  }

  /// Whether the file is still the one that was opened.
  package var hasItsFile: Bool { ownFile?.isThere ?? true }

  /// Throws if the file was removed or replaced.
  package func checkOwnFile() throws(SQLiteError) {
    if hasItsFile { return }
    throw SQLiteError(
      code: Self.movedCode,
      message: "the file was removed or replaced while it was open"
    )
  }

  /// `SQLITE_READONLY_DBMOVED`, which is not a constant in Swift.
  private static let movedCode: Int32 = 8 | (4 << 8)
}

extension SQLiteError {
  /// Whether the file was removed or replaced while it was open.
  package var isOfOtherFile: Bool { code == 8 | (4 << 8) }
}

/// The device and the number of a file and of its write-ahead log, as they were when they were opened.
final class OwnFile {
  private let path: String
  private let file: Place?
  /// Known from the first commit on, before which there may be no log.
  private var log: Place?

  init(_ path: String) {
    self.path = path
    file = Place(path)
  }

  var isThere: Bool {
    guard file != nil else { return true }
    guard Place(path) == file else { return false }
    // While a connection is open, nobody makes a new log beside the same file.
    let current = Place(path + "-wal")
    if log == nil { log = current }
    return current == log
  }

  private struct Place: Equatable {
    let device: dev_t
    let number: ino_t

    init?(_ path: String) {
      var state = stat()
      guard stat(path, &state) == 0 else { return nil }
      (device, number) = (state.st_dev, state.st_ino)
    }
  }
}
