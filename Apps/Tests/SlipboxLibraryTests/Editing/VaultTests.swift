import Archives
import CoreData
import Foundation
import RichText
import Synchronization
import Testing

@testable import SlipboxLibrary

/// What other programs have written comes in as it was.
struct VaultTests {
  private func text(_ box: Box, _ title: String) async throws -> RichText {
    try await box.library.read { try Self.note(title, in: $0).formattedBodyText }
  }

  private static func note(_ title: String, in context: NSManagedObjectContext) throws -> Note {
    try #require(
      try context.fetch(
        Note.fetch(NSPredicate(format: "title_ == %@ AND trashedDate_ == nil", title))
      ).first
    )
  }

  @Test func `folders came in the order in which an archive had them`() async throws {
    let box = try Box()
    let source = try Archive.of([
      "V/Templates/a.md": "a", "V/Part 10/b.md": "b", "V/Part 9/c.md": "c", "V/ideas/d.md": "d",
    ])
    _ = try await box.library.importNotes(source, into: nil, by: nil)
    let folders = try await box.library.overview().folders.filter { $0.parent != nil }
    #expect(
      folders.sorted { $0.order < $1.order }.map(\.name)
        == ["ideas", "Part 9", "Part 10", "Templates"]
    )
  }

  @Test func `a vault of Obsidian comes in with all that is in it`() async throws {
    let box = try Box()
    let source = try Archive.of([
      ("Vault/.obsidian/app.json", Data("{}".utf8)),
      (
        "Vault/.obsidian/bookmarks.json",
        Data(#"{"items":[{"type":"file","path":"Reading/Slots.md"}]}"#.utf8)
      ),
      (
        "Vault/Start.md",
        Data(
          """
          ---
          aliases: [Home, "The beginning"]
          tags: [index]
          created: 2021-03-04T05:06:07Z
          author: Somebody
          ---
          See [[Slots]], [[Reading/Slots|those]], [[Slots#Size]] and [[Nowhere]].
          A second line, [by path](Reading/Slots.md) #on/the-way

          ![[tree.png|300]]

          | a | b |
          |---|---|
          | 1 | [[Slots\\|x]] |

          ![[Paper.pdf]]
          """.utf8
        )
      ),
      ("Vault/Reading/Slots.md", Data("# Slots\n\nBack to [[The Beginning]].".utf8)),
      ("Vault/files/tree.png", Archive.picture), ("Vault/files/Paper.pdf", Data("%PDF-1.7".utf8)),
      ("Vault/unused.bin", Data("x".utf8)),
    ])
    let report = try await box.library.importNotes(source, into: nil, by: nil)
    #expect(report.refused.isEmpty)
    #expect((report.notes, report.folders, report.files, report.unused) == (2, 2, 2, 1))
    try await box.library.read { context in
      let start = try Self.note("Start", in: context)
      let slots = try Self.note("Slots", in: context)
      #expect(start.folder?.name == "Vault" && slots.folder?.name == "Reading")
      #expect(slots.folder?.parent?.name == "Vault")
      #expect(start.aliases == ["Home", "The beginning"])
      #expect(start.keywords.map(\.name).sorted() == ["index", "on/the-way"])
      #expect(start.creationDate == Date(timeIntervalSince1970: 1_614_834_367))
      #expect(slots.isFavorite && !start.isFavorite)
      #expect(start.linkedNotes == [slots] && slots.linkedNotes == [start])
      #expect(start.files.map(\.name).sorted() == ["Paper.pdf", "tree.png"])
      // The heading that says the title again is not in the text.
      #expect(slots.formattedBodyText.plainText == "Back to The Beginning.")
    }
    let id = try await box.library.read { try Self.note("Slots", in: $0).uuid }
    let text = try await text(box, "Start")
    let link = RichText.Marks([], link: .note(id))
    #expect(text.blocks.first == .codeBlock(language: "yaml", "author: Somebody"))
    #expect(
      text.blocks.dropFirst().first
        == .paragraph([
          .text("See "), .text("Slots", link), .text(", "), .text("those", link), .text(", "),
          .text("Slots#Size", RichText.Marks([], link: .heading(id, "Size"))),
          .text(" and [[Nowhere]]."), .hardBreak,
          .text("A second line, "), .text("by path", link), .text(" #on/the-way"),
        ])
    )
    guard case .picture(let picture) = text.blocks[2], case .table(let table) = text.blocks[3],
      case .file(let file) = text.blocks[4]
    else {
      Issue.record("\(text.blocks)")
      return
    }
    #expect(picture.width == 300 && file.name == "Paper.pdf")
    #expect(table.rows[1] == [[.text("1")], [.text("x", link)]])
    let content = try await box.library.readFile(picture.file) { $0.data }
    #expect(content == Archive.picture)
  }

  @Test func `an import is undone as a whole, and done again`() async throws {
    let box = try Box()
    let old = try await box.note("Old")
    let source = try Archive.of(["A/One.md": "#new [[Old]]", "A/B/Two.md": "[[One]]"])
    let report = try await box.library.importNotes(source, into: nil, by: nil)
    let undo = try #require(report.undo)
    #expect(try await box.library.overview().places.all == 3)
    let redo = try await box.library.undo(undo, by: nil)
    var overview = try await box.library.overview()
    #expect(overview.places.all == 1 && overview.places.trash == 0)
    #expect(overview.folders.isEmpty && overview.keywords.total == 0)
    #expect(try await box.library.note(old.id.uuid).backlinks.isEmpty)
    _ = try await box.library.undo(redo, by: nil)
    overview = try await box.library.overview()
    #expect(overview.places.all == 3 && overview.folders.count == 2 && overview.keywords.total == 1)
    #expect(try await box.library.note(old.id.uuid).backlinks.map(\.title) == ["One"])
  }

  @Test func `links of others to an import wait again when it is undone`()
    async throws
  {
    let box = try Box()
    let mine = try await box.note("Mine", "See [[Slots]], [[Slots|those]] and [[Slots#Size]].")
    let source = try Archive.of([("Slots.md", Data("Places".utf8))])
    let report = try await box.library.importNotes(source, into: nil, by: nil)
    let words = "See Slots, those and Slots#Size."
    let id = try mine.id.uuid
    #expect(try await text(box, "Mine").plainText == words)
    #expect(try await box.library.note(id).dead == [])
    let undo = try #require(report.undo)
    let redo = try await box.library.undo(undo, by: nil)
    #expect(
      try await text(box, "Mine").plainText
        == "See [[Slots]], [[Slots|those]] and [[Slots#Size]]."
    )
    #expect(try await text(box, "Mine").links == [])
    _ = try await box.library.undo(redo, by: nil)
    #expect(try await text(box, "Mine").plainText == words)
    #expect(try await text(box, "Mine").links.count == 1)
  }

  @Test func `an import that was edited since is not undone`() async throws {
    let box = try Box()
    let report = try await box.library.importNotes(
      try Archive.of(["One.md": "a"]),
      into: nil,
      by: nil
    )
    let id = try #require(report.first).uuid
    box.clock.wait(10)
    var edit = NoteEdit()
    (edit.base, edit.title) = (try await box.library.note(id).revision, "Mine")
    _ = try await box.library.edit(id, edit, by: nil)
    let undo = try #require(report.undo)
    await #expect(throws: LibraryProblem.self) { _ = try await box.library.undo(undo, by: nil) }
    #expect(try await box.library.note(id).title == "Mine")
  }

  @Test func `a file of Evernote comes in with its pictures, tags, dates and tasks`() async throws {
    let box = try Box()
    let picture = Archive.picture
    let enex = """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE en-export SYSTEM "http://xml.evernote.com/pub/evernote-export4.dtd">
      <en-export><note><title>Trip &amp; more</title><content><![CDATA[<?xml version="1.0"?>
      <en-note><div>One</div><div>two</div><div><br/></div><div><en-todo checked="true"/>packed</div>
      <en-media type="image/png" hash="\(MD5.text(of: picture))"/></en-note>]]></content>
      <created>20210304T050607Z</created><updated>20220304T050607Z</updated><tag>travel</tag>
      <note-attributes><source-url>https://example.org/</source-url></note-attributes>
      <resource><data encoding="base64">\(picture.base64EncodedString(options: .lineLength64Characters))</data>
      <mime>image/png</mime><resource-attributes><file-name>tree.png</file-name></resource-attributes></resource>
      </note><note><title>Second</title><content><![CDATA[<en-note>b</en-note>]]></content></note></en-export>
      """
    let file = ImportedFile(name: "My notes.enex", data: Data(enex.utf8))
    let report = try await box.library.importNotes(ImportSource([file]), into: nil, by: nil)
    #expect(report.refused.isEmpty)
    #expect((report.notes, report.files) == (2, 1))
    try await box.library.read { context in
      let note = try Self.note("Trip & more", in: context)
      #expect(note.keywords.map(\.name) == ["travel"])
      #expect(note.creationDate == Date(timeIntervalSince1970: 1_614_834_367))
      #expect(note.modificationDate == Date(timeIntervalSince1970: 1_646_370_367))
      #expect(note.files.map(\.name) == ["tree.png"])
      let text = note.formattedBodyText
      #expect(text.blocks.first == .paragraph([.text("One"), .hardBreak, .text("two")]))
      #expect(text.blocks[1] == .taskList([.init(isDone: true, [.paragraph([.text("packed")])])]))
      #expect(text.plainText.hasSuffix("https://example.org/"))
    }
  }

  @Test(arguments: [
    ("", "d41d8cd98f00b204e9800998ecf8427e"), ("abc", "900150983cd24fb0d6963f7d28e17f72"),
    (
      String(repeating: "1234567890", count: 8), "57edf4a22be3c955ac49da2e2107b67a"
    ),
  ])
  func `pictures of Evernote are named by numbers that others count the same`(
    words: String,
    number: String
  ) {
    #expect(MD5.text(of: Data(words.utf8)) == number)
  }

  @Test func `bundles and pages come in too`() async throws {
    let box = try Box()
    let source = try Archive.of([
      ("Export/Walk.textbundle/text.md", Data("# A walk\n\n![](assets/tree.png)\n#bear".utf8)),
      ("Export/Walk.textbundle/assets/tree.png", Archive.picture),
      ("Export/Walk.textbundle/info.json", Data("{}".utf8)),
      (
        "Page.html",
        Data(
          "<title>A page</title><h1>A page</h1><p>Caf\u{E9}<br>b<table><tr><td>1<td>2</table>".utf8
        )
      ),
      ("old.html", Data([0x3C, 0x70, 0x3E, 0xE9])),
      ("plain.txt", Data("one\ntwo".utf8)),
    ])
    let report = try await box.library.importNotes(source, into: nil, by: nil)
    #expect(report.refused.isEmpty && report.notes == 4 && report.files == 1)
    #expect(try await text(box, "A walk").files.count == 1)
    #expect(try await text(box, "A page").plainText == "Café\nb\n1\t2")
    #expect(try await text(box, "old").plainText == "é")
    #expect(try await text(box, "plain").plainText == "one\ntwo")
  }

  @Test func `notes of Bear lost their dates and pins, and those in the trash came back`()
    async throws
  {
    func facts(_ more: String) -> Data {
      Data(
        """
        {"version": 2, "net.shinyfrog.bear": {"creationDate": "2023-05-01T10:00:00Z",
        "modificationDate": "2023-06-01T10:00:00Z", \(more)}}
        """.utf8
      )
    }
    let box = try Box()
    let source = try Archive.of([
      (
        "Bear/Walk.textbundle/text.md",
        Data(
          """
          # A walk
          #travel/italy# #to read# #food and #drink, `#no way#` #1 see [[Gone]] in #C and C++#
          ::Bring:: a std::pair::first ![](assets/tree.png)<!-- {"width":300} -->
          """.utf8
        )
      ),
      ("Bear/Walk.textbundle/assets/tree.png", Archive.picture),
      ("Bear/Walk.textbundle/info.json", facts(#""pinned": 1, "archived": 0, "trashed": 0"#)),
      ("Bear/Old.textbundle/text.md", Data("# Old\nwords".utf8)),
      ("Bear/Old.textbundle/info.json", facts(#""pinned": 0, "archived": 1, "trashed": 0"#)),
      ("Bear/Gone.textbundle/text.md", Data("# Gone\nwords".utf8)),
      ("Bear/Gone.textbundle/info.json", facts(#""pinned": 0, "archived": 0, "trashed": 1"#)),
    ])
    let report = try await box.library.importNotes(source, into: nil, by: nil)
    #expect(report.notes == 2)
    #expect(report.refused.map(\.name) == ["Bear/Gone.textbundle/text.md"])
    let rows = try await box.library.notes(NoteQuery(sorting: .titleAscending)).rows
    #expect(Set(rows.map(\.title)) == ["A walk", "Old"])
    let walk = try await box.library.note(try #require(rows.first { $0.title == "A walk" }).id.uuid)
    #expect(walk.pinned && walk.created == Date(timeIntervalSince1970: 1_682_935_200))
    #expect(
      walk.keywords.map(\.name).sorted() == ["C", "drink", "food", "to read", "travel/italy"]
    )
    let words = try await text(box, "A walk")
    #expect(words.markdown.contains("==Bring== a std::pair::first\n\n![|300]("))
    #expect(rows.first { $0.title == "Old" }?.status == "archived")
  }

  @Test func `tasks, links to other notes and notebooks of Evernote were lost`() async throws {
    let box = try Box()
    func note(_ title: String, _ content: String, _ more: String = "") -> String {
      "<note><title>\(title)</title><content><![CDATA[<en-note>\(content)</en-note>]]></content>"
        + "\(more)</note>"
    }
    func task(_ title: String, _ status: String, _ group: String, _ weight: String) -> String {
      """
      <task><title>\(title)</title><taskStatus>\(status)</taskStatus><sortWeight>\(weight)</sortWeight>
      <noteLevelID>n</noteLevelID><taskGroupNoteLevelID>\(group)</taskGroupNoteLevelID>
      <dueDate>20210622T220000Z</dueDate><timeZone>Europe/Berlin</timeZone></task>
      """
    }
    let enex =
      "<en-export>"
      + note(
        "Plan",
        """
        <div>See <a href="evernote:///view/1/s1/2/2/">Garden</a> and <a href="evernote:///view/3/">Later</a>.</div>
        <div style="--en-task-group:true; --en-id:A-1;"> </div>
        <div style="--en-codeblock:true;--en-syntaxLanguage:swift;"><div>let a</div><div>&nbsp;&nbsp;b</div></div>
        <div><en-crypt hint="the usual">AbCd==</en-crypt></div>
        """,
        task("Second", "open", "A-1", "C") + task("First", "completed", "A-1", "B")
          + task("Elsewhere", "open", "gone", "A")
      ) + note("Garden", "beds") + "</en-export>"
    let files: [(path: String, data: Data)] = [
      ("Home.enex", Data(enex.utf8)),
      ("Work.enex", Data("<en-export>\(note("Desk", "x"))</en-export>".utf8)),
    ]
    let report = try await box.library.importNotes(try Archive.of(files), into: nil, by: nil)
    #expect(report.notes == 3 && report.folders == 2)
    #expect(report.refused.map(\.name) == ["Plan"])
    #expect(try await box.library.overview().folders.map(\.name).sorted() == ["Home", "Work"])
    let garden = try await box.library.read { try Self.note("Garden", in: $0).uuid }
    #expect(try await text(box, "Plan").links == [garden])
    #expect(
      try await text(box, "Plan").markdown { _ in "Garden" } == """
        See [[Garden]] and [[Later]].

        - [x] First (due 2021-06-23)
        - [ ] Second (due 2021-06-23)

        ```swift
        let a
          b
        ```

        _\\[Encrypted in Evernote; hint: the usual\\]_

        - [ ] Elsewhere (due 2021-06-23)

        """
    )
  }

  @Test func `a copy of Apple's Notes lost pictures, dates, lists and folders`() async throws {
    let box = try Box()
    let walk = """
      A walk

      Along the river,
      early.
      \t\u{25E6}\tPack the bag
      \t\u{2713}\tCall Ada #trips
      \u{FFFC}
      * Oak
      - Elm
      1. One

      \u{FFFC}
      """
    let list = #"""
      Title, Created On, Modified On, Pinned, Deleted, Drawing/Handwriting, ContentHash at Import
      A walk,03-04-2021 05:06:07,03-04-2022 05:06:07,Yes,No,No,
      "Old, ""gone""",03-04-2021 05:06:07,03-04-2022 05:06:07,No,Yes,No,
      """#
    let source = try Archive.of([
      ("iCloud Notes/Notes/Work/A walk/A walk.txt", Data(walk.utf8)),
      ("iCloud Notes/Notes/Work/A walk/Attachment.png", Archive.picture),
      ("iCloud Notes/Notes/Work/A walk/Attachment-1.pdf", Data("%PDF-1.7".utf8)),
      ("iCloud Notes/Notes/Old/Old.txt", Data("Old, \"gone\"\nx".utf8)),
      ("iCloud Notes/Recently Deleted/Bin/Bin.txt", Data("Bin\nx".utf8)),
      ("iCloud Notes/Notes/Long/Long.txt", Data(String(repeating: "word ", count: 500).utf8)),
      ("iCloud Notes/Notes Details.csv", Data(list.utf8)),
    ])
    let report = try await box.library.importNotes(source, into: nil, by: nil)
    #expect((report.notes, report.folders, report.files, report.unused) == (2, 1, 2, 0))
    #expect(
      report.refused.map(\.reason) == ["It was deleted in Notes.", "It was deleted in Notes."]
    )
    try await box.library.read { context in
      let note = try Self.note("A walk", in: context)
      #expect(note.folder?.name == "Work" && note.folder?.parent == nil && note.isPinned)
      #expect(note.creationDate == Date(timeIntervalSince1970: 1_614_834_367))
      #expect(note.modificationDate == Date(timeIntervalSince1970: 1_646_370_367))
      #expect(note.keywords.map(\.name) == ["trips"])
      let text = note.formattedBodyText
      #expect(
        text.markdown(with: MarkdownNames(pathOf: { _ in "file" })) == """
          Along the river,\\
          early.

          - [ ] Pack the bag
          - [x] Call Ada #trips

          ![](file)

          - Oak
          - Elm

          1. One

          [Attachment-1.pdf](file)

          """
      )
    }
    let rows = try await box.library.notes(NoteQuery(sorting: .titleAscending)).rows
    #expect(rows.count == 2 && rows[1].title.hasSuffix("word…"))
  }

  @Test func `packed notes beside each other came in as nothing`() async throws {
    func pack(_ files: [(path: String, data: Data)]) throws -> Data {
      try Archive.written { archive in
        for file in files { try archive.add(file.path, file.data, date: Date()) }
      }
    }
    let walk = try pack([
      ("Walk.textbundle/text.txt", Data("# Walk\n**far**".utf8)),
      ("Walk.textbundle/assets/more.md", Data("# No note".utf8)),
      ("Walk.textbundle/info.json", Data("{}".utf8)),
    ])
    let flat = try pack([("text.md", Data("# Flat".utf8))])
    let backup = try pack([("Old.textbundle/text.md", Data("# Old".utf8))])
    let box = try Box()
    let source = try Archive.of([
      ("Walk.textpack", walk), ("Again.bear", walk), ("Flat.textpack", flat),
      ("Backup.bear2bk", backup), ("Broken.textpack", Data("PK".utf8)),
      ("Files/kept.zip", backup), ("Note.md", Data("[zip](Files/kept.zip)".utf8)),
    ])
    let report = try await box.library.importNotes(source, into: nil, by: nil)
    #expect(report.notes == 5 && report.files == 1)
    #expect(report.refused.map(\.name) == ["Broken.textpack"])
    #expect(try await text(box, "Walk").plainText == "far")
    #expect(try await box.library.overview().folders.map(\.name) == ["Backup"])
    // Several archives that were chosen at once.
    let both = try Archive.of([("A.zip", backup), ("B.zip", backup)])
    let more = try await box.library.importNotes(both, into: nil, by: nil)
    #expect(more.notes == 2 && more.folders == 2)
  }

  @Test func `one long title or keyword kept a note out, and texts of older systems too`()
    async throws
  {
    let box = try Box()
    let long = String(repeating: "long ", count: 1_000)
    let source = try Archive.of([
      ("a.md", Data("---\ntags: [\(long), short]\nstatus: thinking\n---\nText".utf8)),
      ("b.html", Data("<meta name=keywords content='one, ,two'><p>Text".utf8)),
      ("c.txt", Data([0x63, 0x61, 0x66, 0xE9])),
      ("d.md", Data("---\ntitle: \(long)\n---\n#🐻 #3b5ba9 and #two 🐾#".utf8)),
    ])
    let report = try await box.library.importNotes(source, into: nil, by: nil)
    #expect(report.refused.isEmpty && report.notes == 4)
    #expect(try await text(box, "a").plainText == "status: thinking\nText")
    #expect(try await text(box, "c").plainText == "café")
    let keywords = try await box.library.read { context in
      try context.fetch(Note.fetch(NotePlace.alive)).flatMap { $0.keywords.map(\.name) }
    }
    #expect(Set(keywords) == ["short", "one", "two", "🐻", "two 🐾"])
  }

  @Test func `each note of Evernote read the whole file again`() async throws {
    let notes = (0..<50).map { "<note><title>\($0)</title><content>words</content></note>" }
    let empty = String(repeating: "<note></note><note><title></title></note>", count: 5_000)
    let data = Data("<en-export>\(empty)\(notes.joined())</en-export>".utf8)
    let reads = Mutex(0)
    let entry = ImportSource.Entry(path: "All.enex", date: nil) { _ in
      data
    } mapped: { _, _ in
      reads.withLock { $0 += 1 }
      return data
    } beginning: {
      data.prefix($0)
    }
    let box = try Box()
    let source = ImportSource([entry], isTree: true)
    let report = try await box.library.importNotes(source, into: nil, by: nil)
    #expect(report.notes == 50 && reads.withLock { $0 } == 2)
    #expect(report.refused.map(\.reason) == ["10000 of its notes have nothing in them."])
  }

  @Test func `files of Evernote are found without reading them, whatever stands around them`()
    throws
  {
    let enex = """
      <note><title>One</title><content><![CDATA[<en-note><data>no file</data>a</en-note>]]></content>
      <resource><data encoding="base64">YWJj
      ZGVm</data><resource-attributes><file-name>a</file-name></resource-attributes></resource>
      <resource><data>?</data></resource><resource><data>YQ==</data></resource>
      \(String(repeating: "<data", count: 50_000))
      </note>
      """
    let file = EvernoteFile(Data("x\(enex)".utf8)[1...])
    let note = try file.note(try #require(file.notes.first))
    #expect(note.title == "One" && note.content.contains("<data>no file</data>"))
    #expect(note.resources.map(\.name) == ["a", "", ""])
    #expect(try file.content(of: note.resources[0]) == Data("abcdef".utf8))
    #expect(throws: LibraryProblem.self) { try file.content(of: note.resources[1]) }
    #expect(try file.content(of: note.resources[2]) == Data("a".utf8))
    let words = String(repeating: "a", count: RichText.maximumSize * 17)
    let large = EvernoteFile(Data("<note><content>\(words)</content></note>".utf8))
    #expect(throws: LibraryProblem.self) { try large.note(large.notes[0]) }
  }

  @Test func `what cannot come in is told, and the rest comes`() async throws {
    let box = try Box()
    let source = try Archive.of([
      ("../../climbs.md", Data("up".utf8)), ("broken.md", Data([0xFF, 0xC0, 0x80])),
      ("long.md", Data(count: 5 << 20)), ("good.md", Data("![](no.png) ![](bad.png)".utf8)),
      ("bad.png", Data("no picture".utf8)),
      ("deep/" + String(repeating: "a/", count: 60) + "x.md", Data("d".utf8)),
    ])
    let report = try await box.library.importNotes(source, into: nil, by: nil)
    #expect(report.notes == 3)
    #expect(Set(report.refused.map(\.name)) == ["broken.md", "long.md"])
    // What is called a picture and is none is a file.
    #expect(try await text(box, "good").plainText == "![](no.png)\nbad.png")
    #expect(try await text(box, "climbs").plainText == "up")
  }

  @Test func `an import that is stopped leaves nothing`() async throws {
    let box = try Box()
    let source = try Archive.of((0..<2_000).map { ("Folder/\($0).md", Data("#tag [[1]]".utf8)) })
    let job = Job()
    let task = Task { try await box.library.importNotes(source, into: nil, by: nil, job: job) }
    while job.progress.what != "Bringing in notes" { await Task.yield() }
    task.cancel()
    await #expect(throws: CancellationError.self) { _ = try await task.value }
    let overview = try await box.library.overview()
    #expect(overview.places.all == 0 && overview.folders.isEmpty && overview.keywords.total == 0)
    box.clock.wait(7_200)
    try await box.library.purge()
    let left = try await box.library.read { try $0.count(for: Note.fetch()) }
    #expect(left == 0)
  }
}

/// What an archive says beside its texts.
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
