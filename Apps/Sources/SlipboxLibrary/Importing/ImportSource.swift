import Archives
public import Foundation
import Pictures

/// Files that are imported together, with the paths they have among themselves.
///
/// They are read one at a time, and only when their turn comes.
public struct ImportSource: Sendable {
  struct Entry: Sendable {
    let path: String
    let date: Date?
    /// The content, up to a limit in bytes.
    let read: @Sendable (_ limit: Int) throws -> Data
    /// The content of a file that may be too large for memory; it waits in a folder.
    let mapped: @Sendable (_ limit: Int, _ folder: URL) throws -> Data
    /// The first bytes of the content.
    let beginning: @Sendable (_ count: Int) throws -> Data
  }

  let entries: [Entry]
  var refused: [ImportedNotes.Refusal] = []
  /// Whether the paths say where notes belong and what they are called; files that were chosen one by one have
  /// names only.
  let isTree: Bool

  /// The files of a zip archive: a vault, an export, a folder that was put into one.
  ///
  /// - Parameter file: Where it lies; it is mapped into memory, and may be removed then.
  /// - Throws: A ``LibraryProblem`` where it is no archive that can be read.
  public init(archive file: URL) throws {
    do {
      try self.init(archive: Data(contentsOf: file, options: .alwaysMapped))
    } catch let error as ArchiveError {
      throw LibraryProblem.unsuitable(error.sentence)
    }
  }

  init(archive data: Data) throws {
    let archive = try ZipReader(data)
    var entries: [Entry] = []
    for entry in archive.entries {
      if entry.isLink {
        refused.append(.init(name: entry.path, reason: "Links to other places are not followed."))
        continue
      }
      entries.append(
        Entry(path: entry.path, date: entry.date) { limit in
          try archive.read(entry, limit: limit)
        } mapped: { limit, folder in
          try archive.mapped(entry, limit: limit, in: folder)
        } beginning: { count in
          try archive.beginning(of: entry, count: count)
        }
      )
    }
    self.entries = entries
    isTree = true
  }

  /// Files that were chosen one by one.
  public init(_ files: [ImportedFile]) {
    entries = files.map { file in
      // Whoever chooses a file wants it, also one that folders hide.
      let name = ImportPath.name(of: file.name.replacing("\\", with: "/")).drop { $0 == "." }
      return Entry(path: String(name), date: nil) { limit in
        try file.contents(upTo: limit)
      } mapped: { limit, _ in
        try file.contents(upTo: limit)
      } beginning: { count in
        try file.contents(upTo: .max).prefix(count)
      }
    }
    isTree = false
  }

  init(_ entries: [Entry], isTree: Bool) {
    self.entries = entries
    self.isTree = isTree
  }

  /// Whether a file is an archive, by what it begins with.
  public static func isArchive(_ file: URL) -> Bool {
    // What cannot be read is no archive; whoever reads it next says why.
    guard let handle = try? FileHandle(forReadingFrom: file) else { return false }
    defer { try? handle.close() }
    return (try? handle.read(upToCount: 4)) == Data([0x50, 0x4b, 0x03, 0x04])
  }
}
