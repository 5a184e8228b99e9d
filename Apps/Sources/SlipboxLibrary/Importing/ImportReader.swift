import Foundation
import Pictures
import RichText

/// A note that is read, and the files that are new with it.
struct ImportedDraft: Sendable {
  let id: UUID
  let title: String
  let status: Status
  let keywords: [String]
  let aliases: [String]
  let properties: [NoteProperty]
  let marks: Set<NoteMark>
  let created: Date?
  let modified: Date?
  let folder: String
  let text: StoredText
  /// The note's own picture, one of the files.
  let picture: UUID?
  let newFiles: [NewFile]
}

/// Reads the notes of an import one after the other: the second pass.
struct ImportReader: Sendable {
  let source: ImportSource
  let directory: ImportDirectory
  /// The paths of notes that have a mark, as files beside them tell.
  private let marked: [NoteMark: Set<String>]
  private let facts: SlipboxFacts
  /// The favourites of Obsidian's vaults.
  private let favourites: [String: Set<String>]
  private let bear: [String: BearFacts]
  let apple: [String: AppleFacts]
  let programs: ProgramFacts
  let exports: ProgramExports
  /// The folder where files wait until their note is written.
  let folder: URL
  /// The file of many notes that was read last: its notes follow one another.
  private var collection: (entry: Int, content: any Sendable)?

  /// The files of the source that were read already, and whether each is a picture.
  private var files: [Int: (id: UUID, isPicture: Bool)] = [:]
  /// Files of the source that could not be kept.
  private var lost: Set<Int> = []
  var refused: [ImportedNotes.Refusal] = []
  /// How often a text has shown another note inside of itself, and links to it now.
  private(set) var embeddedCount = 0
  private var changed = ImportedChanges()

  /// The parts of the texts that became something else.
  var changes: [ImportedChange] { changed.all }

  init(
    _ source: ImportSource,
    _ survey: ImportSurvey,
    _ directory: ImportDirectory,
    in folder: URL
  ) {
    self.source = source
    self.folder = folder
    self.directory = directory
    facts = survey.facts
    marked = facts.marked.mapValues(Set.init)
    favourites = survey.favourites
    bear = survey.bear
    apple = survey.apple
    programs = survey.programs
    exports = survey.exports
  }

  /// The files of the source that no text has spoken of.
  func unused(of attachments: [Int]) -> [Int] {
    attachments.filter { files[$0] == nil && !lost.contains($0) }
  }

  /// Returns the content of a note's file as a text.
  func text(of sketch: ImportSketch, upTo limit: Int = ImportedFile.limit) throws -> String {
    try ImportedText.text(try source.entries[sketch.entry].read(limit))
  }

  /// Returns the content of a file of many notes, which is read once for notes that follow one another.
  mutating func collection<Content: Sendable>(
    _ index: Int,
    _ read: (ImportSource.Entry) throws -> Content
  ) throws -> Content {
    if let collection, collection.entry == index, let content = collection.content as? Content {
      return content
    }
    // The one before goes first: both may be large.
    collection = nil
    let content = try read(source.entries[index])
    collection = (index, content)
    return content
  }
}

// MARK: - Files in texts

/// The references that a text has made while it was read.
final class Mentions {
  var files: [Int] = []
  var embeddedCount = 0
  /// The parts that became something else, with the first line of each.
  var changes: [TextChange: Int] = [:]

  /// The files in the text itself, each once.
  private(set) var embedded: [EmbeddedFile] = []
  /// The files of them that are kept; nil while they are looked for.
  private let kept: [EmbeddedFile: RichText.Attached]?
  private var placeholders: [EmbeddedFile: RichText.Attached] = [:]

  init(kept: [EmbeddedFile: RichText.Attached]? = nil) {
    self.kept = kept
  }

  /// A file in an address, which is kept when the text is read.
  func attached(_ file: EmbeddedFile) -> RichText.Attached? {
    if let kept { return kept[file] }
    if let known = placeholders[file] { return known }
    embedded.append(file)
    let placeholder = RichText.Attached.picture(UUID())
    placeholders[file] = placeholder
    return placeholder
  }
}

extension ImportReader {
  /// Whether Bear has written a text: its bundle says so, or another bundle that came with it, or the text itself.
  ///
  /// Bear 1 also wrote `/italic/`, `*bold*` and `-strike-`. Its files do not say which version has written them, and a
  /// wrong guess would take the signs out of paths and prices: they stay as they were typed.
  func isOfBear(_ sketch: ImportSketch, _ text: String) -> Bool {
    (!bear.isEmpty && NotePath(sketch.path).isBundle) || BearFacts.wrote(text)
  }

