import CoreData
import Foundation
import RichText
import Testing

@testable import SlipboxLibrary

/// Notes that are made and edited.
struct EditTests {
  @Test func `a note that is made twice is made once`() async throws {
    let box = try Box()
    var new = NewNote(title: "queued")
    new.id = UUID()
    let first = try await box.library.make(new, by: "a")
    new.title = "queued again"
    let second = try await box.library.make(new, by: "a")
    #expect(first.isNew)
    #expect(!second.isNew)
    #expect(second.note.title == "queued")
    #expect(try await box.library.notes(NoteQuery()).total == 1)
  }

  @Test func `an edit from the present revision is written`() async throws {
    let box = try Box()
    let note = try await box.note("old")
    var edit = NoteEdit()
    edit.base = note.revision
    edit.title = "new"
    edit.document = .document("text")
    let edited = try await box.library.edit(try note.id.uuid, edit, by: "a")
    #expect(edited.note.title == "new")
    #expect(edited.note.revision == note.revision + 1)
    #expect(edited.undo == nil)
  }

  @Test func `an edit from an earlier revision is kept beside the newer text`() async throws {
    let box = try Box()
    let folder = try await box.library.makeFolder(id: nil, name: "F", parent: nil, by: nil)
    let note = try await box.note("title", "first", in: try folder.id.uuid)
    var edit = NoteEdit()
    edit.base = note.revision
    edit.document = .document("hers")
    _ = try await box.library.edit(try note.id.uuid, edit, by: "her")
    edit.document = .document("his")
    let (newer, copy) = try await stale {
      _ = try await box.library.edit(try note.id.uuid, edit, by: "him")
    }
    #expect(RichText.plain(newer.document) == "hers")
    #expect(copy.excerpt == "his")
    #expect(copy.title.hasPrefix("title (your version of "))
    #expect(copy.folder?.id == folder.id)
    let kept = try await box.library.note(try copy.id.uuid)
    #expect(kept.links.map(\.id) == [note.id])
    #expect(try await box.library.notes(NoteQuery()).total == 2)
  }

  @Test(arguments: [(120, "13:06"), (-210, "07:36"), (780, "00:06"), (99_999, nil)])
  func `a copy has the hour of the writer's clock in its title`(
    _ offset: Int,
    _ hour: String?
  ) async throws {
    let box = try Box()
    let note = try await box.note("title")
    var edit = NoteEdit()
    edit.base = note.revision - 1
    edit.utcOffset = offset
    edit.title = "mine"
    let (_, copy) = try await stale {
      _ = try await box.library.edit(try note.id.uuid, edit, by: "him")
    }
    if let hour {
      #expect(copy.title == "mine (your version of \(hour))")
    } else {
      #expect(copy.title.hasPrefix("mine (your version of "))
    }
  }

  @Test func `a copy of a note with a long title could not be written in`() async throws {
    let box = try Box()
    let long = String(repeating: "漢", count: 666)
    let note = try await box.note(long)
    var edit = NoteEdit()
    edit.base = note.revision - 1
    edit.title = long + "!"
    let (_, copy) = try await stale {
      _ = try await box.library.edit(try note.id.uuid, edit, by: "him")
    }
    #expect(copy.title.hasPrefix("漢漢") && copy.title.contains(" (your version of "))
    var more = NoteEdit()
    more.base = try await box.library.note(try copy.id.uuid).revision
    more.title = copy.title
    more.document = .document("more")
    let written = try await box.library.edit(try copy.id.uuid, more, by: "him")
    #expect(written.note.title == copy.title)
  }

  private func stale(
    _ body: () async throws -> Void
  ) async throws -> (newer: NoteContent, copy: NoteRow) {
    do {
      try await body()
    } catch LibraryProblem.stale(let newer, let copy) {
      return (newer, copy)
    }
    throw LibraryProblem.refused("the edit was taken")
  }

  @Test func `an edit that was sent twice is no conflict`() async throws {
    let box = try Box()
    let note = try await box.note("title")
    var edit = NoteEdit()
    edit.base = note.revision
    edit.document = .document("same")
    let first = try await box.library.edit(try note.id.uuid, edit, by: "a")
    let second = try await box.library.edit(try note.id.uuid, edit, by: "a")
    #expect(first.note.revision == second.note.revision)
    #expect(try await box.library.notes(NoteQuery()).total == 1)
  }

