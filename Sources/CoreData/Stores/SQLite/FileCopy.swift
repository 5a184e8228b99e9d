import CoreDataSQL
import CoreDataSQLite
import Foundation

/// A copy of a store's file and of the folder beside it, of one moment, while others may be writing.
///
/// ```
/// Notes.sqlite + -wal ─▶ .Copy.sqlite.unfinished ─▶ looked at ─▶ Copy.sqlite
/// .Notes_SUPPORT      ─▶ .Copy_SUPPORT.unfinished             ─▶ .Copy_SUPPORT
/// ```
///
/// Nothing has the destination's name before it is complete; after a failure, everything made so far is removed.
package struct FileCopy {
  private let source: SQLiteFile
  private let destination: URL
  private let unfinished: URL
  private let isCompact: Bool
  /// Told the names of files that rows of the copy name, and that are not beside the original.
  private let missing: @Sendable (Set<String>) -> Void

  /// Told how many parts of all are done, on any thread; false gives the copy up.
  package typealias Progress = @Sendable (_ step: Step, _ done: Int, _ all: Int) -> Bool

  package enum Step: Hashable, Sendable {
    /// Pages of the database.
    case copying
    /// All at once; nobody knows how far it is.
    case compacting
    case checking
    /// Files of large data.
    case files
  }

  package init(
    of source: URL,
    to destination: URL,
    isCompact: Bool = false,
    missing: @escaping @Sendable (Set<String>) -> Void = { _ in }
  ) {
    self.init(
      of: SQLiteFile(at: source, options: nil, isReadOnly: true),
      to: destination,
      isCompact: isCompact,
      missing: missing
    )
  }

  /// A file that this process has open must be the store's own: one that is opened as read-only is read without
  /// SQLite too, and if there is no log, closing it costs the process its locks on it.
  init(
    of source: SQLiteFile,
    to destination: URL,
    isCompact: Bool,
    missing: @escaping @Sendable (Set<String>) -> Void = { _ in }
  ) {
    self.missing = missing
    self.source = source
    self.destination = destination
    self.isCompact = isCompact
    unfinished = UnfinishedFile(of: destination).url
  }

  /// Makes the copy; returns false if `progress` canceled it.
  ///
  /// A file that is at the destination is replaced, with its log; programs that have it open go on with the old one.
  package func perform(_ progress: @escaping Progress) throws -> Bool {
    if let obstacle = source.obstacle { throw StoreFailure(obstacle, path: source.path).error() }
    _ = try source.readWhatMetadataThereAre()
    UnfinishedFile(of: destination).removeThoseOfEndedPrograms()
    defer { removeUnfinished() }
    // Before the rows, so that a file which is removed during the copy is there; and after, so that a new one is.
    do {
      guard try copyFiles(progress), try copyDatabase(progress), try copyFiles(progress) else {
        return false
      }
      guard try check(progress) else { return false }
    } catch let error as CocoaError where error.code == .fileWriteOutOfSpace {
      throw noRoom(error)
    }
    try giveNames()
    return true
  }

  /// Nothing but the copy is written, whichever file an error speaks of.
  private func noRoom(_ error: CocoaError) -> NSError {
    FailureText(
      description: "The store could not be copied.",
      reason: "\(destination.deletingLastPathComponent().path): the disk is full.",
      suggestion: "Make room there, or name another place."
    )
    .error(code: error.code.rawValue, userInfo: [NSUnderlyingErrorKey: error])
  }
}

// MARK: - The database

extension FileCopy {
  private func copyDatabase(_ progress: @escaping Progress) throws -> Bool {
    try source.translating { () throws(SQLiteError) in
      let origin = try source.plainConnection()
      FileMode(of: source.path)?.makeFile(at: unfinished.path)
      guard isCompact else {
        return try Connection(path: unfinished.path)
          .copyEverything(from: origin, pagesInStep: 2000) { progress(.copying, $0, $1) }
      }
      let done: Void? = try origin.asLongAs({ progress(.compacting, 0, 0) }) {
        () throws(SQLiteError) in
        try origin.copyCompactly(into: unfinished.path)
      }
      return done != nil
    }
  }

