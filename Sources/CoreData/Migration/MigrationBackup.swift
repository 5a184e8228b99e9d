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
  private(set) var url: URL
  private let store: URL

  /// Makes the copy, and checks whether it is whole; its name and its large data come with ``complete()``.
  init(of store: URL, from connection: Connection, timeout: Int32) throws {
    self.store = store
    let process = "\(getpid())-\(UUID().uuidString)"
    url = store.appendingPathExtension(process).appendingPathExtension("unfinished")
    Self.removeLeftovers(besides: store)
    do {
      try Self.copy(connection, to: url, timeout)
    } catch {
      try giveUp(after: error)
    }
  }

  /// Gives the copy its name and its large data, once it is known to be the one that counts.
  mutating func complete() throws {
    do {
      url = try Self.named(url, besides: store)
      try linkFiles()
    } catch {
      try giveUp(after: error)
    }
  }

  /// The first failure is the one to report.
  private func giveUp(after error: any Error) throws -> Never {
    try? remove()
    if error is MigrationFailure { throw error }
    let reason = (error as? SQLiteError)?.reason ?? "\(error)"
    throw MigrationFailure(.backup(path: url.path, reason: reason))
  }

  /// A copy that an earlier migration has left keeps its name.
  private static func named(_ unfinished: URL, besides store: URL) throws -> URL {
    var number = 1
    while true {
      let base = number == 1 ? store : store.appendingPathExtension("\(number)")
      let url = base.appendingPathExtension("before-migration")
      // The log of a copy that is gone would be taken for this one's.
      let isAlone = SQLiteFile.endings.dropFirst().allSatisfy {
        !FileManager.default.fileExists(atPath: url.path + $0)
      }
      guard isAlone || number >= 1000 else {
        number += 1
        continue
      }
      do {
        try FileManager.default.moveItem(at: unfinished, to: url)
        return url
      } catch {
        guard FileManager.default.fileExists(atPath: url.path), number < 1000 else { throw error }
        number += 1
      }
    }
  }

  /// Removes what programs that are gone have begun.
  private static func removeLeftovers(besides store: URL) {
    let folder = store.deletingLastPathComponent()
    // If the folder cannot be read, nothing can be removed either.
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    for name in names
    where name.hasPrefix("\(store.lastPathComponent).") && name.hasSuffix(".unfinished") {
      let rest = name.dropFirst(store.lastPathComponent.count + 1)
      guard let process = rest.split(separator: "-").first.flatMap({ pid_t($0) }),
        kill(process, 0) != 0, errno == ESRCH
      else { continue }
      // If this fails, the next migration tries again.
      try? remove(folder.appendingPathComponent(name))
    }
  }

  private static func copy(_ connection: Connection, to url: URL, _ timeout: Int32) throws {
    FileMode(of: connection.path)?.makeFile(at: url.path)
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
    for end in SQLiteFile.endings where files.fileExists(atPath: url.path + end) {
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
    let names = try ExternalFiles.plainNames(besides: store)
    if names.isEmpty { return }
    let mode = FileMode(of: store.path)
    try files.createDirectory(
      at: target,
      withIntermediateDirectories: true,
      attributes: mode.map { [.posixPermissions: $0.ofFolder] }
    )
    for name in names {
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