  func surroundings(
    _ sketch: ImportSketch,
    isOfBear: Bool,
    _ mentions: Mentions
  ) -> MarkdownSurroundings {
    MarkdownSurroundings(
      breaksLines: true,
      isOfBear: isOfBear,
      noteNamed: { directory.note($0, in: sketch) },
      noteAt: { directory.note(at: $0, in: sketch) },
      fileAt: { attached(at: $0, sketch, mentions) },
      embedded: { _ in mentions.embeddedCount += 1 },
      changed: { change, line in
        mentions.changes[change] = min(mentions.changes[change] ?? line, line)
      }
    )
  }

  func attached(
    at address: String,
    _ sketch: ImportSketch,
    _ mentions: Mentions
  ) -> RichText.Attached? {
    if let file = EmbeddedFile(address: address) { return mentions.attached(file) }
    return directory.file(at: address, in: sketch).flatMap { attached($0, mentions) }
  }

  /// A file of the source, which is read when the text is.
  func attached(_ index: Int, _ mentions: Mentions) -> RichText.Attached? {
    if lost.contains(index) { return nil }
    mentions.files.append(index)
    let name = fileName(index)
    if let known = files[index] {
      return known.isPicture ? .picture(known.id) : .file(known.id, name: name)
    }
    // The kind of file is known when it is read; until then its number takes its place.
    return Self.isNamedPicture(name)
      ? .picture(Self.placeholder(index)) : .file(Self.placeholder(index), name: name)
  }

  /// The name of a file, which its program may have written elsewhere.
  private func fileName(_ index: Int) -> String {
    programs.fileNames[index] ?? ImportPath.name(of: source.entries[index].path)
  }

  private static func isNamedPicture(_ name: String) -> Bool {
    ["jpg", "jpeg", "png", "gif", "webp", "heic", "heif", "avif"]
      .contains(ImportPath.ending(of: name))
  }

  /// An identifier that no file has, for the time being.
  private static func placeholder(_ index: Int) -> UUID {
    let number = UInt64(index)
    func byte(_ shift: UInt64) -> UInt8 { UInt8(truncatingIfNeeded: number >> shift) }
    return UUID(
      uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, byte(40), byte(32), byte(24), byte(16), byte(8), byte(0))
    )
  }

  /// Reads a text, then the files that are new in it, and then, if they are other than they seemed, the text
  /// again.
  mutating func draft(
    _ sketch: ImportSketch,
    _ read: (ImportReader, Mentions) throws -> MarkdownFile
  ) async throws -> ImportedDraft {
    let mentions = Mentions()
    var file = try read(self, mentions)
    var picture: Int?
    if let path = file.picture, let index = directory.file(at: path, in: sketch) {
      picture = index
      mentions.files.append(index)
    } else if file.id != nil, file.picture != nil, mentions.changes[.missingFile] == nil {
      mentions.changes[.missingFile] = 1
    }
    var newFiles: [NewFile] = []
    for index in mentions.files where files[index] == nil && !lost.contains(index) {
      if let new = await self.file(index) { newFiles.append(new) }
    }
    let (inside, kept) = await embeddedFiles(of: mentions, in: sketch)
    newFiles += inside
    do {
      if !newFiles.isEmpty || !mentions.embedded.isEmpty
        || mentions.files.contains(where: lost.contains)
      {
        file = try read(self, Mentions(kept: kept))
      }
      let draft = try self.draft(
        sketch,
        file,
        picture: picture.flatMap { files[$0] }.flatMap { $0.isPicture ? $0.id : nil },
        newFiles: newFiles
      )
      embeddedCount += mentions.embeddedCount
      if !file.others.isEmpty, mentions.changes[.frontMatter] == nil {
        mentions.changes[.frontMatter] = 1
      }
      changed.add(mentions.changes, in: sketch.path)
      return draft
    } catch {
      // They are not kept for this note; another may still speak of them.
      for index in mentions.files where newFiles.contains(where: { $0.id == files[index]?.id }) {
        files[index] = nil
      }
      throw error
    }
  }

  /// Keeps the files that a text has in itself.
  mutating func embeddedFiles(
    of mentions: Mentions,
    in sketch: ImportSketch
  ) async -> (files: [NewFile], kept: [EmbeddedFile: RichText.Attached]) {
    var files: [NewFile] = []
    var kept: [EmbeddedFile: RichText.Attached] = [:]
    for file in mentions.embedded {
      do {
        let new = try await NewFile(file.data, name: file.name, heldIn: folder)
        files.append(new)
        kept[file] = new.isPicture ? .picture(new.id) : .file(new.id, name: new.name)
      } catch {
        let name = "\(sketch.path): \(file.name)"
        refused.append(.init(name: name, reason: ImportReason.sentence(error)))
      }
    }
    return (files, kept)
  }

  /// Reports parts that became something else.
  mutating func tell(_ changes: [TextChange: Int], in sketch: ImportSketch) {
    changed.add(changes, in: sketch.path)
  }

  private mutating func file(_ index: Int) async -> NewFile? {
    let entry = source.entries[index]
    do {
      let data = try entry.read(Library.fileLimit)
      let new = try await NewFile(
        data,
        name: fileName(index),
        heldIn: folder
      )
      files[index] = (new.id, new.isPicture)
      return new
    } catch {
      lost.insert(index)
      refused.append(.init(name: entry.path, reason: ImportReason.sentence(error)))
      return nil
    }
  }
}

