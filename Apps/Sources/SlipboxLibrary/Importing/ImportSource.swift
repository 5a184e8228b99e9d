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
  /// Whether the paths have the folders and names of notes; files that were chosen one by one have names only.
  let isTree: Bool

  /// The files of a zip or tar archive: a vault, an export, a folder that was put into one, or several archives together.
  ///
  /// - Parameter file: The archive; it is mapped into memory, and may be removed then.
  /// - Throws: A ``LibraryProblem`` if it is not an archive that can be read.
  public init(archive file: URL) throws {
    do {
      try self.init(
        archive: Data(contentsOf: file, options: .alwaysMapped),
        in: file.deletingLastPathComponent()
      )
    } catch let error as ArchiveError {
      throw LibraryProblem.unsuitable(error.sentence)
    }
  }

  /// The same for an archive in memory; archives in it wait in a folder while they are read.
  init(archive data: Data, in folder: URL = FileManager.default.temporaryDirectory) throws {
    var files = ArchiveFiles(in: folder)
    try files.add(PackedFile.files(of: data, in: folder))
    (entries, refused, isTree) = (files.entries, files.refused, true)
  }

  /// Files that were chosen one by one.
  public init(_ files: [ImportedFile]) {
    entries = files.map { file in
      // A person who chooses a file wants it, also one that folders hide.
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

  /// Whether a file is an archive, by its first bytes.
  public static func isArchive(_ file: URL) -> Bool {
    // A file that cannot be read is not an archive; the code that reads it next says why.
    guard let handle = try? FileHandle(forReadingFrom: file) else { return false }
    defer { try? handle.close() }
    return (try? handle.read(upToCount: PackedFile.beginningCount)).map(PackedFile.isArchive)
      ?? false
  }
}

/// The files of an archive, and those of the archives in it.
///
/// ```
/// Walk.textpack        Walk.textbundle/text.md     →  Walk.textbundle/text.md
/// Notes.bear2bk        Old.textbundle/text.md      →  Notes/Old.textbundle/text.md
/// Part-1.zip           Plans/Garden.md             →  Part-1/Plans/Garden.md       if there are only such
/// ```
private struct ArchiveFiles {
  private(set) var entries: [ImportSource.Entry] = []
  private(set) var refused: [ImportedNotes.Refusal] = []
  private let folder: URL

  /// Bundles by their paths, each of which is one note.
  private var bundles: Set<String> = []
  /// The next number of a bundle whose name was taken.
  private var nextNumbers: [String: Int] = [:]
  /// How many bytes may still be unpacked, and how many files may come.
  private var left = 2 << 30
  private var leftCount = ZipReader.maximumEntries
  /// How many bytes all paths may have together: archives in archives give theirs to each of their files.
  private var leftPathBytes = 64 << 20

  init(in folder: URL) {
    self.folder = folder
  }

  mutating func add(_ archive: [PackedFile]) {
    // A person who chooses several archives wants their contents; one beside notes is a file that they refer to.
    let areArchives = archive.allSatisfy {
      Self.isArchive($0.path, orAny: true) || ImportKind(path: $0.path).isHidden
    }
    for file in archive {
      if !file.isLink, Self.isArchive(file.path, orAny: areArchives) {
        addFiles(in: file)
      } else {
        add(file, at: file.path)
      }
    }
  }

  private static func isArchive(_ path: String, orAny: Bool) -> Bool {
    guard case .attachment = ImportKind(path: path), let ending = ArchiveEnding(of: path) else {
      return false
    }
    return !ending.isOfAnything || orAny
  }

  private mutating func add(_ file: PackedFile, at path: String) {
    leftPathBytes -= path.utf8.count
    guard path.utf8.count <= ImportPath.longest, leftPathBytes >= 0 else {
      refuse(path, "Its path is too long.")
      return
    }
    if file.isLink {
      refuse(path, "Links to other places are not followed.")
      return
    }
    entries.append(
      ImportSource.Entry(path: path, date: file.date) { limit in
        try file.read(limit)
      } mapped: { limit, folder in
        try file.mapped(limit, in: folder)
      } beginning: { count in
        try file.beginning(count)
      }
    )
  }

  private mutating func addFiles(in archive: PackedFile) {
    do {
      let content = try archive.mapped(min(left, 1 << 30), in: folder)
      let inside = try PackedFile.files(of: content, in: folder)
      guard inside.count <= leftCount else {
        throw LibraryProblem.refused(
          "The archives have more than \(ZipReader.maximumEntries) files in them."
        )
      }
      left -= archive.byteCount
      leftCount -= inside.count
      let place = place(of: archive.path, inside)
      for file in inside { add(file, at: place(file.path)) }
    } catch {
      refuse(archive.path, ImportReason.sentence(error))
    }
  }

  private static let mostRefused = 10_000

  /// Notes a file that is left out, with the end of its path.
  private mutating func refuse(_ path: String, _ reason: String) {
    guard refused.count < Self.mostRefused else { return }
    if refused.count == Self.mostRefused - 1 {
      refused.append(.init(name: "…", reason: "More files than are listed here were left out."))
      return
    }
    let name = path.utf8.count <= 300 ? path : "…\(path.suffix(100))"
    refused.append(.init(name: name, reason: reason))
  }

  /// The place of an archive's files: a note that was packed beside the others, and a collection in a folder.
  private mutating func place(
    of path: String,
    _ inside: [PackedFile]
  ) -> (_ path: String) -> String {
    let folder = ImportPath.folder(of: path)
    let stem = ImportPath.stem(of: path)
    func joined(_ parts: String...) -> String {
      parts.filter { !$0.isEmpty }.joined(separator: "/")
    }
    guard ArchiveEnding(of: path)?.isOneNote == true else {
      return { joined(folder, stem, $0) }
    }
    let tops = Set(inside.map { $0.path.prefix { $0 != "/" } })
    let isWrapped = tops.count == 1 && tops.allSatisfy { $0.lowercased().hasSuffix(".textbundle") }
    let name = isWrapped ? ImportPath.stem(of: tops.first ?? "") : stem
    let first = joined(folder, "\(name).textbundle")
    var bundle = first
    var number = nextNumbers[first] ?? 2
    while !bundles.insert(bundle).inserted {
      bundle = joined(folder, "\(name) \(number).textbundle")
      number += 1
    }
    nextNumbers[first] = number
    let length = isWrapped ? (tops.first?.count ?? 0) + 1 : 0
    return { [bundle] in joined(bundle, String($0.dropFirst(length))) }
  }
}
