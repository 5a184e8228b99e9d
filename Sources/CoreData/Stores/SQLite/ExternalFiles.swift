import CoreDataSQL
import CoreDataSQLite
import Foundation
import Synchronization

/// The files in which a SQLite store keeps large data, in the folder where Apple's framework looks.
///
/// ```
/// Notes.sqlite
/// .Notes_SUPPORT/_EXTERNAL_DATA/6B29FC40-CA47-1067-B31D-00DD010662DA
/// ```
///
/// A file gets its name when it is complete and on the disk, so that no row ever names a part of one.
package final class ExternalFiles: Sendable {
  private let folder: URL
  let store: URL
  private let observer = Mutex<Observer?>(nil)

  typealias Observer = @Sendable (Step) throws -> Void

  /// The operations on files; a test may refuse each of them.
  enum Step: Sendable {
    case makeFolder, write, name, remove
  }

  /// Data of more bytes goes into a file.
  ///
  /// Apple does not document a limit; 100 KiB is what stores are reported to have.
  static let limit = 100 * 1024

  /// Data of more bytes are not written, and files of more are not read.
  package static let greatestSize = PlainFile.greatestSize

  init(besides store: URL) {
    folder = Self.folder(besides: store)
    self.store = store
  }

  package static func folder(besides store: URL) -> URL {
    names(of: store).reduce(store.deletingLastPathComponent()) { $0.appendingPathComponent($1) }
  }

  /// The folder to copy along with a store: `.Notes_SUPPORT`.
  package static func supportFolderName(of store: URL) -> String { names(of: store)[0] }

  /// The folder's name and that of the folder it is in.
  private static func names(of store: URL) -> [String] {
    [".\(store.deletingPathExtension().lastPathComponent)_SUPPORT", "_EXTERNAL_DATA"]
  }

  func observe(_ observer: Observer?) {
    self.observer.withLock { $0 = observer }
  }

  private func announce(_ step: Step) throws {
    try observer.withLock { $0 }?(step)
  }
}

// MARK: - Reading

extension ExternalFiles {
  /// The names of the files beside a store, for making copies; none if a folder is a link.
  ///
  /// A link among them would give out another file, and a pipe would block the reader: they are not large data.
  package static func plainNames(besides store: URL) throws -> [String] {
    let folder = folder(besides: store)
    let folders = [folder.deletingLastPathComponent(), folder]
    guard folders.allSatisfy({ kind(of: $0) == S_IFDIR }) else { return [] }
    return try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .filter { kind(of: folder.appendingPathComponent($0)) == S_IFREG }
  }

  /// The kind of the entry at a place, a link not followed; `nil` if the place is empty.
  private static func kind(of place: URL) -> mode_t? {
    var state = stat()
    return lstat(place.path, &state) == 0 ? state.st_mode & S_IFMT : nil
  }

  /// The bytes of a file; nil when it is missing, too large, or no file but a link to one somewhere else.
  static func data(named name: String, besides store: URL) -> Data? {
    file(named: name, besides: store)?.contents()
  }

  /// The size of a file in bytes; `nil` if it is missing, or not a regular file.
  package static func size(named name: String, besides store: URL) -> Int? {
    file(named: name, besides: store)?.size
  }

  private static func file(named name: String, besides store: URL) -> PlainFile? {
    // The name comes from a row; any other than Apple's could lead out of the folder.
    guard UUID(uuidString: name) != nil else { return nil }
    return PlainFile(in: store.deletingLastPathComponent(), names(of: store) + [name])
  }
}

// MARK: - Writing

extension ExternalFiles {
  /// Writes a file and gives its name; it is on the disk when this returns.
  ///
  /// `willWrite` gets the name before the file is there.
  func write(_ data: Data, willWrite: (String) -> Void = { _ in }) throws -> String {
    let name = UUID().uuidString
    let path = folder.appendingPathComponent(name)
    guard data.count <= Self.greatestSize else {
      throw WriteFailure.largeExternalData(bytes: data.count, limit: Self.greatestSize).error
    }
    let unfinished = folder.appendingPathComponent(".\(name)")
    do {
      try announce(.makeFolder)
      try requireOwnFolders()
      let mode = FileMode(of: store.path)
      try FileManager.default.createDirectory(
        at: folder,
        withIntermediateDirectories: true,
        attributes: mode.map { [.posixPermissions: $0.ofFolder] }
      )
      willWrite(name)
      try announce(.write)
      mode?.makeFile(at: unfinished.path)
      try data.write(to: unfinished, options: mode == nil ? .withoutOverwriting : [])
      try synchronize(unfinished.path)
      try announce(.name)
      try FileManager.default.moveItem(at: unfinished, to: path)
      try synchronize(folder.path)
    } catch {
      // The reason why it could not be written counts, not what is left of it.
      for file in [unfinished, path] { try? FileManager.default.removeItem(at: file) }
      let code = Self.code(for: error)
      throw WriteFailure.externalFile(path: path.path, reason: "\(error)", code: code).error
    }
    return name
  }

