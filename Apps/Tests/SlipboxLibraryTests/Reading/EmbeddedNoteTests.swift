import CoreData
import Foundation
import RichText
import Testing

@testable import SlipboxLibrary

/// Notes that the text of another shows in its place.
struct EmbeddedNoteTests {
  private func text(_ box: Box, _ id: String) async throws -> RichText {
    try RichText(document: try await box.library.note(try id.uuid).document)
  }

  @Test func `an embed waits for its note, follows its title and goes with it to the trash`()
    async throws
  {
    let box = try Box()
    let one = try await box.note("One", "![[Slots#Firing]]")
    let slots = try await box.note("Slots")
    let id = try slots.id.uuid
    #expect(try await text(box, one.id).embeds == [.heading(id, "Firing")])
    #expect(try await box.library.note(id).backlinks.map(\.title) == ["One"])
    var edit = NoteEdit()
    edit.base = try await box.library.note(id).revision
    edit.title = "Seats"
    _ = try await box.library.edit(id, edit, by: "test")
    let renamed = try await text(box, one.id)
    #expect(renamed.plainText == "!Seats#Firing" && renamed.embeds.count == 1)
    _ = try await box.library.trash([id], by: "test")
    #expect(try await box.library.note(try one.id.uuid).dead == [slots.id])
    #expect(try await box.library.embeddedNotes([id]).notes.first?.trashed != nil)
  }

  @Test func `lists showed the sign of an embed as a word`() async throws {
    let box = try Box()
    _ = try await box.note("One", "![[Slots]]")
    _ = try await box.note("Two", "Wow, ![[Slots]] after")
    let slots = try await box.note("Slots")
    let rows = try await box.library.notes(NoteQuery(sorting: .titleAscending)).rows
    #expect(rows.map(\.excerpt) == ["Slots", "", "Wow, !Slots after"])
    let context = try await box.library.note(try slots.id.uuid).backlinks.map(\.context)
    #expect(context == ["Slots", "Wow, !Slots after"])
  }

  @Test func `a vault with embeds comes back as it came`() async throws {
    let box = try Box()
    let start = """
      Words before.

      ![[Bees]]

      - ![[Bees#Size]]
      - ![[Bees#^b1]] ^s1

      So ![[Bees]] are. ![[Later]]

      ![[Nobody#Part]]

      """
    let bees = "# Size\n\nSmall. ^b1\n\n![[tree.png|200]]\n"
    let source = try Archive.of([
      ("V/Start.md", Data(start.utf8)), ("V/Bees.md", Data(bees.utf8)),
      ("V/tree.png", Archive.picture),
    ])
    let report = try await box.library.importNotes(source, into: nil, by: nil)
    #expect((report.notes, report.files, report.embedded) == (2, 1, 1))
    #expect(try await box.text(of: "Start").embeds.count == 3)
    let note = try await box.library.read { try Note.titled("Start", in: $0).uuid }
    let exported = try await box.library.export(note, as: .markdown)
    let markdown = String(decoding: exported.data, as: UTF8.self)
    #expect(markdown.hasSuffix(start.replacing("#^b1]]", with: "#^b1|Bees]]")))
    // The name that nobody has waits.
    _ = try await box.note("Nobody")
    #expect(try await box.text(of: "Start").embeds.count == 4)
  }

  @Test func `lines with embeds alone, as vaults have them, are shown and exported one by one`()
    async throws
  {
    let box = try Box()
    let source = try Archive.of([
      "V/Start.md": "One\n![[A]]\n![[B]]\ntwo", "V/A.md": "a", "V/B.md": "b",
    ])
    let report = try await box.library.importNotes(source, into: nil, by: nil)
    #expect(report.embedded == 0 && report.changes.isEmpty)
    #expect(try await box.text(of: "Start").embeds.count == 2)
  }

  @Test func `a page for others has what an embed shows, with its picture`() async throws {
    let box = try Box()
    let source = try Archive.of([
      ("V/Start.md", Data("![[Bees]]\n\n![[Gone]]".utf8)), ("V/Gone.md", Data("Gone words".utf8)),
      ("V/Bees.md", Data("Small bees.\n\n![[tree.png]]\n\n![[Start]]".utf8)),
      ("V/tree.png", Archive.picture),
    ])
    _ = try await box.library.importNotes(source, into: nil, by: nil)
    let (start, gone) = try await box.library.read {
      (try Note.titled("Start", in: $0).uuid, try Note.titled("Gone", in: $0).uuid)
    }
    _ = try await box.library.trash([gone], by: nil)
    let page = String(decoding: try await box.library.export(start, as: .html).data, as: UTF8.self)
    #expect(page.contains("Small bees.") && page.contains("data:image/png;base64"))
    #expect(page.contains("This note is not there.") && !page.contains("Gone words"))
    #expect(page.components(separatedBy: "<blockquote>").count == 3)
  }
}

// MARK: - What pages ask for

extension EmbeddedNoteTests {
  @Test func `a page gets the texts of several notes at once, and hears which are gone`()
    async throws
  {
    let box = try Box()
    let one = try await box.note("One", "First words")
    let gone = UUID()
    let answer = try await box.library.embeddedNotes([try one.id.uuid, gone])
    #expect(answer.notes.map(\.title) == ["One"] && answer.missing == [gone.text])
    #expect(
      try RichText(document: try #require(answer.notes.first).document).plainText == "First words"
    )
  }

  @Test func `long texts come one after the other, and too many notes are refused`() async throws {
    let box = try Box()
    var ids: [UUID] = []
    for number in 0..<4 {
      ids.append(
        try await box.note("Long \(number)", String(repeating: "words ", count: 90_000)).id.uuid
      )
    }
    let answer = try await box.library.embeddedNotes(ids)
    #expect(answer.notes.count == 2 && answer.missing.isEmpty)
    await #expect(throws: LibraryProblem.self) {
      try await box.library.embeddedNotes((0...50).map { _ in UUID() })
    }
  }
}
