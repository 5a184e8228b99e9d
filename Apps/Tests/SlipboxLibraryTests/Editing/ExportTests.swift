import Archives
import CoreData
import Foundation
import RichText
import Testing

@testable import SlipboxLibrary

private typealias StoredFile = SlipboxLibrary.Attachment

/// Everything goes out, and comes in again as it was.
struct ExportTests {
  /// A note as others see it.
  private struct Seen: Hashable, Sendable {
    let id: UUID
    let title: String
    let folder: [String]
    let keywords: [String]
    let aliases: [String]
    let status: Status
    let isFavourite: Bool
    let created: Int
    let modified: Int
    let text: RichText
    let files: [Data]
    let picture: Data?
    let links: Set<UUID>
    let properties: [NoteProperty]
  }

  private func seen(in library: Library) async throws -> [UUID: Seen] {
    try await library.read { context in
      let notes = try context.fetch(Note.fetch(NotePlace.alive))
      return Dictionary(uniqueKeysWithValues: notes.map { ($0.uuid, Self.seen($0)) })
    }
  }

  private static func seen(_ note: Note) -> Seen {
    var folders: [String] = []
    var place = note.folder
    while let folder = place {
      folders.insert(folder.name, at: 0)
      place = folder.parent
    }
    let text = note.formattedBodyText
    let files = Dictionary(note.files.map { ($0.uuid, $0) }) { first, _ in first }
    var number = 0
    // The same files, whatever they are called in the store.
    let named = text.replacingFiles { id in
      number += 1
      return UUID(
        uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, UInt8(number / 256), UInt8(number % 256))
      )
    }
    return Seen(
      id: note.uuid,
      title: note.title,
      folder: folders,
      keywords: note.keywords.map(\.name).sorted(),
      aliases: note.aliases,
      status: note.status,
      isFavourite: note.isFavorite,
      created: Int((note.creationDate.timeIntervalSince1970 * 1000).rounded()),
      modified: Int((note.modificationDate.timeIntervalSince1970 * 1000).rounded()),
      text: named,
      files: text.files.compactMap { files[$0]?.fullImageData },
      picture: note.attachment?.fullImageData,
      links: Set(note.linkedNotes.map(\.uuid)),
      properties: note.writtenProperties
    )
  }

  @Test(.timeLimit(.minutes(60)))
  func `importing an export gives the same notes`() async throws {
    let box = try Box()
    try await fill(box.library, notes: 1_500, seed: 2026)
    let before = try await seen(in: box.library)
    #expect(before.count == 1_500)
    let archive = try await Archive.everything(in: box.library)
    let other = try Box()
    // Later: dates come from the files.
    other.clock.wait(1_000)
    let report = try await other.library.importNotes(
      try ImportSource(archive: archive),
      into: nil,
      by: nil
    )
    #expect(report.refused.isEmpty && report.notes == 1_500 && report.unused == 0)
    let after = try await seen(in: other.library)
    for (id, note) in before where after[id] != note {
      Issue.record("\(note)\n\(String(describing: after[id]))")
      return
    }
    // And beside those that are there already, with identifiers of their own.
    _ = try await box.library.importNotes(try ImportSource(archive: archive), into: nil, by: nil)
    #expect(try await box.library.overview().places.all == 3_000)
  }

  /// Random notes, whose texts Markdown can express.
  private func fill(_ library: Library, notes count: Int, seed: UInt64) async throws {
    var random = SeededNumbers(seed)
    let ids = (0..<count).map { _ in UUID() }
    let seeds = (0..<count).map { _ in random.next() }
    try await library.write(by: nil) { context in
      let folders = Self.folders(in: context)
      let keywords = ["reading", "to do", "a, b", "#1", "C++"].map {
        Keyword(name: $0, context: context)
      }
      let files = (0..<20).map { Self.file($0, in: context) }
      for (index, id) in ids.enumerated() {
        let note = Note(context: context)
        note.uuid_ = id
        var random = SeededNumbers(seeds[index])
        var writer = RandomWriter(&random, notes: ids, files: files.map(\.uuid))
        note.folder = folders.randomElement(using: &random) ?? nil
        note.keywords = Set(keywords.filter { _ in Int.random(in: 0..<4, using: &random) == 0 })
        note.isFavorite = Bool.random(using: &random)
        note.status = Status.allCases.randomElement(using: &random) ?? .draft
        if Int.random(in: 0..<9, using: &random) == 0 {
          note.aliases = ["Alias \(index)", "\"b\", c"]
        }
        let modified = Date(timeIntervalSince1970: 1_600_000_000 + Double(index) * 61.5)
        try note.rewrite(title: writer.title(), text: writer.text(), at: modified)
        note.creationDate = modified - 12_345.25
        if index.isMultiple(of: 50) {
          note.attachment = StoredFile(image: Archive.picture, context: context)
        }
        note.attachment?.type_ = "image/png"
        note.attachment?.name_ = "Own.png"
      }
      try context.save()
      // All notes are there: now the links lead somewhere.
      let notes = try context.fetch(Note.fetch())
      let titles = notes.filter { !$0.title.isEmpty }.map { ($0.uuid, $0.title) }
      for (index, note) in notes.enumerated() {
        var random = SeededNumbers(seeds[index])
        let named = titles.filter { $0.0 != note.uuid }
        try note.takeProperties(RandomProperties.some(&random, named), in: context)
        var wanted = note.formattedBodyText.links + note.linksOfProperties
        // One that the text does not speak of.
        if index.isMultiple(of: 7) { wanted.append(ids[index * 31 % count]) }
        let others = wanted.filter { $0 != note.uuid }
        let request = Note.fetch(NSPredicate(format: "uuid_ IN %@", others))
        note.linkedNotes = Set(try context.fetch(request))
      }
    }
  }

  @Test func `links beside the text were lost with an export`() async throws {
    let box = try Box()
    let (seeds, soil) = (try await box.note("Seeds"), try await box.note("Soil"))
    let gone = try await box.note("In the trash")
    var edit = NoteEdit()
    edit.base = seeds.revision
    edit.addLinks = [try soil.id.uuid, try gone.id.uuid]
    _ = try await box.library.edit(seeds.id.uuid, edit, by: nil)
    _ = try await box.library.trash([gone.id.uuid], by: nil)
    let archive = try await Archive.everything(in: box.library)
    let other = try Box()
    _ = try await other.library.importNotes(try ImportSource(archive: archive), into: nil, by: nil)
    let links = try await other.library.note(seeds.id.uuid).links
    #expect(links.map(\.title) == ["Soil"])
    #expect(try await other.library.note(soil.id.uuid).links.isEmpty)
  }

  private static func folders(in context: NSManagedObjectContext) -> [Folder?] {
    let outer = ["Reading", "a/b: c", "Über"].map { Folder(name: $0, context: context) }
    let inner = Folder(name: "Slow", context: context)
    inner.parent = outer[0]
    // Characters that no file system takes are written another way.
    outer[1].name = "a-b- c"
    return outer + [inner, nil]
  }

  private static func file(_ number: Int, in context: NSManagedObjectContext) -> StoredFile {
    let isPicture = number.isMultiple(of: 2)
    let data = isPicture ? Archive.picture : Data("file \(number)".utf8)
    let file = StoredFile(image: data, context: context)
    file.uuid_ = UUID()
    file.name_ = isPicture ? "Tree [\(number / 4)].png" : "Letter, \(number).pdf"
    file.type_ = isPicture ? "image/png" : "application/octet-stream"
    file.pixelWidth = isPicture ? 1 : 0
    return file
  }

  @Test func `a note with pictures leaves as Markdown and its pictures`() async throws {
    let box = try Box()
    let note = try await box.note("Trees")
    let file = try await box.library.addFile(
      Archive.picture,
      name: "tree.png",
      to: note.id.uuid,
      by: nil
    )
    let picture = RichText.Picture(file: try file.id.uuid, caption: "A tree", width: 300)
    var edit = NoteEdit()
    edit.base = note.revision
    edit.document = JSONValue(text: RichText([.paragraph([.text("See")]), .picture(picture)]).json)
    let edited = try await box.library.edit(note.id.uuid, edit, by: nil).note
    #expect(edited.files == [file])
    let exported = try await box.library.export(note.id.uuid, as: .markdown)
    #expect(exported.name == "Trees.zip")
    let archive = try ZipReader(exported.data)
    #expect(archive.entries.map(\.path) == ["Trees.md", "files/tree.png"])
    let markdown = String(
      decoding: try archive.read(archive.entries[0], limit: 1 << 20),
      as: UTF8.self
    )
    #expect(markdown.hasSuffix("See\n\n![A tree|300](files/tree.png)\n"))
    #expect(try archive.read(archive.entries[1], limit: 1 << 20) == Archive.picture)
    let page = try await box.library.export(note.id.uuid, as: .html)
    #expect(String(decoding: page.data, as: UTF8.self).contains("<figcaption>A tree</figcaption>"))
  }

  @Test func `a picture that was taken out of a note left with it`() async throws {
    let box = try Box()
    let note = try await box.note("Trees")
    var ids: [UUID] = []
    for name in ["tree.png", "private.png"] {
      let bytes = Archive.picture
      let file = try await box.library.addFile(bytes, name: name, to: note.id.uuid, by: nil)
      ids.append(try file.id.uuid)
    }
    var base = note.revision
    for shown in [ids, Array(ids.prefix(1))] {
      var edit = NoteEdit()
      edit.base = base
      let pictures = shown.map { RichText.Block.picture(RichText.Picture(file: $0)) }
      edit.document = JSONValue(text: RichText([.paragraph([.text("See")])] + pictures).json)
      base = try await box.library.edit(note.id.uuid, edit, by: nil).note.revision
    }
    let one = try ZipReader(try await box.library.export(note.id.uuid, as: .markdown).data)
    #expect(one.entries.map(\.path) == ["Trees.md", "files/tree.png"])
  }

  @Test func `files with long names lost their endings, and some titles were too long for names`()
    async throws
  {
    let box = try Box()
    let note = try await box.note(String(repeating: "क्षि", count: 90))
    let words = String(repeating: "Prospect theory, ", count: 6)
    let file = try await box.library.addFile(
      Data("%PDF-1.7".utf8),
      name: words + "1979.pdf",
      to: note.id.uuid,
      by: nil
    )
    var edit = NoteEdit()
    edit.base = note.revision
    let text = RichText([.file(.init(file: try file.id.uuid, name: file.name))])
    edit.document = JSONValue(text: text.json)
    _ = try await box.library.edit(note.id.uuid, edit, by: nil)
    let archive = try ZipReader(try await Archive.everything(in: box.library))
    let paths = archive.entries.map(\.path)
    #expect(paths.contains { $0.hasPrefix("files/Prospect theory, ") && $0.hasSuffix(".pdf") })
    #expect(paths.contains { $0.hasPrefix("क्षि") && $0.hasSuffix(".md") })
    #expect(paths.allSatisfy { ImportPath.name(of: $0).utf8.count <= 255 })
  }

  @Test(arguments: [
    ("Name\tValue", "Name-Value"), ("red \u{1B}[31m", "red --31m"), ("Con", "Con-"),
    ("aux.plan", "aux-.plan"), ("COM1", "COM1-"), ("Contents", "Contents"), ("com", "com"),
  ])
  func `archives had names that no file can have on Windows`(title: String, name: String) {
    #expect(FileName.of(title, else: "Note") == name)
  }

  @Test func `a folder beside another that differs by an accent came back with a number`()
    async throws
  {
    let box = try Box()
    for name in ["Bar", "Bär"] {
      let folder = try await box.library.makeFolder(id: UUID(), name: name, parent: nil, by: nil)
      _ = try await box.note("In \(name)", in: try folder.id.uuid)
    }
    let archive = try await Archive.everything(in: box.library)
    let other = try Box()
    // The second time into the folders that are there.
    for _ in 1...2 {
      let source = try ImportSource(archive: archive)
      _ = try await other.library.importNotes(source, into: nil, by: nil)
    }
    let places = try await other.library.read { context in
      try context.fetch(Note.fetch(NotePlace.alive)).map { "\($0.folder?.name ?? ""): \($0.title)" }
    }
    #expect(places.sorted() == ["Bar: In Bar", "Bar: In Bar", "Bär: In Bär", "Bär: In Bär"])
  }

  @Test func `files that no note has any more go, and those of versions stay`() async throws {
    let box = try Box()
    let note = try await box.note("Trees")
    let file = try await box.library.addFile(
      Data("a".utf8),
      name: "a.txt",
      to: note.id.uuid,
      by: nil
    )
    try await box.library.purge()
    _ = try await box.library.readFile(file.id.uuid) { try $1() }
    _ = try await box.library.trash([note.id.uuid], by: nil)
    _ = try await box.library.emptyTrash(by: nil)
    box.clock.wait(7_200)
    try await box.library.purge()
    await #expect(throws: LibraryProblem.self) {
      _ = try await box.library.readFile(file.id.uuid) { try $1() }
    }
  }

  private func link(_ words: String, _ note: NoteContent) throws -> RichText.Block {
    .paragraph([.text(words, RichText.Marks([], link: .note(try note.id.uuid)))])
  }

  @Test func `a link to C#, or to one of two notes of a title, was copied as an identifier`()
    async throws
  {
    let box = try Box()
    let sharp = try await box.note("C#")
    var meetings: [NoteContent] = []
    for name in ["Home", "Work"] {
      box.clock.wait(1)
      let folder = try await box.library.makeFolder(id: UUID(), name: name, parent: nil, by: nil)
      meetings.append(try await box.note("Meeting", in: try folder.id.uuid))
    }
    let text = RichText([
      try link("C#", sharp), try link("Meeting", meetings[0]), try link("Monday", meetings[1]),
    ])
    let markdown = try await box.library.markdown(document: JSONValue(text: text.json))
    #expect(markdown == "[[C-|C#]]\n\n[[Meeting]]\n\n[[Work/Meeting|Monday]]\n")
    let document = try await box.library.document(markdown: markdown)
    #expect(try RichText(document: document) == text)
  }

  @Test func `some notes of the list were exported with identifiers for all others`() async throws {
    let box = try Box()
    let (slots, faults) = (try await box.note("Slots"), try await box.note("Faults"))
    box.clock.wait(1)
    let twin = try await box.note("faults")
    var new = NewNote(title: "Links", folder: nil)
    let text = RichText([
      try link("Slots", slots), try link("so", slots), try link("Faults", faults),
      try link("faults", twin),
    ])
    new.document = JSONValue(text: text.json)
    let note = try await box.library.make(new, by: "test").note
    let chosen = [try note.id.uuid, try twin.id.uuid]
    let data = try await Archive.exported { try await box.library.export(chosen, to: $0) }
    let archive = try ZipReader(data)
    let entry = try #require(archive.entries.first { $0.path == "Links.md" })
    let markdown = String(decoding: try archive.read(entry, limit: 1 << 20), as: UTF8.self)
    // In the archive “Faults” is the other one.
    #expect(
      markdown.hasSuffix(
        "\n\n[[Slots]]\n\n[[Slots|so]]\n\n[[Faults|\(faults.id)]]\n\n[[faults]]\n"
      )
    )
  }

  @Test func `a note is found by its other names`() async throws {
    let box = try Box()
    let note = try await box.note("Slip boxes")
    var edit = NoteEdit()
    edit.aliases = ["Zettelkasten", " zettelkästen ", ""]
    let edited = try await box.library.edit(note.id.uuid, edit, by: nil)
    #expect(edited.note.aliases == ["Zettelkasten"])
    let document = try await box.library.document(markdown: "See [[ZETTELKASTEN]]\nand **this**")
    let text = try RichText(document: document)
    #expect(text.links == [try note.id.uuid])
    #expect(
      try await box.library.markdown(document: document)
        == "See [[Slip boxes|ZETTELKASTEN]]\\\nand **this**\n"
    )
    _ = try await box.library.undo(try #require(edited.undo), by: nil)
    #expect(try await box.library.note(note.id.uuid).aliases.isEmpty)
  }
}

