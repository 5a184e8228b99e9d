import Archives
import CoreData
import Foundation
import RichText
import Testing

@testable import SlipboxLibrary

/// Files of other programs come in as they were.
struct VaultTests {
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

  @Test func `a path from the folder of a vault was text in a note of another folder`()
    async throws
  {
    let box = try Box()
    let source = try Archive.of([
      "Backup/Vault/Essays/Long.md":
        "[[Essays/Other]], [[Reading/Slots|those]], [there](Reading/Slots.md), [[Reading/Nothing]]",
      "Backup/Vault/Essays/Other.md": "other", "Backup/Vault/Reading/Slots.md": "slots",
      "Backup/Old/Reading/Slots.md": "older",
    ])
    _ = try await box.library.importNotes(source, into: nil, by: nil)
    let (links, text) = try await box.library.read { context in
      let note = try Note.titled("Long", in: context)
      return (
        Set(note.linkedNotes.map { $0.title + ": " + $0.bodyText }),
        note.formattedBodyText.plainText
      )
    }
    #expect(links == ["Other: other", "Slots: slots"])
    #expect(text == "Essays/Other, those, there, [[Reading/Nothing]]")
  }

  @Test func `of two files of one name a text got the other, although it said the folder`()
    async throws
  {
    let box = try Box()
    let source = try Archive.of([
      "V/Notes/Text.md": "![[Second/Plan.pdf]]\n\n![there](Third/Plan.pdf)",
      "V/First/Plan.pdf": "%PDF-1.7 first", "V/Second/Plan.pdf": "%PDF-1.7 second",
      "V/Third/Plan.pdf": "%PDF-1.7 third",
    ])
    _ = try await box.library.importNotes(source, into: nil, by: nil)
    let files = try await box.library.read { context in
      try Note.titled("Text", in: context).files.compactMap(\.fullImageData)
    }
    #expect(Set(files) == [Data("%PDF-1.7 second".utf8), Data("%PDF-1.7 third".utf8)])
  }

  @Test func `a file with a question mark in its name was found by no text`() async throws {
    let box = try Box()
    let source = try Archive.of([
      "V/Text.md": "![[files/Why?.pdf]]\n\n![[100% sure.pdf]]", "V/files/Why?.pdf": "%PDF-1.7 why",
      "V/100% sure.pdf": "%PDF-1.7 sure",
    ])
    let report = try await box.library.importNotes(source, into: nil, by: nil)
    #expect((report.files, report.unused) == (2, 0))
  }

  @Test func `a link to a note went to another whose first heading or other name is the same`()
    async throws
  {
    let box = try Box()
    let source = try Archive.of([
      "V/A.md": "# Ideas\n\nheading", "V/B.md": "---\naliases: [Ideas, Thoughts]\n---\nalias",
      "V/Projects/Ideas.md": "file", "V/Links.md": "[[Ideas]] [[ideas]]",
      "V/Other.md": "[[Thoughts]]",
    ])
    _ = try await box.library.importNotes(source, into: nil, by: nil)
    #expect(try await linked(by: "Links", in: box) == ["file"])
    #expect(try await linked(by: "Other", in: box) == ["alias"])
  }

  @Test func `of two names that differ by an accent or by case, links led to one`() async throws {
    let box = try Box()
    let source = try Archive.of([
      "V/Resume.md": "plain", "V/Résumé.md": "accents", "V/resume.md": "small",
      "V/1.md": "[[Résumé]]", "V/2.md": "[[Resume]]", "V/3.md": "[there](resume.md)",
      "V/4.md": "[[RESUME]]", "V/5.md": "![[Bär.pdf]]", "V/6.md": "[[Re\u{301}sume\u{301}]]",
      "V/Bar.pdf": "%PDF-1.7 bar", "V/Bär.pdf": "%PDF-1.7 bear",
    ])
    let report = try await box.library.importNotes(source, into: nil, by: nil)
    #expect(report.notes == 9)
    #expect(try await linked(by: "1", in: box) == ["accents"])
    #expect(try await linked(by: "2", in: box) == ["plain"])
    #expect(try await linked(by: "3", in: box) == ["small"])
    #expect(try await linked(by: "4", in: box).count == 1)
    #expect(try await linked(by: "6", in: box) == ["accents"])
    let files = try await box.library.read { context in
      try Note.titled("5", in: context).files.compactMap(\.fullImageData)
    }
    #expect(files == [Data("%PDF-1.7 bear".utf8)])
  }

