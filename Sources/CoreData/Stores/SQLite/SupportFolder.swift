import Foundation

/// The folder beside a SQLite store with the bytes that are kept outside of it.
///
/// It is called after the store without the ending of its name, so that `Notes.sqlite` and `Notes.backup` have one
/// folder between them. Nothing is removed that may be of large data of another store.
package struct SupportFolder {
  private let store: URL?

  package init(of store: URL?) {
    self.store = store
  }

  /// The folder with the files in it.
  private var files: URL? { store.map { ExternalFiles.folder(besides: $0) } }

  /// Whether the other store has the same folder.
  private func isThat(of other: SupportFolder) -> Bool {
    let places = [files, other.files].map { $0?.resolvingSymlinksInPath().standardizedFileURL.path }
    return places[0] == places[1]
  }

  /// Another file whose name differs from the store's in its ending alone, and that may be a store; nil for none.
  ///
  /// It is not opened: if this process has it open as a store, closing it again would drop the locks on it. A
  /// database is as long as some pages, or is only in its log.
  package var sharer: URL? {
    guard let store else { return nil }
    let folder = store.deletingLastPathComponent()
    let stem = store.deletingPathExtension().lastPathComponent
    // An error is reported when the folder's files are read.
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    let name = names.sorted().first { name in
      guard name != store.lastPathComponent, (name as NSString).deletingPathExtension == stem,
        !SQLiteFile.endings.dropFirst().contains(where: name.hasSuffix)
      else { return false }
      let path = folder.appendingPathComponent(name).path
      var facts = stat()
      guard stat(path, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else { return false }
      return facts.st_size >= 512 && facts.st_size % 512 == 0
        || FileManager.default.fileExists(atPath: path + "-wal")
    }
    return name.map { folder.appendingPathComponent($0) }
  }

  /// Removes the folder, unless another store may have files in it.
  func remove() throws {
    guard let url = files?.deletingLastPathComponent(),
      FileManager.default.fileExists(atPath: url.path), sharer == nil
    else { return }
    try FileManager.default.removeItem(at: url)
  }

  /// Gives a store that is the copy of another its own copies of that one's files.
  ///
  /// If the copy `isReplaced`, so that there was a store at its place before, the files of that are removed. If there
  /// was none, files in the folder belong to somebody else, or to the store itself, and stay.
  ///
  /// Returns the copies, so that they can be removed again. If it throws, that was done already.
  @discardableResult
  package func take(from other: SupportFolder, isReplaced: Bool) throws -> Copies {
    var copies = Copies()
    if isThat(of: other) { return copies }
    if isReplaced { try remove() }
    guard let folder = files, let source = other.store else { return copies }
    let names = try ExternalFiles.plainNames(besides: source)
    if names.isEmpty { return copies }
    copies.folders = [folder.deletingLastPathComponent(), folder]
      .filter { !FileManager.default.fileExists(atPath: $0.path) }
    do {
      try make(folder, like: source)
      for name in names {
        let copy = folder.appendingPathComponent(name)
        // Such a file is never changed, so that one of that name is the same.
        if FileManager.default.fileExists(atPath: copy.path) { continue }
        let original = ExternalFiles.folder(besides: source).appendingPathComponent(name)
        if try Self.copy(original, to: copy) { copies.files.append(copy) }
      }
    } catch {
      copies.remove()
      throw error
    }
    return copies
  }

  /// Copies a file whole, or not at all; returns false if another process was quicker.
  private static func copy(_ file: URL, to copy: URL) throws -> Bool {
    do {
      try FileManager.default.copyItem(at: file, to: copy)
      return true
    } catch let error as CocoaError where error.code == .fileWriteFileExists {
      return false
    } catch {
      // The error that matters is why it failed; there may be nothing.
      try? FileManager.default.removeItem(at: copy)
      throw error
    }
  }

  /// The files and folders that were made beside a store that was given large data.
  package struct Copies {
    fileprivate var files: [URL] = []
    /// The folders that were missing, the outer one first.
    fileprivate var folders: [URL] = []

    fileprivate init() {}

    package func remove() {
      for file in files {
        // A file that stays is found by the next check, as a file that no row names.
        try? FileManager.default.removeItem(at: file)
      }
      // A folder in which somebody else has put something stays.
      for folder in folders.reversed() { rmdir(folder.path) }
    }
  }

  /// The same, with files that were copied into a folder before, and are moved from there.
  func adopt(_ copies: URL, from source: URL, isReplaced: Bool) throws {
    if isThat(of: SupportFolder(of: source)) { return }
    if isReplaced { try remove() }
    let manager = FileManager.default
    guard let folder = files, manager.fileExists(atPath: copies.path) else { return }
    try make(folder, like: source)
    for name in try manager.contentsOfDirectory(atPath: copies.path) {
      let place = folder.appendingPathComponent(name)
      if manager.fileExists(atPath: place.path) { continue }
      try manager.moveItem(at: copies.appendingPathComponent(name), to: place)
    }
  }

  private func make(_ folder: URL, like source: URL) throws {
    let mode = FileMode(of: source.path)
    try FileManager.default.createDirectory(
      at: folder,
      withIntermediateDirectories: true,
      attributes: mode.map { [.posixPermissions: $0.ofFolder] }
    )
  }
}