/// Writes texts that Markdown can say without a loss.
struct RandomWriter {
  private var random: SeededNumbers
  private let notes: [UUID]
  private let files: [UUID]

  init(_ random: inout SeededNumbers, notes: [UUID], files: [UUID]) {
    self.random = SeededNumbers(random.next())
    self.notes = notes
    self.files = files
  }

  mutating func title() -> String {
    let words = ["Slots", "Faults: why?", "a/b", "Übung", "[x]", "C#", "“So”", "."]
    let title = (0..<Int.random(in: 0...2, using: &random))
      .map { _ in words.randomElement(using: &random) ?? "" }
    return title.joined(separator: " ")
  }

  mutating func text() -> RichText {
    let text = RichText((0..<Int.random(in: 1...5, using: &random)).map { _ in block() })
    // The text as Markdown gives it: everything that can be expressed then has been.
    return RichText(markdown: text.markdown)
  }

  private mutating func block() -> RichText.Block {
    switch Int.random(in: 0..<12, using: &random) {
    case 10:
      .callout(
        .init(
          kind: "tip",
          fold: [nil, .open, .closed].randomElement(using: &random) ?? nil,
          title: line(),
          [block()]
        )
      )
    case 11: .footnote(label: label(), [.paragraph(line()), block()])
    case 0: .heading(.two, line())
    case 1: .bulletList([.init([.paragraph(line())]), .init([.paragraph(line()), block()])])
    case 2: .taskList([.init(isDone: Bool.random(using: &random), [.paragraph(line())])])
    case 3: .blockquote([.paragraph(line()), block()])
    case 4: .codeBlock(language: "swift", "let a = [[1]]\n#no tag")
    case 5:
      .table(
        .init(
          hasHeader: true,
          alignments: [nil, .right],
          rows: [[line(), line()], [line(), line()]]
        )
      )
    case 6: .picture(.init(file: file(isPicture: true), caption: "A | [tree]", width: 320))
    case 7: .file(.init(file: file(isPicture: false), name: "A letter"))
    default: .paragraph(line())
    }
  }