  /// Refuses to write where somebody has put a link in the place of a folder: the bytes, and what is
  /// removed later, would be in a folder of others.
  private func requireOwnFolders() throws {
    for place in [folder.deletingLastPathComponent(), folder] {
      guard let kind = Self.kind(of: place), kind != S_IFDIR else { continue }
      throw CocoaError(
        .fileWriteUnknown,
        userInfo: [
          NSFilePathErrorKey: place.path,
          NSLocalizedDescriptionKey: "\(place.path) is no folder but a link or a file.",
        ]
      )
    }
  }

  /// The reason why a file was not written, as far as the system reported it.
  private static func code(for error: any Error) -> CocoaError.Code {
    let cause = (error as NSError).userInfo[NSUnderlyingErrorKey] as? any Error
    if let system = cause.map({ $0 as NSError }), system.domain == NSPOSIXErrorDomain {
      switch Int32(system.code) {
      case ENOSPC, EDQUOT, EFBIG: return .fileWriteOutOfSpace
      case EROFS: return .fileWriteVolumeReadOnly
      case EACCES, EPERM: return .fileWriteNoPermission
      case _: break
      }
    }
    return (error as? CocoaError)?.code ?? .fileWriteUnknown
  }

  /// Removes files that no row names any more.
  ///
  /// One that cannot be removed takes room and harms nothing.
  func remove(_ names: some Sequence<String>) {
    // In a folder behind a link they would be somebody else's.
    guard (try? requireOwnFolders()) != nil else { return }
    for name in names where Self.isOwn(name) {
      do {
        try announce(.remove)
        try FileManager.default.removeItem(at: folder.appendingPathComponent(name))
      } catch CocoaError.fileNoSuchFile {
        // Another program was quicker.
      } catch {
        ProgramLog.say("\(name) is not needed any more, and stays: \(error)")
      }
    }
  }

  /// Whether a file has a name of large data, or that of such a file that is being written.
  private static func isOwn(_ name: String) -> Bool {
    UUID(uuidString: name.hasPrefix(".") ? String(name.dropFirst()) : name) != nil
  }

  /// Waits until the writes to a file or folder are on the disk.
  private func synchronize(_ path: String) throws {
    let descriptor = open(path, O_RDONLY)
    guard descriptor >= 0 else { throw Self.systemError(errno) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw Self.systemError(errno) }
  }

  private static func systemError(_ number: Int32) -> CocoaError {
    let cause = NSError(domain: NSPOSIXErrorDomain, code: Int(number))
    return CocoaError(.fileWriteUnknown, userInfo: [NSUnderlyingErrorKey: cause])
  }

  /// Waits until a commit is on the disk.
  ///
  /// SQLite lets the last one wait in the write-ahead log; were it lost, the rows would name the files
  /// that are about to be removed.
  static func settle(storeAt path: String) {
    // Without a log the commit has waited already.
    let descriptor = open(path + "-wal", O_RDONLY)
    guard descriptor >= 0 else { return }
    fsync(descriptor)
    close(descriptor)
  }
}

// MARK: - Rows

extension ExternalFiles {
  /// Finds the names of files in the rows of all tables, also of those that the program's model does not have.
  static func names(inRowsOf connection: Connection) throws(SQLiteError) -> Set<String> {
    var names: Set<String> = []
    for (table, column) in try columns(connection) {
      let statement = try connection.statement(
        """
        SELECT CAST(substr(\(column: column), 2, 36) AS TEXT) FROM \(name: table) \
        WHERE typeof(\(column: column)) = 'blob' AND substr(\(column: column), 1, 1) = x'02' \
        AND length(\(column: column)) IN (37, 38)
        """ as SQLFragment
      )
      defer { statement.reset() }
      while try statement.step() { names.insert(statement.text(0)) }
    }
    return names
  }

  private static func columns(
    _ connection: Connection
  ) throws(SQLiteError) -> [(table: String, column: String)] {
    let statement = try connection.statement(
      """
      SELECT m.name, c.name FROM sqlite_master AS m, pragma_table_info(m.name) AS c \
      WHERE m.type = 'table' AND m.sql NOT LIKE 'CREATE VIRTUAL%' AND c.type LIKE '%BLOB%'
      """ as SQLFragment
    )
    defer { statement.reset() }
    var columns: [(table: String, column: String)] = []
    while try statement.step() { columns.append((statement.text(0), statement.text(1))) }
    return columns
  }
}
