import CoreDataSQL
import CoreDataSQLite
import Foundation

/// A list, on the disk, of the files of large data that an open transaction adds and removes.
///
/// ```
/// .Notes_SUPPORT/.pending-4711-6B29FC40-CA47-1067-B31D-00DD010662DA     Notes.sqlite, then a name on each line
/// ```
///
/// It is removed when the transaction has ended and its files are in order. A process that is killed leaves its list
/// behind, and the next one that opens the store removes the files of the list that no row names.
final class PendingFiles {
  private let store: URL
  private lazy var place = Self.folder(besides: store)
    .appendingPathComponent("\(Self.beginning)\(getpid())-\(UUID().uuidString)")
  private var descriptor: Int32?

  private static let beginning = ".pending-"
  /// A transaction with more files would have written for hours.
  private static let greatestSize = 64 << 20

  init(besides store: URL) {
    self.store = store
  }

  deinit {
    if let descriptor { close(descriptor) }
  }

  private static func folder(besides store: URL) -> URL {
    ExternalFiles.folder(besides: store).deletingLastPathComponent()
  }

  /// Adds names to the list before anything happens to the files.
  ///
  /// Without the list, for example if the disk is full, files may stay that no row names, and nothing else goes wrong.
  func add(_ names: [String]) {
    if descriptor == nil {
      FileMode(of: store.path)?.makeFile(at: place.path)
      descriptor = open(place.path, O_WRONLY | O_APPEND | O_NOFOLLOW | O_CLOEXEC)
      append([store.lastPathComponent])
    }
    append(names)
  }

  private func append(_ lines: [String]) {
    guard let descriptor, descriptor >= 0 else { return }
    let bytes = Array(lines.map { $0 + "\n" }.joined().utf8)
    // A line that was not written is a file that stays.
    _ = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
  }

  /// Removes the list, because no file of it is in the wrong place.
  func end() {
    guard let descriptor else { return }
    if descriptor >= 0 { close(descriptor) }
    self.descriptor = nil
    unlink(place.path)
  }
}

// MARK: - Lists of ended processes

extension PendingFiles {
  /// Removes the files that processes have left beside a store which were ended during a transaction.
  ///
  /// A file is removed only if it is in such a list and no row names it, as seen by the writer: all others write files
  /// and rows in one transaction, so that nobody can be about to name it. If a table cannot be read, everything stays.
  ///
  /// If the folder `isShared` with another store, everything stays, too.
  static func removeThoseOfEndedProcesses(
    besides store: URL,
    _ pool: Pool,
    isShared: @autoclosure () -> Bool
  ) throws {
    let lists = lists(besides: store)
    guard !lists.isEmpty, !isShared() else { return }
    try pool.write { connection in
      try connection.begin()
      // Nothing was written.
      defer { try? connection.run("ROLLBACK") }
      var names = Set(lists.flatMap(\.names)).filter { isThere($0, besides: store) }
      if !names.isEmpty { names.subtract(try ExternalFiles.names(inRowsOf: connection)) }
      ExternalFiles(besides: store).remove(names.sorted().flatMap { [$0, ".\($0)"] })
      for list in lists { unlink(list.path) }
    }
  }

  private static func lists(besides store: URL) -> [(path: String, names: [String])] {
    let folder = folder(besides: store)
    // A store without large data does not have such a folder.
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return files.filter { $0.hasPrefix(beginning) }
      .compactMap { file in
        let process = pid_t(file.dropFirst(beginning.count).prefix { $0.isNumber })
        guard let process, process == getpid() || kill(process, 0) != 0 && errno == ESRCH else {
          return nil
        }
        let plain = PlainFile(
          in: store.deletingLastPathComponent(),
          [folder.lastPathComponent, file]
        )
        guard let size = plain.size, size <= greatestSize, let bytes = plain.contents() else {
          return nil
        }
        // A line without an end was being written, and its file not yet.
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
        guard lines.first == store.lastPathComponent else { return nil }
        let names = lines.dropFirst().filter { UUID(uuidString: $0)?.uuidString == $0 }
        return (folder.appendingPathComponent(file).path, names)
      }
  }

  private static func isThere(_ name: String, besides store: URL) -> Bool {
    let folder = ExternalFiles.folder(besides: store)
    return [name, ".\(name)"].contains {
      FileManager.default.fileExists(atPath: folder.appendingPathComponent($0).path)
    }
  }
}