  private mutating func file(isPicture: Bool) -> UUID {
    let numbers = files.indices.filter { $0.isMultiple(of: 2) == isPicture }
    return files[numbers.randomElement(using: &random) ?? 0]
  }

  private mutating func label() -> String {
    ["1", "2", "smith-2020"].randomElement(using: &random) ?? "1"
  }

  private mutating func line() -> [RichText.Inline] {
    (0..<Int.random(in: 1...4, using: &random)).map { _ in
      switch Int.random(in: 0..<9, using: &random) {
      case 8: .footnoteMark(label())
      case 0: .hardBreak
      case 1:
        .text(
          "words",
          RichText.Marks([], link: .note(notes.randomElement(using: &random) ?? notes[0]))
        )
      case 2: .text("web", RichText.Marks([.bold], link: RichText.Link("https://a.b/(c)")))
      case 3: .text("code | x", RichText.Marks([.code]))
      case 4: .text("*stars* _and_ [[brackets]] # 1. | <br> \\ ")
      default:
        .text(
          " some words ",
          RichText.Marks(RichText.Styles(rawValue: random.next().isMultiple(of: 2) ? 1 : 2))
        )
      }
    }
  }
}

/// Tests of the facts of an archive beside its texts.
struct ArchiveFactTests {
  @Test func `colours, empty folders, pins and templates come back from an export`() async throws {
    let box = try Box()
    let outer = try await box.library.makeFolder(id: UUID(), name: "Outer", parent: nil, by: nil)
    _ = try await box.library.makeFolder(
      id: UUID(),
      name: "Empty",
      parent: try outer.id.uuid,
      by: nil
    )
    let note = try await box.note("Note", "x", in: try outer.id.uuid)
    var edit = NoteEdit()
    edit.addKeywords = [KeywordChoice(name: "red", color: "#ff0000")]
    (edit.pinned, edit.template) = (true, true)
    _ = try await box.library.edit(try note.id.uuid, edit, by: nil)
    let other = try Box()
    let source = try ImportSource(archive: try await Archive.everything(in: box.library))
    let report = try await other.library.importNotes(source, into: nil, by: nil)
    #expect(report.refused.isEmpty && report.unused == 0)
    let overview = try await other.library.overview()
    #expect(Set(overview.folders.map(\.name)) == ["Outer", "Empty"])
    #expect(overview.keywords.top.map(\.color) == ["#ff0000"])
    let back = try await other.library.note(try #require(report.first).uuid)
    #expect(back.pinned && back.template)
    let undo = try #require(report.undo)
    _ = try await other.library.undo(undo, by: nil)
    #expect(try await other.library.overview().folders.isEmpty)
  }
}
