import CoreData
import Foundation
import RichText
import Testing

@testable import SlipboxLibrary

/// The note of the day, templates, pins, kept searches, many notes at once, the map and the numbers.
struct KitTests {
  @Test func `each note was called a draft where nobody calls any otherwise`() async throws {
    let box = try Box()
    let note = try await box.note("Slots")
    _ = try await box.note("Faults")
    #expect(try await box.library.overview().usesStatuses == false)
    for status in ["review", "draft", "archived"] {
      var edit = NoteEdit()
      edit.status = status
      _ = try await box.library.edit(try note.id.uuid, edit, by: nil)
      #expect(try await box.library.overview().usesStatuses == (status != "draft"))
    }
    _ = try await box.library.trash([try note.id.uuid], by: nil)
    #expect(try await box.library.overview().usesStatuses == false)
  }

  @Test func `the note of a day is made once, from its template`() async throws {
    let box = try Box()
    let template = try await box.note("Daily note", "{{weekday}}, {{Title}}")
    var edit = NoteEdit()
    edit.template = true
    edit.addKeywords = [KeywordChoice(name: "day")]
    _ = try await box.library.edit(try template.id.uuid, edit, by: nil)
    #expect(try await box.library.templates().map(\.title) == ["Daily note"])
    let (note, isNew) = try await box.library.daily("2026-11-21", utcOffset: 60, by: nil)
    #expect(isNew)
    #expect(note.title == "2026-11-21")
    #expect(note.folder?.name == "Daily notes")
    #expect(note.keywords.map(\.name) == ["day"])
    #expect(try RichText(document: note.document).plainText.hasSuffix(", 2026-11-21"))
    let (again, isNewAgain) = try await box.library.daily("2026-11-21", utcOffset: 60, by: nil)
    #expect(again.id == note.id && !isNewAgain)
    await #expect(throws: LibraryProblem.self) {
      try await box.library.daily("today", utcOffset: nil, by: nil)
    }
    await #expect(throws: LibraryProblem.self) {
      try await box.library.daily("2026-02-31", utcOffset: nil, by: nil)
    }
  }

  @Test
  func `a folder of daily notes that was renamed or came from elsewhere got another beside it`()
    async throws
  {
    let box = try Box()
    let first = try await box.library.daily("2026-11-20", utcOffset: 0, by: nil).note
    let folder = try #require(try await box.library.overview().folders.first)
    var edit = FolderEdit()
    edit.name = "Journal"
    _ = try await box.library.edit(folder: try folder.id.uuid, edit, by: nil)
    _ = try await box.note("2026-11-20 at noon")
    let next = try await box.library.daily("2026-11-21", utcOffset: 0, by: nil).note
    #expect(next.folder?.id == first.folder?.id && next.folder?.name == "Journal")
    // Years later, and if the last one is in no folder, the usual one is made.
    #expect(
      try await box.library.daily("2030-01-01", utcOffset: 0, by: nil).note.folder?.name
        == "Daily notes"
    )
  }

  @Test func `a word of a template that stands in the title was filled as well`() async throws {
    let box = try Box()
    let template = try await box.note("Minutes", "{{title}} on {{date}}, {{who}} {{ {{date")
    var new = NewNote(title: "What {{date}}, {{time}}, {{weekday}} and {{title}} are")
    new.template = try template.id.uuid
    new.utcOffset = 0
    let (note, _) = try await box.library.make(new, by: nil)
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    let day = Day(box.clock.now, in: calendar).key
    #expect(
      try RichText(document: note.document).plainText
        == "What {{date}}, {{time}}, {{weekday}} and {{title}} are on \(day), {{who}} {{ {{date"
    )
  }

  @Test func `a text named no title where the template gave it`() async throws {
    let box = try Box()
    let template = try await box.note("Minutes of {{weekday}}{{title}}", "Of “{{title}}”.")
    var new = NewNote()
    new.template = try template.id.uuid
    let (note, _) = try await box.library.make(new, by: nil)
    #expect(note.title.hasPrefix("Minutes of ") && note.title.hasSuffix("day"))
    #expect(try RichText(document: note.document).plainText == "Of “\(note.title)”.")
  }

  @Test func `pinned notes stand on top, each once`() async throws {
    let box = try Box()
    for title in ["a", "b", "c"] {
      _ = try await box.note(title)
      box.clock.wait(60)
    }
    let first = try await box.library.notes(NoteQuery(sorting: .dateAscending)).rows[1]
    var edit = NoteEdit()
    edit.pinned = true
    _ = try await box.library.edit([try first.id.uuid], edit, by: nil)
    let window = try await box.library.notes(NoteQuery(sorting: .dateAscending))
    #expect(window.rows.map(\.title) == ["b", "a", "c"])
    #expect(window.sections.map(\.title) == ["Pinned", "Notes"])
    #expect(window.sections.map(\.count) == [1, 2])
    let part = try await box.library.notes(NoteQuery(sorting: .day, offset: 1, limit: 1))
    #expect(part.rows.map(\.title) == ["c"])
    #expect(try await box.library.notes(NoteQuery(NoteSearch(text: "is:pinned"))).total == 1)
  }

  @Test func `many notes are changed in one act`() async throws {
    let box = try Box()
    let ids = try await [box.note("a").id, box.note("b").id].map { try $0.uuid }
    var edit = NoteEdit()
    (edit.status, edit.addKeywords) = ("review", [KeywordChoice(name: "new")])
    let undo = try await box.library.edit(ids, edit, by: nil)
    #expect(
      try await box.library.notes(NoteQuery(NoteSearch(text: "tag:new is:review"))).total == 2
    )
    _ = try await box.library.undo(undo, by: nil)
    #expect(try await box.library.notes(NoteQuery(NoteSearch(text: "is:review"))).total == 0)
    edit.title = "x"
    await #expect(throws: LibraryProblem.self) { try await box.library.edit(ids, edit, by: nil) }
  }

  @Test func `words are replaced in many notes, and come back`() async throws {
    let box = try Box()
    let one = try await box.note("Colour", "Colour and COLOUR")
    let two = try await box.note("Two", "no words")
    let ids = try [one.id.uuid, two.id.uuid]
    let trial = try await box.library.replace(
      "colour",
      with: "color",
      in: ids,
      isTrial: true,
      by: nil
    )
    #expect(trial.notes == 1 && trial.count == 3 && trial.undo == nil)
    let done = try await box.library.replace("colour", with: "color", in: ids, by: nil)
    let note = try await box.library.note(ids[0])
    #expect(note.title == "color")
    #expect(try RichText(document: note.document).plainText == "color and color")
    #expect(try await box.library.versions(of: ids[0]).first?.title == "Colour")
    _ = try await box.library.undo(try #require(done.undo), by: nil)
    #expect(try await box.library.note(ids[0]).title == "Colour")
    let cased = try await box.library.replace(
      "COLOUR",
      with: "hue",
      in: ids,
      matchesCase: true,
      by: nil
    )
    #expect(cased.count == 1)
  }

  @Test func `words that became too many made a note that could not be read`() async throws {
    let box = try Box()
    let before = try await box.note("a a a", String(repeating: "a ", count: 1_000) + "end")
    let id = try before.id.uuid
    for isTrial in [true, false] {
      await #expect(throws: LibraryProblem.self) {
        try await box.library.replace(
          "a",
          with: String(repeating: "b", count: 10_000),
          in: [id],
          isTrial: isTrial,
          by: nil
        )
      }
    }
    // A title has its own limit.
    await #expect(throws: LibraryProblem.self) {
      try await box.library.replace(
        "a",
        with: String(repeating: "b", count: 900),
        in: [id],
        by: nil
      )
    }
    let note = try await box.library.note(id)
    #expect(note.title == before.title)
    #expect(try RichText(document: note.document) == RichText(document: before.document))
  }

  @Test func `a title of any length was put into a template as often as it asks for it`()
    async throws
  {
    let box = try Box()
    let template = try await box.note("T", String(repeating: "{{title}} ", count: 2_000))
    var new = NewNote(title: String(repeating: "a", count: 100_000))
    new.template = try template.id.uuid
    await #expect(throws: LibraryProblem.self) { try await box.library.make(new, by: nil) }
    new.title = String(repeating: "a", count: 1_900)
    await #expect(throws: LibraryProblem.self) { try await box.library.make(new, by: nil) }
    new.title = "short"
    #expect(try await box.library.make(new, by: nil).isNew)
  }

  @Test func `searches are kept, renamed and forgotten`() async throws {
    let box = try Box()
    let (search, _) = try await box.library.keepSearch(name: "Open", text: "is:task", by: nil)
    #expect(try await box.library.overview().searches == [search])
    _ = try await box.library.edit(search: try search.id.uuid, name: "To do", text: nil, by: nil)
    #expect(try await box.library.overview().searches.map(\.name) == ["To do"])
    let undo = try await box.library.delete(search: try search.id.uuid, by: nil)
    #expect(try await box.library.overview().searches == [])
    _ = try await box.library.undo(undo, by: nil)
    #expect(try await box.library.overview().searches.map(\.text) == ["is:task"])
  }

  @Test func `kept searches had no order of their own`() async throws {
    let box = try Box()
    for name in ["Open", "Lately", "Untitled"] {
      _ = try await box.library.keepSearch(name: name, text: "is:task", by: nil)
      box.clock.wait(60)
    }
    func names() async throws -> [String] {
      try await box.library.overview().searches.map(\.name)
    }
    #expect(try await names() == ["Open", "Lately", "Untitled"])
    let last = try #require(try await box.library.overview().searches.last).id.uuid
    func move(to order: Int) async throws -> String {
      try await box.library.edit(search: last, name: nil, text: nil, order: order, by: nil).undo
    }
    let undo = try await move(to: 0)
    #expect(try await names() == ["Untitled", "Open", "Lately"])
    _ = try await move(to: 1)
    #expect(try await names() == ["Open", "Untitled", "Lately"])
    _ = try await move(to: .min)
    #expect(try await names() == ["Untitled", "Open", "Lately"])
    _ = try await move(to: .max)
    #expect(try await names() == ["Open", "Lately", "Untitled"])
    _ = try await move(to: 0)
    _ = try await box.library.keepSearch(name: "New", text: "tea", by: nil)
    #expect(try await names() == ["Untitled", "Open", "Lately", "New"])
    _ = try await box.library.undo(undo, by: nil)
    #expect(try await names().count == 4)
  }

  @Test func `a note to which many long notes link had all of them in memory at once`() async throws
  {
    let box = try Box()
    let hub = try await box.note("Hub")
    let id = try hub.id.uuid
    let titles = (10..<55).map { "Note \($0)" }
    for title in titles.reversed() {
      let note = try await box.note(title, "\(title) begins so")
      var edit = NoteEdit()
      edit.addLinks = [id]
      _ = try await box.library.edit(try note.id.uuid, edit, by: nil)
    }
    _ = try await box.library.trash([try await box.note("Gone").id.uuid], by: nil)
    let backlinks = try await box.library.note(id).backlinks
    #expect(backlinks.map(\.title) == titles)
    #expect(backlinks.map(\.context) == titles.map { "\($0) begins so" })
    // With less room, the first say something, and the others are named.
    let counts = try await box.library.read { context in
      let note = try context.note(id)
      let linking = try LinkedNotes(NoteProperties.backLinkedNotes, of: note)
      return try [0, 1].map { rest in
        try linking.contexts(ofLinksTo: note, ReadingRoom(rest: rest)).count
      }
    }
    #expect(counts == [0, 20])
    let first = try await box.library.note(try #require(UUID(uuidString: backlinks[0].id)))
    #expect(first.links.map(\.title) == ["Hub"] && first.backlinks.isEmpty)
  }

  @Test func `a note whose identifier another program had cut left no map at all`() async throws {
    let box = try Box()
    let folder = try await box.library.makeFolder(id: nil, name: "Ideas", parent: nil, by: nil)
    _ = try await box.note("cut", in: try folder.id.uuid)
    _ = try await box.note("whole")
    try Shell.run(
      """
      UPDATE ZNOTE SET ZUUID_ = x'0102' WHERE ZTITLE_ = 'cut';
      UPDATE ZFOLDER SET ZUUID_ = NULL;
      """,
      on: box.folder.appending(path: "Slipbox.sqlite")
    )
    let map = try await box.library.map()
    #expect(Set(map.notes.map(\.title)) == ["cut", "whole"])
    #expect(map.notes.filter { $0.id == UUID.none.text }.map(\.title) == ["cut"])
  }

  @Test func `the map has the notes around one, and all of them`() async throws {
    let box = try Box()
    let notes = try await [box.note("a"), box.note("b"), box.note("c"), box.note("d")]
    for (from, to) in zip(notes, notes.dropFirst()) {
      var edit = NoteEdit()
      edit.addLinks = [try to.id.uuid]
      _ = try await box.library.edit(try from.id.uuid, edit, by: nil)
    }
    let near = try await box.library.map(around: try notes[0].id.uuid, depth: 2)
    #expect(near.notes.map(\.title) == ["a", "b", "c"])
    #expect(near.links == [[0, 1], [1, 2]])
    let whole = try await box.library.map()
    #expect(whole.notes.count == 4 && whole.links.count == 3 && whole.isWhole)
    let texts = try [whole.json, JSONEncoder().encode(whole)]
    let trees = try texts.map { try JSONSerialization.jsonObject(with: $0) as? NSDictionary }
    #expect(trees[0] == trees[1] && trees[0]?.count == 3)
    let numbers = try await box.library.statistics()
    #expect(numbers.notes == 4 && numbers.linked == 3 && numbers.alone == 0)
    #expect(numbers.days.values.reduce(0, +) == 4)
    #expect(try await box.library.random(in: .all) != nil)
    #expect(try await box.library.random(in: .trash) == nil)
  }

  @Test func `a note in the trash is not counted, and what it led to is not alone`() async throws {
    let box = try Box()
    let notes = try await [box.note("a"), box.note("b"), box.note("c"), box.note("d")]
    for (from, to) in [(0, 1), (1, 2), (0, 2)] {
      var edit = NoteEdit()
      edit.addLinks = [try notes[to].id.uuid]
      _ = try await box.library.edit(try notes[from].id.uuid, edit, by: nil)
    }
    _ = try await box.library.trash([try notes[0].id.uuid], by: nil)
    let numbers = try await box.library.statistics()
    #expect(numbers.notes == 3 && numbers.linked == 1 && numbers.alone == 1)
    let alone = try await box.library.notes(NoteQuery(NoteSearch(text: "is:orphan")))
    #expect(alone.rows.map(\.title) == ["d"])
  }
}
