import CoreData
import Foundation
import Testing

@testable import SlipboxLibrary

/// Things that several devices make while none of them reaches the others.
@Suite(.serialized) struct SameThingsTests {
  @Test func `the note of a day, its folder and a keyword that two devices made were there twice`()
    async throws
  {
    let (server, phone, desk) = try await SyncingTests.joined()
    try await SyncingTests.settle(phone, desk)
    server.stop()
    var ids: [String] = []
    for box in [phone, desk] {
      let note = try await box.library.daily("2026-11-29", utcOffset: nil, by: nil).note
      ids.append(note.id)
      var edit = NoteEdit()
      edit.addKeywords = [KeywordChoice(name: box === phone ? "Garden" : "garden")]
      _ = try await box.library.edit(try #require(UUID(uuidString: note.id)), edit, by: nil)
    }
    #expect(ids[0] == ids[1])
    try server.start()
    try await SyncingTests.settle(phone, desk)
    for box in [phone, desk] {
      let counts = try await box.library.read { context in
        (
          notes: try context.count(for: Note.fetch(NSPredicate(format: "title_ == '2026-11-29'"))),
          folders: try context.count(
            for: Folder.fetch(NSPredicate(format: "name_ == 'Daily notes'"))
          ),
          keywords: try context.count(
            for: Keyword.fetch(NSPredicate(format: "name_ ==[c] 'garden'"))
          )
        )
      }
      #expect(counts == (1, 1, 1))
      let note = try await box.library.note(try #require(UUID(uuidString: ids[0])))
      #expect(note.folder?.name == "Daily notes")
      #expect(note.keywords.count == 1)
    }
  }

  @Test func `a name that was given away is an identifier that is taken`() async throws {
    let box = try Box()
    let first = try await box.library.daily("2026-11-29", utcOffset: nil, by: nil).note
    let id = try #require(UUID(uuidString: first.id))
    var edit = NoteEdit()
    edit.title = "A day in November"
    edit.base = first.revision
    edit.addKeywords = [KeywordChoice(name: "garden")]
    let edited = try await box.library.edit(id, edit, by: nil).note
    let keyword = try #require(edited.keywords.first.flatMap { UUID(uuidString: $0.id) })
    try await box.library.write(by: nil) { context in
      try Keyword.find(keyword, in: context)?.name = "gardening"
      try context.save()
    }
    let second = try await box.library.daily("2026-11-29", utcOffset: nil, by: nil)
    #expect(second.isNew && second.note.id != first.id)
    var next = NoteEdit()
    next.addKeywords = [KeywordChoice(name: "garden")]
    let other = try await box.library.edit(
      try #require(UUID(uuidString: second.note.id)),
      next,
      by: nil
    ).note
    #expect(other.keywords.map(\.name) == ["garden"])
    #expect(other.keywords.first?.id != edited.keywords.first?.id)
    // The same with the trash.
    let third = try await box.library.daily("2026-11-30", utcOffset: nil, by: nil).note
    _ = try await box.library.trash([try #require(UUID(uuidString: third.id))], by: nil)
    let fourth = try await box.library.daily("2026-11-30", utcOffset: nil, by: nil)
    #expect(fourth.isNew && fourth.note.id != third.id)
  }
}