  /// The copy is read as a whole, and has the journal of the original.
  private func check(_ progress: @escaping Progress) throws -> Bool {
    let copy = SQLiteFile(at: unfinished, options: nil)
    let isLogged = try source.translating { () throws(SQLiteError) in
      let origin = try source.plainConnection()
      if origin.mode == .immutable { return SQLiteFile.isLogged(source.path) }
      return try origin.text("PRAGMA journal_mode") == "wal"
    }
    let finding: String?? = try copy.translating { () throws(SQLiteError) in
      let connection = try Connection(path: unfinished.path)
      return try connection.asLongAs({ progress(.checking, 0, 0) }) { () throws(SQLiteError) in
        let finding = try connection.text("PRAGMA quick_check(1)")
        if finding == "ok" { reportMissing(in: try ExternalFiles.names(inRowsOf: connection)) }
        if isLogged { try connection.run("PRAGMA journal_mode = WAL") }
        return finding
      }
    }
    guard let finding else { return false }
    guard finding == "ok" else {
      let error = SQLiteError(code: 11, message: finding ?? "the copy cannot be checked")
      throw StoreFailure(.reading(error), path: source.path).error()
    }
    _ = try copy.readWhatMetadataThereAre()
    return progress(.checking, 0, 0)
  }
}

// MARK: - Files beside it

extension FileCopy {
  private var origin: URL { source.place.url ?? destination }

  private var folders: (source: URL, unfinished: URL) {
    (ExternalFiles.folder(besides: origin), unfinished.appendingPathExtension("SUPPORT"))
  }

  private func reportMissing(in names: Set<String>) {
    let files = FileManager.default
    // A store that was renamed may be copied back to where its files are.
    let isReplaced = files.fileExists(atPath: destination.path)
    let there = isReplaced ? [] : [ExternalFiles.folder(besides: destination)]
    let lost = names.filter { name in
      // Any other name than Apple's leads nowhere, or out of the folder.
      UUID(uuidString: name) == nil
        || !([folders.unfinished] + there).contains {
          files.fileExists(atPath: $0.appendingPathComponent(name).path)
        }
    }
    if !lost.isEmpty { missing(lost) }
  }

  private func copyFiles(_ progress: Progress) throws -> Bool {
    let files = FileManager.default
    let names = try ExternalFiles.plainNames(besides: origin)
    if names.isEmpty { return true }
    let mode = FileMode(of: source.path)
    try files.createDirectory(
      at: folders.unfinished,
      withIntermediateDirectories: true,
      attributes: mode.map { [.posixPermissions: $0.ofFolder] }
    )
    for (number, name) in names.enumerated() {
      guard progress(.files, number, names.count) else { return false }
      let copy = folders.unfinished.appendingPathComponent(name)
      if files.fileExists(atPath: copy.path) { continue }
      do {
        try files.copyItem(at: folders.source.appendingPathComponent(name), to: copy)
      } catch  where !files.fileExists(atPath: folders.source.appendingPathComponent(name).path) {
        // Its row was deleted since the folder was read; the copy shows whether it needed it.
        continue
      }
    }
    return true
  }
}

// MARK: - Names

extension FileCopy {
  /// First the folder, then the rows that speak of it.
  private func giveNames() throws {
    let files = FileManager.default
    let isReplaced = files.fileExists(atPath: destination.path)
    for suffix in SQLiteFile.endings.dropFirst() {
      let path = destination.path + suffix
      if files.fileExists(atPath: path) { try files.removeItem(atPath: path) }
    }
    try SupportFolder(of: destination).adopt(
      folders.unfinished,
      from: origin,
      isReplaced: isReplaced
    )
    guard rename(unfinished.path, destination.path) == 0 else {
      let reason = String(cString: strerror(errno))
      throw StoreFailure(
        .saving(SQLiteError(code: 14, message: "the copy cannot get its name: \(reason)")),
        path: destination.path
      ).error()
    }
  }

  private func removeUnfinished() {
    let paths = (SQLiteFile.endings + [".SUPPORT"]).map { unfinished.path + $0 }
    for path in paths where FileManager.default.fileExists(atPath: path) {
      // If this fails, the file's name says what it is.
      try? FileManager.default.removeItem(atPath: path)
    }
  }
}

// MARK: - Files that are missing

extension ExternalFiles {
  /// The names that rows of a store have for files that are not beside it.
  package static func missingNames(ofStoreAt store: URL) throws -> Set<String> {
    let file = SQLiteFile(at: store, options: nil, isReadOnly: true)
    let names = try file.translating { () throws(SQLiteError) in
      try Self.names(inRowsOf: try file.plainConnection())
    }
    // Any other name than Apple's leads nowhere, or out of the folder.
    return names.filter { UUID(uuidString: $0) == nil || size(named: $0, besides: store) == nil }
  }
}
