import CoreDataSQL
import CoreDataSQLite
import Foundation

/// Puts a complete store in the place of another, or of none: the file is the old store or the new one,
/// whatever happens.
///
/// ```
/// files of large data come   ─▶   the rows change, in one transaction   ─▶   old files go
/// ```
///
/// A program that has the old SQLite file open sees the new rows at its next look, as after any write.
struct StoreReplacement {
  private let place: URL
  private let new: URL
  private let type: String
  private let options: [AnyHashable: Any]?
  /// Told after each step; tests end the program there.
  var observer: ((Step) -> Void)?

  enum Step: String, CaseIterable, Sendable {
    case filesBrought, rowsReplaced, filesRemoved
  }

  init(of place: URL, by new: URL, type: String, options: [AnyHashable: Any]?) {
    self.place = place
    self.new = new
    self.type = type
    self.options = options
  }

  /// The new store may be moved or copied; it is not to be used after this.
  func perform() throws {
    guard type == NSSQLiteStoreType else {
      return try KindsOfStores.kind(type, at: new.path).replace(
        at: place,
        options,
        with: new,
        options
      )
    }
    try bringFiles()
    observer?(.filesBrought)
    if try FileManager.default.size(of: place) == 0 {
      try moveRows()
    } else {
      // From now on, writers bring files of their own.
      let old = try Self.names(besides: place)
      try copyRows()
      observer?(.rowsReplaced)
      try Self.remove(old, exceptThoseBesides: new, from: place)
      observer?(.filesRemoved)
    }
  }

  /// Removes files of large data beside a store that no row names any more, unless rows of another store may name them.
  static func remove(_ names: [String], exceptThoseBesides new: URL, from place: URL) throws {
    guard SupportFolder(of: place).sharer == nil else { return }
    let kept = Set(try self.names(besides: new))
    let old = names.filter { !kept.contains($0) }
    guard !old.isEmpty else { return }
    ExternalFiles.settle(storeAt: place.path)
    ExternalFiles(besides: place).remove(old)
  }

  /// The files of large data beside a store.
  static func names(besides store: URL) throws -> [String] {
    try ExternalFiles.plainNames(besides: store)
  }
}

// MARK: - Rows

extension StoreReplacement {
  private func copyRows() throws {
    let file = SQLiteFile(at: place, options: options)
    if let obstacle = file.obstacle { throw StoreFailure(obstacle, path: file.path).error() }
    guard file.isWritable else { throw StoreFailure(.unwritable, path: file.path).error() }
    let wait = Int32(max(0, min(file.place.timeout * 1000, 600_000)))
    try file.translating { () throws(SQLiteError) in
      let target = try Connection(path: file.path)
      target.setBusyTimeout(milliseconds: wait)
      try target.copyEverything(from: try Connection(path: new.path), timeout: wait)
    }
  }

  /// If there is no file yet, or an empty one, the new file gets its name.
  private func moveRows() throws {
    let file = SQLiteFile(at: new, options: nil)
    try file.translating { () throws(SQLiteError) in
      let connection = try Connection(path: file.path)
      try connection.run("PRAGMA wal_checkpoint(TRUNCATE)")
    }
    try DiskFile.flush(new.path)
    // A log of a store that was there once would be taken for this one's.
    for suffix in ["-wal", "-shm", "-journal"] {
      let path = place.path + suffix
      if FileManager.default.fileExists(atPath: path) {
        try FileManager.default.removeItem(atPath: path)
      }
    }
    guard rename(new.path, place.path) == 0 else {
      let reason = String(cString: strerror(errno))
      throw StoreFailure(
        .saving(SQLiteError(code: 14, message: "the new file cannot get its name: \(reason)")),
        path: place.path
      ).error()
    }
    try DiskFile.flush(place.deletingLastPathComponent().path)
  }
}

// MARK: - Files of large data

extension StoreReplacement {
  /// Their names are unique for ever, so that files of both stores can be in one folder.
  private func bringFiles() throws {
    let files = FileManager.default
    let (source, target) = (
      ExternalFiles.folder(besides: new), ExternalFiles.folder(besides: place)
    )
    let names = try Self.names(besides: new)
    guard !names.isEmpty else { return }
    try files.createDirectory(at: target, withIntermediateDirectories: true)
    for name in names {
      let (file, copy) = (source.appendingPathComponent(name), target.appendingPathComponent(name))
      if files.fileExists(atPath: copy.path) { continue }
      do {
        // The same file under a second name: it is never changed.
        try files.linkItem(at: file, to: copy)
      } catch {
        try files.copyItem(at: file, to: copy)
        try DiskFile.flush(copy.path)
      }
    }
    try DiskFile.flush(target.path)
  }
}

/// Files and folders as the disk has them.
enum DiskFile {
  /// Waits until the writes to a file or folder are on the disk.
  static func flush(_ path: String) throws {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw CocoaError(.fileWriteUnknown) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw CocoaError(.fileWriteUnknown) }
  }
}