// MARK: - Drafts

extension ImportReader {
  func draft(
    _ sketch: ImportSketch,
    _ file: MarkdownFile,
    picture: UUID?,
    newFiles: [NewFile]
  ) throws -> ImportedDraft {
    var text = file.text
    let title = Self.fitting(title(of: file, sketch, &text), &text)
    let given = status(of: file)
    if !file.others.isEmpty {
      // Lines that a note cannot keep stay to be read.
      let others = RichText.Block.codeBlock(language: "yaml", file.others.joined(separator: "\n"))
      text = RichText([others] + text.blocks)
    }
    try text.checkLimits()
    let date = source.entries[sketch.entry].date
    // Our own exports have all keywords before the text.
    let isTagged = source.isTree && file.id == nil && sketch.format.hasKeywordsInTexts
    let bear = bear[ImportPath.folder(of: sketch.path)]
    let keywords = (file.keywords + (isTagged ? InlineTags.tags(in: text) : []))
      .prefix(Self.mostKeywords)
    let created = file.created ?? bear?.created ?? file.modified ?? date
    return ImportedDraft(
      id: sketch.id,
      title: try Given.title(title),
      status: given ?? (bear?.isArchived ?? false ? .archived : .draft),
      // Words that are not names, or too long for one, keep no note out.
      keywords: keywords.compactMap { try? Given.name($0, of: "keyword") },
      aliases: try Given.aliases(
        Array(file.aliases.filter { $0.utf8.count <= 2_000 }.prefix(50))
      ),
      properties: properties(of: file, hasPicture: picture != nil),
      marks: marks(of: file, at: sketch.path, bear),
      created: created,
      modified: file.modified ?? bear?.modified ?? date,
      folder: sketch.folder,
      text: StoredText(text),
      picture: picture,
      newFiles: newFiles
    )
  }

  /// The marks in the file itself, in the files beside it, and in the facts of other programs.
  private func marks(of file: MarkdownFile, at path: String, _ bear: BearFacts?) -> Set<NoteMark> {
    var marks: Set<NoteMark> = []
    if let own = facts.relative(path) {
      marks = Set(NoteMark.allCases.filter { marked[$0]?.contains(own) ?? false })
    }
    let isFavourite = favourites.contains { root, paths in
      path.hasPrefix(root) && paths.contains(String(path.dropFirst(root.count)))
    }
    if isFavourite { marks.insert(.favourite) }
    if file.isFavourite { marks.insert(.favourite) }
    let isPinned = file.isPinned || bear?.isPinned == true || apple[path]?.isPinned == true
    if isPinned { marks.insert(.pinned) }
    return marks
  }

  private static let mostKeywords = 200

  /// A title that is longer than one may be: its beginning, and all of it in the text.
  private static func fitting(_ title: String, _ text: inout RichText) -> String {
    guard title.utf8.count > 2_000 else { return title }
    let line = RichText.Block.paragraph([.text(title)])
    text = RichText([line] + text.blocks)
    return RichText([line]).excerpt(100)
  }

  private func status(of file: MarkdownFile) -> Status? {
    file.status.flatMap { Status(word: $0.lowercased()) }
  }

  /// The properties of a file, also under names that we know, if they mean nothing here.
  private func properties(of file: MarkdownFile, hasPicture: Bool) -> [NoteProperty] {
    // One that we have written, and that came alone.
    let picture = hasPicture || file.id != nil ? nil : file.picture
    let status = status(of: file) == nil ? file.status : nil
    let others = [("status", status), ("picture", picture)].compactMap { name, text in
      text.map { NoteProperty(name, .text($0)) }
    }
    let known = Set(file.properties.map { $0.name.lowercased() })
    return file.properties + others.filter { !known.contains($0.name) }
  }

  /// The title in the file; then, among others, its name, where links lead; alone, its first heading.
  private func title(
    of file: MarkdownFile,
    _ sketch: ImportSketch,
    _ text: inout RichText
  ) -> String {
    let name = NotePath(sketch.path).name
    guard sketch.format is MarkdownFormat, source.isTree, !NotePath(sketch.path).isBundle else {
      return file.title ?? name
    }
    guard file.hasHeadingAsTitle, let title = file.title else {
      // One of our own files names the title if the note has one.
      return file.title ?? (file.id == nil ? name : "")
    }
    if title.canonical != name.canonical {
      text = RichText([.heading(.one, [.text(title)])] + text.blocks)
    }
    return name
  }
}
