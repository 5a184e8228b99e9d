import Foundation

/// The folder beside a store in which it is migrated, by one program at a time.
///
/// ```
/// .Notes.sqlite.migration/
/// ├── lock
/// ├── before/Notes.sqlite    a checked copy of the store
/// └── after/Notes.sqlite     what it becomes
/// ```
///
/// A program that is killed leaves the folder, and the lock is free; the next one begins again.
final class MappingWorkplace {
  let folder: URL
  private let name: String
  private let descriptor: Int32

  var before: URL { folder.appendingPathComponent("before/\(name)") }
  var after: URL { folder.appendingPathComponent("after/\(name)") }

  private init(_ store: URL, _ descriptor: Int32) {
    folder = Self.folder(of: store)
    name = store.lastPathComponent
    self.descriptor = descriptor
  }

  deinit {
    // A program that is just being started has a copy of the descriptor for a moment, and the lock with it.
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }

  private static func folder(of store: URL) -> URL {
    store.deletingLastPathComponent()
      .appendingPathComponent(".\(store.lastPathComponent).migration", isDirectory: true)
  }

  static func isThere(besides store: URL) -> Bool {
    FileManager.default.fileExists(atPath: folder(of: store).path)
  }

  /// Waits until no other program migrates the store.
  static func enter(besides store: URL) throws -> MappingWorkplace {
    while true {
      if let place = try lock(besides: store, LOCK_EX) { return place }
    }
  }

  /// The workplace, unless another program is in it.
  static func enterIfFree(besides store: URL) throws -> MappingWorkplace? {
    try lock(besides: store, LOCK_EX | LOCK_NB)
  }

  /// `nil` if the lock was taken, or if its file has been removed since.
  private static func lock(besides store: URL, _ mode: Int32) throws -> MappingWorkplace? {
    let folder = folder(of: store)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let path = folder.appendingPathComponent("lock").path
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      // The last user has removed the folder on leaving.
      if errno == ENOENT { return nil }
      throw CocoaError(.fileWriteNoPermission, userInfo: [NSFilePathErrorKey: path])
    }
    let place = MappingWorkplace(store, descriptor)
    while flock(descriptor, mode) != 0 {
      if errno == EWOULDBLOCK { return nil }
      guard errno == EINTR else {
        throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: path])
      }
    }
    return place.isStillThere(path) ? place : nil
  }

  private func isStillThere(_ path: String) -> Bool {
    var (own, named) = (stat(), stat())
    return fstat(descriptor, &own) == 0 && stat(path, &named) == 0 && own.st_ino == named.st_ino
      && own.st_dev == named.st_dev
  }

  /// Makes both folders, empty.
  func clear() throws {
    for url in [before, after] {
      let folder = url.deletingLastPathComponent()
      if FileManager.default.fileExists(atPath: folder.path) {
        try FileManager.default.removeItem(at: folder)
      }
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }
  }

  /// Removes the folder; the lock is free with it.
  func leave() {
    // If this fails, the folder's name says what it is, and the next migration tries again.
    try? FileManager.default.removeItem(at: folder)
  }
}
