import CoreDataSQL
import CoreDataSQLite
import Foundation

/// A copy of a store to fall back on, beside it, while its rows are rewritten.
///
/// ```
/// Notes.sqlite
/// Notes.sqlite.before-migration
/// .Notes.sqlite_SUPPORT           its large data, the same files under second names
/// ```
struct MigrationBackup {
  let url: URL
  private let store: URL

  init(of store: URL) {
    self.store = store
    url = store.appendingPathExtension("before-migration")
  }

  /// Makes the copy, and looks whether it is whole.
  func make(from connection: Connection, timeout: Int32) throws {
    do {
      try remove()
      let copy = try Connection(path: url.path)
      try copy.copyEverything(from: connection, timeout: timeout)
      let state = try copy.text("PRAGMA quick_check(1)")
      guard state == "ok" else {
        throw MigrationFailure(
          .backup(path: url.path, reason: "the copy is damaged, or the store is: \(state ?? "")")
        )
      }
      try linkFiles()
    } catch {
      // The first failure is the one to tell.
      try? remove()
      if error is MigrationFailure { throw error }
      throw MigrationFailure(.backup(path: url.path, reason: "\(error)"))
    }
  }

  func remove() throws {
    let files = FileManager.default
    for end in ["", "-wal", "-shm", "-journal"] where files.fileExists(atPath: url.path + end) {
      try files.removeItem(atPath: url.path + end)
    }
    try SupportFolder(of: url).remove()
  }

  /// Files of large data are never changed, so that a second name is a copy.
  private func linkFiles() throws {
    let files = FileManager.default
    let (source, target) = (
      ExternalFiles.folder(besides: store), ExternalFiles.folder(besides: url)
    )
    guard files.fileExists(atPath: source.path) else { return }
    try files.createDirectory(at: target, withIntermediateDirectories: true)
    for name in try files.contentsOfDirectory(atPath: source.path) {
      let (file, copy) = (source.appendingPathComponent(name), target.appendingPathComponent(name))
      do {
        try files.linkItem(at: file, to: copy)
      } catch {
        try files.copyItem(at: file, to: copy)
      }
    }
  }
}
