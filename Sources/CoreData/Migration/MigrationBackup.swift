import CoreDataSQL
import CoreDataSQLite
import Foundation

/// A copy of a store to fall back on, beside it, while its rows are rewritten.
///
/// ```
/// Notes.sqlite
/// Notes.sqlite.before-migration     and Notes.sqlite.2.before-migration, while that is there
/// .Notes.sqlite_SUPPORT             its large data, the same files under second names
/// ```
struct MigrationBackup {
  let url: URL
  private let store: URL

  init(of store: URL) {
    self.store = store
    let base = store.appendingPathExtension("before-migration")
    let others = (2...1000).lazy.map {
      store.appendingPathExtension("\($0)").appendingPathExtension("before-migration")
    }
    // A copy that an earlier migration has left is the program's to remove.
    let isFree = { (url: URL) in !FileManager.default.fileExists(atPath: url.path) }
    url = isFree(base) ? base : others.first(where: isFree) ?? base
  }

  /// Makes the copy, and looks whether it is whole; it has its name only then.
  func make(from connection: Connection, timeout: Int32) throws {
    let unfinished = store.appendingPathExtension("before-migration.unfinished")
    do {
      try Self.remove(unfinished)
      try copy(connection, to: unfinished, timeout)
      try linkFiles()
      try FileManager.default.moveItem(at: unfinished, to: url)
    } catch {
      // The first failure is the one to tell.
      try? Self.remove(unfinished)
      try? remove()
      if error is MigrationFailure { throw error }
      throw MigrationFailure(.backup(path: url.path, reason: "\(error)"))
    }
  }

  private func copy(_ connection: Connection, to url: URL, _ timeout: Int32) throws {
    let copy = try Connection(path: url.path)
    try copy.copyEverything(from: connection, timeout: timeout)
    // One file, whatever journal the store has.
    try copy.run("PRAGMA journal_mode = DELETE")
    let state = try copy.text("PRAGMA quick_check(1)")
    guard state == "ok" else {
      throw MigrationFailure(
        .backup(path: url.path, reason: "the copy is damaged, or the store is: \(state ?? "")")
      )
    }
  }

  func remove() throws { try Self.remove(url) }

  private static func remove(_ url: URL) throws {
    let files = FileManager.default
    for end in ["", "-wal", "-shm", "-journal"] where files.fileExists(atPath: url.path + end) {
      try files.removeItem(atPath: url.path + end)
    }
    // The folder of an unfinished copy would be that of a finished one.
    if url.pathExtension != "unfinished" { try SupportFolder(of: url).remove() }
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
      if files.fileExists(atPath: copy.path) { continue }
      do {
        try files.linkItem(at: file, to: copy)
      } catch {
        try files.copyItem(at: file, to: copy)
      }
    }
  }
}
