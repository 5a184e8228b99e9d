import CoreData
import Foundation
import RichText
import Synchronization
import Testing

@testable import SlipboxLibrary

/// Files of Evernote come in as its notes were, whatever surrounds these, and are read once.
struct EvernoteTests {
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
      let note = try Note.titled("Trip & more", in: context)
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

  @Test func `a note of Evernote lost parts of itself, and a file without notes said nothing`()
    async throws
  {
    let box = try Box()
    let picture = Archive.picture.base64EncodedString()
    let enex = """
      <en-export><note><title>One</title><content><![CDATA[<en-note><div>10<sup>6</sup>
      <font color="red">a</font> <a href="zotero://select/items/1">b</a>
      <a href="https://www.evernote.com/shard/s1/nl/1/2/">Two</a></div>
      <img src="data:image/png;base64,\(picture)"/></en-note>]]></content>
      <note-attributes><author>A. B.</author><reminder-time>20270101T080000Z</reminder-time></note-attributes>
      </note><note><title>Two</title><content><![CDATA[<en-note>b</en-note>]]></content></note></en-export>
      """
    let files = [
      ImportedFile(name: "a.enex", data: Data(enex.utf8)),
      ImportedFile(name: "b.enex", data: Data("<html>".utf8)),
    ]
    let report = try await box.library.importNotes(ImportSource(files), into: nil, by: nil)
    #expect(report.changes.map(\.kind) == ["looks", "facts"])
    #expect(report.refused.map(\.name) == ["b.enex"])
    #expect((report.notes, report.files) == (2, 1))
    try await box.library.read { context in
      let note = try Note.titled("One", in: context)
      let text = note.formattedBodyText
      #expect(text.files.count == 1)
      #expect(
        note.writtenProperties == [NoteProperty("reminder", .date("2027-01-01T08:00:00Z"))]
      )
      let words = text.markdown
      #expect(words.contains("10<sup>6</sup> a [b](zotero://select/items/1) [[Two|"))
      #expect(note.linkedNotes.map(\.title) == ["Two"])
    }
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
    let garden = try await box.library.read { try Note.titled("Garden", in: $0).uuid }
    #expect(try await box.text(of: "Plan").links == [garden])
    #expect(
      try await box.text(of: "Plan").markdown { _ in "Garden" } == """
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
}