  /// The words of the notes that a note links to.
  private func linked(by title: String, in box: Box) async throws -> [String] {
    try await box.library.read { context in
      try Note.titled(title, in: context).linkedNotes.map(\.bodyText).sorted()
    }
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
    #expect(report.unusedNames == ["Vault/unused.bin"])
    try await box.library.read { context in
      let start = try Note.titled("Start", in: context)
      let slots = try Note.titled("Slots", in: context)
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
    let id = try await box.library.read { try Note.titled("Slots", in: $0).uuid }
    let text = try await box.text(of: "Start")
    let link = RichText.Marks([], link: .note(id))
    let properties = try await box.library.read {
      try Note.titled("Start", in: $0).writtenProperties
    }
    #expect(properties == [NoteProperty("author", .text("Somebody"))])
    #expect(
      text.blocks.first
        == .paragraph([
          .text("See "), .text("Slots", link), .text(", "), .text("those", link), .text(", "),
          .text("Slots#Size", RichText.Marks([], link: .heading(id, "Size"))),
          .text(" and [[Nowhere]]."), .hardBreak,
          .text("A second line, "), .text("by path", link), .text(" #on/the-way"),
        ])
    )
    guard case .picture(let picture) = text.blocks[1], case .table(let table) = text.blocks[2],
      case .file(let file) = text.blocks[3]
    else {
      Issue.record("\(text.blocks)")
      return
    }
    #expect(picture.width == 300 && file.name == "Paper.pdf")
    #expect(table.rows[1] == [[.text("1")], [.text("x", link)]])
    let content = try await box.library.readFile(picture.file) { try $1() }
    #expect(content == Archive.picture)
  }

  @Test func `a note shown inside another became a link, and nobody said so`() async throws {
    let box = try Box()
    let text = "So ![[Bees]], ![[Bees#Size|those]], [[Bees]] and `![[Bees]]`.\n\n![[tree.png]]"
    let source = try Archive.of([
      ("Hive/Start.md", Data(text.utf8)), ("Hive/Bees.md", Data("# Size\n\nSmall.".utf8)),
      ("Hive/tree.png", Archive.picture),
    ])
    let report = try await box.library.importNotes(source, into: nil, by: nil)
    // The text is read again when the picture is there, and is still one text.
    #expect((report.notes, report.files, report.embedded) == (2, 1, 2))
  }

