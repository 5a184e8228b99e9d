import CoreData
import Foundation

/// A copy of a damaged file and of SQLite's files beside it, made as long as the file says it is.
///
/// SQLite reads nothing of a database that is shorter than the length on its first page; with empty
/// pages at its end, all others can be read.
struct DamagedCopy {
  private let source: URL
  let place: URL

  init(of source: URL, at place: URL) {
    self.source = source
    self.place = place
  }

  func make() throws {
    let files = FileManager.default
    for ending in ["", "-wal", "-journal"] where files.fileExists(atPath: source.path + ending) {
      try files.copyItem(
        atPath: URL(fileURLWithPath: source.path + ending).resolvingSymlinksInPath().path,
        toPath: place.path + ending
      )
      // The copy of a file that may not be written could not be read as a database either.
      try files.setAttributes([.posixPermissions: 0o600], ofItemAtPath: place.path + ending)
    }
    try lengthen()
  }

  /// Whether the log was another store's, so that the copy is read without it.
  ///
  /// SQLite would move such a log's pages over those of the file.
  func leaveOutLogOfAnother() throws -> Bool {
    guard StoreFacts.isBetterWithoutLog(at: place) else { return false }
    try FileManager.default.removeItem(atPath: place.path + "-wal")
    // SQLite's memory of the log is there only while a program has the store open.
    try? FileManager.default.removeItem(atPath: place.path + "-shm")
    return true
  }

  func remove() {
    for ending in SQLiteFile.endings {
      // Most of them are not there.
      try? FileManager.default.removeItem(atPath: place.path + ending)
    }
  }

  private func lengthen() throws {
    let file = try FileHandle(forUpdating: place)
    defer { file.closeFile() }
    guard let header = try file.read(upToCount: 32), header.count == 32 else { return }
    let bytes = [UInt8](header)
    let number = { (range: Range<Int>) in range.reduce(UInt64(0)) { ($0 << 8) | UInt64(bytes[$1]) }
    }
    let pageSize = number(16..<18) == 1 ? 65_536 : number(16..<18)
    let length = try file.seekToEnd()
    let wanted = pageSize * number(28..<32)
    // A count that is damaged itself must not fill the disk.
    guard wanted > length, wanted < length + (1 << 30) else { return }
    try file.truncate(atOffset: wanted)
  }
}
