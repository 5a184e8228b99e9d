import Foundation
import RichText

/// The future note of a file, as far as others must know it before they are read: its names.
struct ImportSketch: Sendable {
  let id: UUID
  /// The file in the source.
  let entry: Int
  /// The note's part of the file, if that has several.
  let part: Range<Int>?
  let format: ImportKind.NoteFormat
  let path: String
  /// The folder that the note goes to, by its path; empty for the outermost.
  var folder: String
  /// The names by which texts may refer to it.
  var names: [String]
}

/// The result of the first pass over the files.
struct ImportSurvey: Sendable {
  var sketches: [ImportSketch] = []
  private(set) var attachments: [Int] = []
  var refused: [ImportedNotes.Refusal]
  /// Titles that texts link to.
  private(set) var wanted: Set<String> = []
  /// Which paths are favourites, as Obsidian keeps them.
  private(set) var favourites: Set<String> = []
  /// Bear's facts about its notes beside their texts, by the paths of their bundles.
  private(set) var bear: [String: BearFacts] = [:]
  /// Apple's facts about its notes, by their paths.
  private(set) var apple: [String: AppleFacts] = [:]
  private var appleList: AppleList?
  /// The facts of our own exports beside the texts.
  private(set) var facts = SlipboxFacts()

  private let source: ImportSource
  /// The folder where large files wait while they are read.
  private let folder: URL

  /// More notes than anybody has.
  private static let maximumNotes = 200_000
  private static let maximumWanted = 500_000

  init(_ source: ImportSource, in folder: URL) {
    self.source = source
    self.folder = folder
    refused = source.refused
  }

  /// Looks at the next file; `told` hears how far it is.
  mutating func look(at index: Int) {
    let entry = source.entries[index]
    do {
      switch ImportKind(path: entry.path) {
      case .hidden:
        if let facts = SlipboxFacts(entry) { self.facts = facts } else { readFavourites(entry) }
        if let facts = BearFacts(entry) { bear[ImportPath.folder(of: entry.path)] = facts }
      case .attachment:
        if let list = AppleList(entry) { appleList = list } else { attachments.append(index) }
      case .note(.evernote): try readEvernote(entry, index)
      case .note(let format): try readNote(entry, index, format)
      }
    } catch {
      refused.append(.init(name: entry.path, reason: ImportReason.sentence(error)))
    }
  }

  /// Does what has to wait until all files were looked at.
  mutating func finish() {
    findNotesOfApple()
    leaveOut("It lies in Bear’s trash.") { [bear] in
      bear[ImportPath.folder(of: $0.path)]?.isTrashed ?? false
    }
    leaveOut("It was deleted in Notes.") { [apple] in apple[$0.path]?.isDeleted ?? false }
  }

  /// Notes that somebody has thrown away stay there.
  private mutating func leaveOut(_ reason: String, _ isTrashed: (ImportSketch) -> Bool) {
    refused += sketches.filter(isTrashed).map { .init(name: $0.path, reason: reason) }
    sketches.removeAll(where: isTrashed)
  }

  private mutating func findNotesOfApple() {
    guard let appleList else { return }
    let beside = Dictionary(grouping: attachments) {
      ImportPath.folder(of: source.entries[$0].path)
    }
    for index in sketches.indices where sketches[index].format == .plainText {
      let path = sketches[index].path
      // The code that reads it as a note reports why it cannot be read.
      let head = (try? source.entries[sketches[index].entry].beginning(2_000)) ?? Data()
      let title = AppleNote(String(decoding: head, as: UTF8.self), files: []).title ?? ""
      guard let (facts, folder) = appleList.note(at: path, beginningWith: title) else { continue }
      sketches[index].names.append(title)
      let files = beside[ImportPath.folder(of: path)] ?? []
      apple[path] = facts.with(files) { source.entries[$0].path }
      sketches[index].folder = folder
    }
  }

  private mutating func add(_ sketch: ImportSketch) throws {
    guard sketches.count < Self.maximumNotes else {
      throw LibraryProblem.refused("More than \(Self.maximumNotes) notes are not imported at once.")
    }
    sketches.append(sketch)
  }