  @Test func `an edit of the text without a base is refused`() async throws {
    let box = try Box()
    let note = try await box.note("title")
    var edit = NoteEdit()
    edit.title = "new"
    await #expect(throws: LibraryProblem.self) {
      _ = try await box.library.edit(try note.id.uuid, edit, by: nil)
    }
    #expect(try await box.library.note(try note.id.uuid).title == "title")
  }

  @Test func `fifty writers with one base leave fifty texts`() async throws {
    let box = try Box()
    let note = try await box.note("title")
    let conflicts = await withTaskGroup(of: Bool.self) { group in
      for index in 0..<50 {
        group.addTask {
          var edit = NoteEdit()
          edit.base = note.revision
          edit.document = .document("text \(index)")
          do {
            _ = try await box.library.edit(try note.id.uuid, edit, by: "\(index)")
            return false
          } catch {
            return true
          }
        }
      }
      return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(conflicts == 49)
    let window = try await box.library.notes(NoteQuery(limit: 100))
    #expect(window.total == 50)
    #expect(Set(window.rows.map(\.excerpt)).count == 50)
  }

  @Test func `keywords are found by name whatever the case, or made`() async throws {
    let box = try Box()
    let note = try await box.note("title")
    var edit = NoteEdit()
    edit.addKeywords = [
      KeywordChoice(name: "Method", color: "#ff0000"), KeywordChoice(name: " method "),
    ]
    let edited = try await box.library.edit(try note.id.uuid, edit, by: nil).note
    #expect(edited.keywords.map(\.name) == ["Method"])
    #expect(edited.keywords.map(\.color) == ["#ff0000"])
    edit = NoteEdit()
    edit.removeKeywords = [try #require(edited.keywords.first).id.uuid]
    #expect(try await box.library.edit(try note.id.uuid, edit, by: nil).note.keywords.isEmpty)
    #expect(try await box.library.keywords(text: "meth", limit: 5).map(\.count) == [0])
  }

  @Test func `links are made and taken away, and seen from both ends`() async throws {
    let box = try Box()
    let one = try await box.note("one", "the first note")
    let two = try await box.note("two")
    var edit = NoteEdit()
    edit.addLinks = [try two.id.uuid, try one.id.uuid]
    let linked = try await box.library.edit(try one.id.uuid, edit, by: nil).note
    #expect(linked.links.map(\.title) == ["two"])
    let back = try await box.library.note(try two.id.uuid)
    #expect(back.backlinks.map(\.title) == ["one"])
    #expect(back.backlinks.map(\.context) == ["the first note"])
    edit = NoteEdit()
    edit.removeLinks = [try two.id.uuid]
    #expect(try await box.library.edit(try one.id.uuid, edit, by: nil).note.links.isEmpty)
  }

  @Test func `a link in the text is followed, and its words stay as they were written`()
    async throws
  {
    let box = try Box()
    let one = try await box.note("one")
    let two = try await box.note("two")
    let marked =
      #"{"type":"text","text":"the other","marks":[{"type":"link","attrs":{"href":"note:\#(two.id)"}}]}"#
    var edit = NoteEdit()
    edit.base = one.revision
    edit.document = JSONValue(
      text: #"{"version":5,"type":"doc","content":[{"type":"paragraph","content":["#
        + #"{"type":"text","text":"No. See "},\#(marked),{"type":"text","text":", then. Yes."}]}]}"#
    )
    let linked = try await box.library.edit(try one.id.uuid, edit, by: nil).note
    #expect(linked.links.map(\.title) == ["two"])
    #expect(linked.document == edit.document)
    let back = try await box.library.note(try two.id.uuid)
    #expect(back.backlinks.map(\.context) == ["See the other, then."])

    var renaming = NoteEdit()
    renaming.base = two.revision
    renaming.title = "new"
    _ = try await box.library.edit(try two.id.uuid, renaming, by: nil)
    let renamed = try await box.library.note(try one.id.uuid)
    #expect(renamed.links.map(\.title) == ["new"])
    #expect(renamed.document == edit.document)

    edit.base = renamed.revision
    edit.document = .document("no link")
    #expect(try await box.library.edit(try one.id.uuid, edit, by: nil).note.links.isEmpty)
  }

  @Test func `what cannot be is refused, and nothing of it is written`() async throws {
    let box = try Box()
    let note = try await box.note("title")
    let id = try note.id.uuid
    var edits: [NoteEdit] = []
    func refuse(_ change: (inout NoteEdit) -> Void) {
      var edit = NoteEdit()
      edit.favourite = true
      change(&edit)
      edits.append(edit)
    }
    refuse { $0.status = "lost" }
    refuse { $0.folder = .folder(UUID()) }
    refuse { $0.addKeywords = [KeywordChoice(name: "  ")] }
    refuse { $0.addKeywords = [KeywordChoice(name: "new", color: "red")] }
    refuse { $0.addKeywords = [KeywordChoice(id: UUID())] }
    refuse { $0.addLinks = [UUID()] }
    refuse { $0.document = .object(["type": .text("script")]) }
    refuse {
      $0.base = note.revision
      $0.title = String(repeating: "x", count: 3000)
    }
    for edit in edits {
      await #expect(throws: LibraryProblem.self) {
        _ = try await box.library.edit(id, edit, by: nil)
      }
    }
    let after = try await box.library.note(id)
    #expect(!after.favourite)
    #expect(after.title == "title")
    #expect(try await box.library.keywords(text: "", limit: 10).isEmpty)
  }

  @Test func `a title is one line`() async throws {
    let box = try Box()
    let note = try await box.note("  two\r\nlines\0 ")
    #expect(note.title == "two lines")
  }

  @Test func `RTF that an Apple app wrote wins over the stored document`() async throws {
    let box = try Box()
    let note = try await box.note("title", "written here")
    let id = try note.id.uuid
    try await box.library.write(by: "mac") { context in
      let note = try context.note(id)
      note.formattedBodyText_ = RichText(plainText: "Written There").rtf
      note.bodyText_ = "written there"
    }
    let read = try await box.library.note(id)
    #expect(RichText.plain(read.document) == "Written There")
    // It is an edit of its own, and the RTF is still the app's.
    #expect(read.revision == note.revision + 1)
    let kept = try await box.library.read { try $0.note(id).formattedBodyText_ }
    #expect(kept == RichText(plainText: "Written There").rtf)
    // An edit here makes all three forms agree again.
    var edit = NoteEdit()
    edit.base = read.revision
    edit.document = .document("here again")
    let edited = try await box.library.edit(id, edit, by: nil)
    #expect(RichText.plain(edited.note.document) == "here again")
    // RTF that cannot be read leaves the document.
    try await box.library.write(by: "mac") { context in
      try context.note(id).formattedBodyText_ = Data("not RTF".utf8)
    }
    let last = try await box.library.note(id)
    #expect(RichText.plain(last.document) == "here again")
  }

  @Test func `another title took away the fonts of an Apple app`() async throws {
    let box = try Box()
    let note = try await box.note("title", "written here")
    let id = try note.id.uuid
    let rtf = Data(#"{\rtf1\ansi{\fonttbl\f0\fnil Papyrus;}\f0 written there}"#.utf8)
    try await box.library.write(by: "mac") { context in
      try context.note(id).formattedBodyText_ = rtf
    }
    var edit = NoteEdit()
    edit.base = try await box.library.note(id).revision
    edit.title = "another title"
    edit.document = .document("written there")
    let edited = try await box.library.edit(id, edit, by: nil).note
    #expect(edited.title == "another title")
    #expect(RichText.plain(edited.document) == "written there")
    #expect(try await box.library.read { try $0.note(id).formattedBodyText_ } == rtf)
  }

  @Test func `an edit that has not seen what an Apple app wrote is kept beside it`() async throws {
    let box = try Box()
    let note = try await box.note("title", "written here")
    let id = try note.id.uuid
    try await box.library.write(by: "mac") { context in
      try context.note(id).formattedBodyText_ = RichText(plainText: "written there").rtf
    }
    var edit = NoteEdit()
    edit.base = note.revision
    edit.document = .document("written meanwhile")
    let (newer, copy) = try await stale { _ = try await box.library.edit(id, edit, by: nil) }
    #expect(RichText.plain(newer.document) == "written there")
    #expect(copy.excerpt == "written meanwhile")
    edit.base = newer.revision
    edit.document = .document("written after")
    let edited = try await box.library.edit(id, edit, by: nil)
    #expect(RichText.plain(edited.note.document) == "written after")
  }
}

extension RichText {
  /// The plain text of a document.
  static func plain(_ document: JSONValue) -> String? {
    (try? RichText(json: document.json))?.plainText
  }
}

/// Versions of a note.
struct VersionTests {
  private func write(_ text: String, to note: NoteContent, in box: Box) async throws -> NoteContent
  {
    var edit = NoteEdit()
    edit.base = note.revision
    edit.document = text.isEmpty ? JSONValue(text: RichText().json) : .document(text)
    return try await box.library.edit(try note.id.uuid, edit, by: nil).note
  }

  @Test func `a version is kept when the last is older than ten minutes`() async throws {
    let box = try Box()
    var note = try await box.note("title", "first")
    let id = try note.id.uuid
    note = try await write("second", to: note, in: box)
    box.clock.wait(60)
    note = try await write("third", to: note, in: box)
    #expect(try await box.library.versions(of: id).map(\.excerpt) == ["first"])
    box.clock.wait(599)
    note = try await write("fourth", to: note, in: box)
    note = try await write("fifth", to: note, in: box)
    #expect(try await box.library.versions(of: id).map(\.excerpt) == ["third", "first"])
  }

  @Test(arguments: [
    ("", true), ("Something else, which was typed over all that was there.", true),
    ("A sentence that was written", true),
    ("A sentence that was written a minute ago, with many", false),
  ])
  func `a text that was deleted within ten minutes was in no version`(
    _ later: String,
    _ isKept: Bool
  ) async throws {
    let box = try Box()
    let words = "A sentence that was written a minute ago, with many words that follow it."
    var note = try await box.note("title")
    let id = try note.id.uuid
    note = try await write("start", to: note, in: box)
    box.clock.wait(5)
    note = try await write(words, to: note, in: box)
    box.clock.wait(60)
    _ = try await write(later, to: note, in: box)
    let kept = try await box.library.versions(of: id).map(\.excerpt)
    #expect(kept.contains(words) == isKept)
  }

  @Test func `a text that had rested was two versions after one was restored`() async throws {
    let box = try Box()
    var note = try await box.note("title", "first")
    let id = try note.id.uuid
    box.clock.wait(5)
    note = try await write("second", to: note, in: box)
    let version = try #require(try await box.library.versions(of: id).first)
    box.clock.wait(1000)
    _ = try await box.library.restore(version: try version.id.uuid, of: id, by: nil)
    #expect(try await box.library.versions(of: id).map(\.excerpt) == ["second", "first"])
  }

  @Test func `a version is restored, and the text that was there becomes a version`() async throws {
    let box = try Box()
    var note = try await box.note("title", "first")
    let id = try note.id.uuid
    box.clock.wait(1000)
    note = try await write("second", to: note, in: box)
    let version = try #require(try await box.library.versions(of: id).first)
    let content = try await box.library.version(try version.id.uuid, of: id)
    #expect(RichText.plain(content.document) == "first")
    box.clock.wait(5)
    let restored = try await box.library.restore(version: try version.id.uuid, of: id, by: nil)
    #expect(RichText.plain(restored.note.document) == "first")
    #expect(restored.note.revision == note.revision + 1)
    #expect(try await box.library.versions(of: id).map(\.excerpt) == ["second", "first"])
    _ = try await box.library.undo(try #require(restored.undo), by: nil)
    #expect(RichText.plain(try await box.library.note(id).document) == "second")
    #expect(try await box.library.versions(of: id).map(\.excerpt) == ["first"])
  }

  @Test func `a restored version cannot be taken back from under a later edit`() async throws {
    let box = try Box()
    var note = try await box.note("title", "first")
    let id = try note.id.uuid
    note = try await write("second", to: note, in: box)
    let version = try #require(try await box.library.versions(of: id).first)
    let restored = try await box.library.restore(version: try version.id.uuid, of: id, by: nil)
    _ = try await write("third", to: restored.note, in: box)
    await #expect(throws: LibraryProblem.self) {
      _ = try await box.library.undo(try #require(restored.undo), by: nil)
    }
    #expect(RichText.plain(try await box.library.note(id).document) == "third")
  }

  @Test func `a version of another note is none of this one`() async throws {
    let box = try Box()
    let one = try await box.note("one", "text")
    let two = try await box.note("two", "text")
    _ = try await write("more", to: one, in: box)
    let version = try #require(try await box.library.versions(of: try one.id.uuid).first)
    await #expect(throws: LibraryProblem.self) {
      _ = try await box.library.version(try version.id.uuid, of: try two.id.uuid)
    }
  }
}

/// A text that goes letter by letter.
struct SlowDeletionTests {
  @Test func `a text that was taken away little by little is among the versions`() async throws {
    let box = try Box()
    let words = (1...12).map { "Sentence number \($0) says something." }
    let made = try await box.note("Slow", "First")
    let id = try made.id.uuid
    func write(_ words: ArraySlice<String>) async throws {
      var edit = NoteEdit()
      edit.base = try await box.library.note(id).revision
      edit.document = JSONValue(text: RichText(plainText: words.joined(separator: " ")).json)
      _ = try await box.library.edit(id, edit, by: "test")
      box.clock.wait(2)
    }
    for count in 1...12 { try await write(words.prefix(count)) }
    for count in (0..<12).reversed() { try await write(words.prefix(count)) }
    let versions = try await box.library.versions(of: id)
    let whole = words.joined(separator: " ")
    let texts = try await box.library.read { context in
      try context.fetch(NoteVersion.fetch(of: context.note(id))).map(\.text.plainText)
    }
    #expect(texts.contains(whole))
    // One for the old text, and not one for each letter.
    #expect(versions.count <= 4)
  }
}
