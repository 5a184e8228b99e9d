import Foundation
import RichText

/// The future note of a file, as far as others must know it before they are read: its names.
struct ImportSketch: Sendable {
  var id: UUID
  /// The file in the source.
  let entry: Int
  /// The note's part of the file, if that has several.
  let part: Range<Int>?
  let format: any NoteFormat
  let path: String
  /// The folder that the note goes to, by its path; empty for the outermost.
  var folder: String
  /// The names by which texts may refer to it.
  var names: [String]
}

/// The result of the first pass over the files.
struct ImportSurvey: Sendable {
  var sketches: [ImportSketch] = []
  var attachments: [Int] = []
  var refused: [ImportedNotes.Refusal]
  /// Titles that texts link to.
  private(set) var wanted: Set<String> = []
  /// Which paths are favourites, as Obsidian keeps them: those of each vault, by its folder with the sign behind it.
  private(set) var favourites: [String: Set<String>] = [:]
  /// Bear's facts about its notes beside their texts, by the paths of their bundles.
  private(set) var bear: [String: BearFacts] = [:]
  /// Apple's facts about its notes, by their paths.
  private(set) var apple: [String: AppleFacts] = [:]
  private var appleList: AppleList?
  /// The facts of our own exports beside the texts.
  var facts = SlipboxFacts()
  /// The facts of other programs beside the texts of their notes.
  var programs = ProgramFacts()
  /// Which programs have written the files, by the names of these.
  let exports: ProgramExports

  let source: ImportSource
  /// The folder where large files wait while they are read.
  let folder: URL

  /// More notes than anybody has.
  private static let maximumNotes = 200_000
  private static let maximumWanted = 500_000
  /// Each note is looked for in all of them.
  private static let maximumVaults = 20

  init(_ source: ImportSource, in folder: URL) {
    self.source = source
    self.folder = folder
    refused = source.refused
    exports = ProgramExports(source)
  }

  /// Looks at the next file; `told` hears how far it is.
  mutating func look(at index: Int) {
    let entry = source.entries[index]
    do {
      switch kind(of: entry) {
      case .hidden:
        if let facts = SlipboxFacts(entry) { self.facts = facts } else { readFavourites(entry) }
        if let facts = BearFacts(entry) { bear[ImportPath.folder(of: entry.path)] = facts }
      case .attachment:
        if let list = AppleList(entry) { appleList = list } else { attachments.append(index) }
      case .note(let format): try format.survey(index, &self)
      }
    } catch {
      refused.append(.init(name: entry.path, reason: ImportReason.sentence(error)))
    }
  }

  /// The role of a file, which its content may tell if its name does not.
  private func kind(of entry: ImportSource.Entry) -> ImportKind {
    let kind = ImportKind(path: entry.path)
    if kind.isHidden { return kind }
    let candidate = ImportCandidate(entry: entry, exports: exports)
    return NoteFormats.format(recognizing: candidate).map(ImportKind.note) ?? kind
  }

  /// Does what has to wait until all files were looked at.
  mutating func finish() {
    findNotesOfApple()
    finishPrograms()
    leaveOut("It lies in Bear’s trash.") { [bear] in
      bear[ImportPath.folder(of: $0.path)]?.isTrashed ?? false
    }
    leaveOut("It was deleted in Notes.") { [apple] in apple[$0.path]?.isDeleted ?? false }
  }

  /// Notes that somebody has thrown away stay there.
  mutating func leaveOut(_ reason: String, _ isTrashed: (ImportSketch) -> Bool) {
    refused += sketches.filter(isTrashed).map { .init(name: $0.path, reason: reason) }
    sketches.removeAll(where: isTrashed)
  }

  private mutating func findNotesOfApple() {
    guard let appleList else { return }
    let beside = Dictionary(grouping: attachments) {
      ImportPath.folder(of: source.entries[$0].path)
    }
    for index in sketches.indices where sketches[index].format is PlainTextFormat {
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

  mutating func add(_ sketch: ImportSketch) throws {
    guard sketches.count < Self.maximumNotes else {
      throw LibraryProblem.refused("More than \(Self.maximumNotes) notes are not imported at once.")
    }
    sketches.append(sketch)
  }

  /// Notes a file that is left out, with the reason.
  mutating func leaveOut(_ name: String, _ reason: String) {
    refused.append(.init(name: name, reason: reason))
  }

  /// Notes titles that texts link to.
  mutating func want(_ linked: Set<String>) {
    if wanted.count < Self.maximumWanted { wanted.formUnion(linked) }
  }

  /// Returns the sketch of a file that is one note.
  func sketch(of index: Int, _ format: any NoteFormat) -> ImportSketch {
    let path = source.entries[index].path
    let place = NotePath(path)
    return ImportSketch(
      id: UUID(),
      entry: index,
      part: nil,
      format: format,
      path: path,
      folder: source.isTree ? place.folder : "",
      names: [place.name]
    )
  }

  /// Obsidian's bookmarks are its favourites; if they cannot be read, there are none.
  private mutating func readFavourites(_ entry: ImportSource.Entry) {
    guard entry.path.hasSuffix(".obsidian/bookmarks.json"),
      let data = try? entry.read(1 << 20), let value = try? JSONValue(parsing: data)
    else { return }
    guard favourites.count < Self.maximumVaults else { return }
    let root = String(entry.path.dropLast(".obsidian/bookmarks.json".count))
    var waiting = [value]
    while let next = waiting.popLast() {
      guard case .object(let members) = next else { continue }
      if case .list(let items)? = members["items"] { waiting += items }
      if case .text("file")? = members["type"], case .text(let path)? = members["path"] {
        favourites[root, default: []].insert(path)
      }
    }
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
  let linked: Set<String>

  /// More than one text has use for.
  private static let mostLinked = 10_000

  init(_ text: String) {
    // The beginning, with the first heading, is enough for the names.
    let head = MarkdownFile(String(text.prefix(30_000)))
    id = head.id
    names = (head.title.map { [$0] } ?? []) + head.aliases
    linked = Self.linked(by: text)
  }

  /// The titles in the links of a text.
  static func linked(by text: String) -> Set<String> {
    var linked: Set<String> = []
    var rest = text[...]
    while linked.count < mostLinked, let start = rest.firstRange(of: "[[") {
      let near = rest[start.upperBound...].prefix(1_000)
      let title = near.prefix { !"]|#^\n".contains($0) }
      if !title.isEmpty { linked.insert(String(title)) }
      rest = near.endIndex < rest.endIndex || !near.isEmpty ? rest[title.endIndex...] : ""
    }
    return linked
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