  @Test func `pictures, tasks and facts became something else, and nobody said where`() async throws
  {
    let box = try Box()
    let source = try Archive.of([
      "V/A.md": "![](https://example.org/a.png)\n\n- [/] half",
      "V/B.md": "Words\n\n![](https://example.org/a.png)",
      "V/C.md": "---\n# a remark\nstatus: in progress\n---\n\nx",
    ])
    let report = try await box.library.importNotes(source, into: nil, by: nil)
    #expect(
      report.changes == [
        ImportedChange(kind: "frontMatter", files: 1, first: "V/C.md", line: 2),
        ImportedChange(kind: "task", files: 1, first: "V/A.md", line: 3),
        ImportedChange(kind: "webPicture", files: 2, first: "V/A.md", line: 1),
      ]
    )
    let archive = try Archive.of(["V/D.md": "###### Six\n\n- [x] done"])
    #expect(try await box.library.importNotes(archive, into: nil, by: nil).changes.isEmpty)
  }

  @Test func `pictures in the addresses of a text were lost, or pages of letters`() async throws {
    let box = try Box()
    let address = "data:image/png;base64,\(Archive.picture.base64EncodedString())"
    let large = String(repeating: "A", count: RichText.maximumSize)
    let source = try Archive.of([
      "Google.md": "![][image1]\n\n[image1]: <\(address)>",
      "Joplin.md": "a ![A tree](\(address)) b",
      "Page.html": "<p>a <img src='\(address)' alt='A tree'> b <img src='data:,x' alt=dot>",
      "Large.md": "![a](data:text/plain;base64,\(large))",
    ])
    let report = try await box.library.importNotes(source, into: nil, by: nil)
    #expect(report.refused.isEmpty)
    #expect((report.notes, report.files) == (4, 4))
    #expect(report.changes.map(\.kind) == ["missingFile"])
    try await box.library.read { context in
      for title in ["Google", "Joplin", "Page", "Large"] {
        let note = try Note.titled(title, in: context)
        #expect(note.files.count == 1)
        #expect(!note.formattedBodyText.plainText.contains("base64"))
      }
      let name = try Note.titled("Page", in: context).files.map(\.name)
      #expect(name == ["picture.png"])
    }
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
    #expect(try await box.text(of: "A walk").files.count == 1)
    #expect(try await box.text(of: "A page").plainText == "Café\nb\n1\t2")
    #expect(try await box.text(of: "old").plainText == "é")
    #expect(try await box.text(of: "plain").plainText == "one\ntwo")
  }

  @Test func `a link to a heading of its own note gave a note a keyword`() async throws {
    let box = try Box()
    let source = try Archive.of([
      "V/Walk.md": "# A walk\n\n## First days\n\nSee [[#First days]], [[Walk]]#no #yes.",
      "V/Loose.md": "See [[#Nowhere]] and [[Nobody#There]].",
    ])
    _ = try await box.library.importNotes(source, into: nil, by: nil)
    let keywords = try await box.library.read { context in
      try context.fetch(Note.fetch(NotePlace.alive)).flatMap { $0.keywords.map(\.name) }
    }
    #expect(keywords == ["yes"])
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
    let words = try await box.text(of: "A walk")
    #expect(words.markdown.contains("==Bring== a std::pair::first\n\n![|300]("))
    #expect(rows.first { $0.title == "Old" }?.status == "archived")
  }

  @Test func `what Bear underlines was words with waves where no file said that they were Bear's`()
    async throws
  {
    let box = try Box()
    let creator = #"{"version": 2, "creatorIdentifier": "net.shinyfrog.bear-IOS"}"#
    let source = try Archive.of([
      ("B/Said.textbundle/text.md", Data("# Said\n~so~".utf8)),
      ("B/Said.textbundle/info.json", Data(creator.utf8)),
      ("B/Beside.textbundle/text.md", Data("# Beside\n~so~".utf8)),
      ("B/Beside.textbundle/info.json", Data(#"{"version": 2}"#.utf8)),
      ("B/Sized.md", Data("~so~ ![](a.png)<!-- {\"width\":300} -->".utf8)),
      ("B/Other.md", Data("~so~".utf8)),
    ])
    let report = try await box.library.importNotes(source, into: nil, by: nil)
    #expect(report.refused.isEmpty && report.notes == 4)
    for title in ["Said", "Beside", "Sized"] {
      #expect(try await box.text(of: title).markdown.hasPrefix("<u>so</u>"))
    }
    #expect(try await box.text(of: "Other").plainText == "~so~")
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
      let note = try Note.titled("A walk", in: context)
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
    #expect(try await box.text(of: "Walk").plainText == "far")
    #expect(try await box.library.overview().folders.map(\.name) == ["Backup"])
    // Several archives that were chosen at once.
    let both = try Archive.of([("A.zip", backup), ("B.zip", backup)])
    let more = try await box.library.importNotes(both, into: nil, by: nil)
    #expect(more.notes == 2 && more.folders == 2)
  }

  @Test func `a file of a system that keeps accents apart had another title than a typed one`()
    async throws
  {
    let box = try Box()
    let file = ImportedFile(name: "Cafe\u{301}.md", data: Data("words".utf8))
    _ = try await box.library.importNotes([file], into: nil, by: nil)
    let titles = try await box.library.read { context in
      try context.fetch(Note.fetch(NotePlace.alive)).map { Array($0.title.unicodeScalars) }
    }
    #expect(titles == [Array("Caf\u{E9}".unicodeScalars)])
  }

  @Test func `Markdown in Windows 1252 was refused, and plain text was not`() async throws {
    let box = try Box()
    var menu = Data("# Menu\r\n\r\nA caf".utf8)
    menu.append(0xE9)
    let cyrillic = Data([0xCF, 0xF0, 0xE8, 0xE2, 0xE5, 0xF2])
    let source = try Archive.of([("V/Menu.md", menu), ("V/Cyrillic.md", cyrillic)])
    let report = try await box.library.importNotes(source, into: nil, by: nil)
    #expect(report.refused.map(\.name) == ["V/Cyrillic.md"])
    #expect(try await box.text(of: "Menu").plainText == "A café")
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
    #expect(try await box.text(of: "a").plainText == "Text")
    #expect(try await box.text(of: "c").plainText == "café")
    let keywords = try await box.library.read { context in
      try context.fetch(Note.fetch(NotePlace.alive)).flatMap { $0.keywords.map(\.name) }
    }
    #expect(Set(keywords) == ["short", "one", "two", "🐻", "two 🐾"])
  }
}