  private mutating func readNote(
    _ entry: ImportSource.Entry,
    _ index: Int,
    _ format: ImportKind.NoteFormat
  ) throws {
    let place = NotePath(entry.path)
    var sketch = ImportSketch(
      id: UUID(),
      entry: index,
      part: nil,
      format: format,
      path: entry.path,
      folder: source.isTree ? place.folder : "",
      names: [place.name]
    )
    if format == .markdown {
      let text = try ImportedText.text(try entry.read(ImportedFile.limit))
      let outline = MarkdownOutline(text)
      sketch.names += outline.names
      if let id = outline.id { sketch = ImportSketch(sketch, id: id) }
      if wanted.count < Self.maximumWanted { wanted.formUnion(outline.linked) }
    }
    try add(sketch)
  }

  private mutating func readEvernote(_ entry: ImportSource.Entry, _ index: Int) throws {
    let file = EvernoteFile(try entry.mapped(EvernoteFile.limit, folder))
    var emptyCount = 0
    // Evernote exports each notebook as a file of its name.
    let notebook = [
      source.isTree ? ImportPath.folder(of: entry.path) : "", ImportPath.stem(of: entry.path),
    ].filter { !$0.isEmpty }.joined(separator: "/")
    for part in file.notes {
      let (title, isEmpty) = file.outline(of: part)
      if isEmpty {
        emptyCount += 1
        continue
      }
      try add(
        ImportSketch(
          id: UUID(),
          entry: index,
          part: part,
          format: .evernote,
          path: entry.path,
          folder: notebook,
          names: title.map { [$0] } ?? []
        )
      )
    }
    if emptyCount > 0 {
      refused.append(
        .init(name: entry.path, reason: "\(emptyCount) of its notes have nothing in them.")
      )
    }
  }

  /// Obsidian's bookmarks are its favourites; if they cannot be read, there are none.
  private mutating func readFavourites(_ entry: ImportSource.Entry) {
    guard entry.path.hasSuffix(".obsidian/bookmarks.json"),
      let data = try? entry.read(1 << 20), let value = try? JSONValue(parsing: data)
    else { return }
    let root = String(entry.path.dropLast(".obsidian/bookmarks.json".count))
    var waiting = [value]
    while let next = waiting.popLast() {
      guard case .object(let members) = next else { continue }
      if case .list(let items)? = members["items"] { waiting += items }
      if case .text("file")? = members["type"], case .text(let path)? = members["path"] {
        favourites.insert(root + path)
      }
    }
  }
}

extension ImportSketch {
  /// The same note with the identifier that it had before.
  init(_ sketch: ImportSketch, id: UUID) {
    self.init(
      id: id,
      entry: sketch.entry,
      part: sketch.part,
      format: sketch.format,
      path: sketch.path,
      folder: sketch.folder,
      names: sketch.names
    )
  }
}

/// The place of a note by the path of its file; a bundle is a folder that is one note.
struct NotePath {
  let name: String
  let folder: String
  let isBundle: Bool

  init(_ path: String) {
    // Some systems keep letters and their accents apart, which no keyboard writes.
    let path = path.precomposedStringWithCanonicalMapping
    let parts = path.split(separator: "/")
    if let index = parts.dropLast().firstIndex(where: { $0.lowercased().hasSuffix(".textbundle") })
    {
      name = ImportPath.stem(of: parts[index])
      folder = parts[..<index].joined(separator: "/")
      isBundle = true
    } else {
      name = ImportPath.stem(of: path)
      folder = ImportPath.folder(of: path)
      isBundle = false
    }
  }
}

/// The names and links of a file of Markdown, found without reading all of it as Markdown.
struct MarkdownOutline {
  let id: UUID?
  let names: [String]
  private(set) var linked: Set<String> = []

  /// More than one text has use for.
  private static let mostLinked = 10_000

  init(_ text: String) {
    // The beginning, with the first heading, is enough for the names.
    let head = MarkdownFile(String(text.prefix(30_000)))
    id = head.id
    names = (head.title.map { [$0] } ?? []) + head.aliases
    var rest = text[...]
    while linked.count < Self.mostLinked, let start = rest.firstRange(of: "[[") {
      let near = rest[start.upperBound...].prefix(1_000)
      let title = near.prefix { !"]|#^\n".contains($0) }
      if !title.isEmpty { linked.insert(String(title)) }
      rest = near.endIndex < rest.endIndex || !near.isEmpty ? rest[title.endIndex...] : ""
    }
  }
}

/// Why something was not imported, in a sentence.
enum ImportReason {
  static func sentence(_ error: any Error) -> String {
    switch error {
    case let error as RichTextError: "\(error)"
    case let problem as LibraryProblem: problem.errorDescription ?? "\(problem)"
    default: error.localizedDescription
    }
  }
}
