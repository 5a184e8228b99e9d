import CoreData
import Foundation
import RichText
import Testing

@testable import SlipboxLibrary

/// Titles in the texts of others: they follow when a note is renamed, and wait for one that is not there.
struct NamingTests {
  private func write(_ box: Box, _ id: String, _ text: RichText) async throws {
    var edit = NoteEdit()
    edit.base = try await box.library.note(try id.uuid).revision
    edit.document = JSONValue(text: text.json)
    _ = try await box.library.edit(try id.uuid, edit, by: "test")
  }

  private func rename(_ box: Box, _ id: String, _ title: String) async throws {
    var edit = NoteEdit()
    edit.base = try await box.library.note(try id.uuid).revision
    edit.title = title
    _ = try await box.library.edit(try id.uuid, edit, by: "test")
  }

  private func text(_ box: Box, _ id: String) async throws -> RichText {
    try RichText(document: try await box.library.note(try id.uuid).document)
  }

  @Test func `renaming a note is followed by the texts that show its title, and back`() async throws
  {
    let box = try Box()
    let slots = try await box.note("Slots")
    let id = try slots.id.uuid
    let one = try await box.note("One")
    let before = RichText([
      .paragraph([
        .text("See "), .text("Slots", [.link(.note(id))]), .text(" or "),
        .text("places", [.link(.note(id))]), .text(" or "),
        .text("Slots#Firing", [.link(.heading(id, "Firing")), .bold]),
      ])
    ])
    try await write(box, one.id, before)
    let edited = try await box.library.note(try one.id.uuid).modified
    box.clock.wait(60)
    try await rename(box, slots.id, "Seats")
    #expect(try await text(box, one.id).plainText == "See Seats or places or Seats#Firing")
    // Nobody has edited it.
    #expect(try await box.library.note(try one.id.uuid).modified == edited)
    try await rename(box, slots.id, "")
    #expect(try await text(box, one.id).plainText == "See Seats or places or Seats#Firing")
    try await rename(box, slots.id, "Slots")
    #expect(try await text(box, one.id) == before)
    #expect(try await box.library.note(try slots.id.uuid).backlinks.map(\.title) == ["One"])
  }

  @Test func `all texts follow a new title, also where they are more than anybody waits for`()
    async throws
  {
    let box = try Box()
    let slots = try await box.note("Slots")
    let id = try slots.id.uuid
    let count = Note.mostFollowers + 60
    let shown = StoredText(RichText([.paragraph([.text("Slots", [.link(.note(id))])])]))
    let waiting = StoredText(RichText(plainText: "[[Chairs]]"))
    let now = box.clock.now
    try await box.library.write(by: nil) { context in
      for number in 0..<count {
        for text in [shown, waiting] {
          let note = Note(context: context)
          try note.rewrite(title: "Note \(number)", stored: text, at: now)
        }
      }
    }
    try await rename(box, slots.id, "Seats")
    try await rename(box, slots.id, "Chairs")
    // Each waits for the portion that was put into the queue of writing before it.
    for _ in 0..<60 { try await box.library.write(by: nil) { _ in } }
    #expect(try await linking(box, to: id) == 2 * count)
    let texts = try await box.library.read { context in
      Set(
        try context.fetch(Note.fetch(NSPredicate(format: "uuid_ != %@", id as any CVarArg)))
          .map(\.formattedBodyText.plainText)
      )
    }
    #expect(texts == ["Chairs"])
  }

  private func linking(_ box: Box, to id: UUID) async throws -> Int {
    try await box.library.read { context in
      let note = try context.note(id)
      context.refreshAllObjects()
      return note.backLinkedNotes.count {
        $0.formattedBodyText.plainText == "Chairs"
      }
    }
  }

  /// More notes than a save follows, each with a link to a note.
  private func followers(_ count: Int, of id: UUID, in box: Box) async throws {
    let shown = StoredText(RichText([.paragraph([.text("Slots", [.link(.note(id))])])]))
    let now = box.clock.now
    try await box.library.write(by: nil) { context in
      for number in 0..<count {
        let note = Note(context: context)
        try note.rewrite(title: "Note \(number)", stored: shown, at: now)
      }
    }
  }

  /// The steps that are reported until nothing follows any more.
  private func step(_ note: String, _ stage: FollowState.Stage) -> FollowState {
    FollowState(
      note: note,
      title: note,
      stage: stage,
      done: 1,
      total: 2,
      behind: [],
      behindCount: 0,
      reason: nil,
      by: nil
    )
  }

  @Test func `whoever was far behind never heard that the edits of a note had ended`() async {
    let (stream, listener) = AsyncStream.makeStream(
      of: FollowState.self,
      bufferingPolicy: .bufferingNewest(Followings.room)
    )
    Followings.tell(step("seeds", .done), listener)
    for _ in 0..<2 * Followings.room { Followings.tell(step("water", .running), listener) }
    listener.finish()
    var ended: [String] = []
    for await state in stream where state.isEnd { ended.append(state.note) }
    #expect(ended == ["seeds"])
  }

  private func steps(_ states: AsyncStream<FollowState>) async -> [FollowState] {
    var steps: [FollowState] = []
    for await state in states {
      steps.append(state)
      if state.stage != .running { break }
    }
    return steps
  }

  @Test func `how far the texts are that follow a new title is told`() async throws {
    let box = try Box()
    let slots = try await box.note("Slots")
    try await followers(Note.mostFollowers + 20, of: try slots.id.uuid, in: box)
    let states = box.library.followStates()
    try await rename(box, slots.id, "Seats")
    let steps = await steps(states)
    #expect(steps.map(\.done) == [0, 0, 50, 100, 150, 200, 250, 300, 320])
    #expect(steps.allSatisfy { $0.total == 320 && $0.title == "Seats" && $0.by == "test" })
    #expect(steps.last?.stage == .done)
  }

  @Test func `texts that cannot follow a new title are named, and follow when it is tried again`()
    async throws
  {
    let box = try Box()
    let slots = try await box.note("Slots")
    let id = try slots.id.uuid
    try await followers(Note.mostFollowers + 20, of: id, in: box)
    let store = box.folder.appending(path: "Slipbox.sqlite")
    try Shell.run(
      """
      CREATE TRIGGER refusal BEFORE UPDATE ON ZNOTE WHEN OLD.ZTITLE_ IN ('Note 7', 'Note 310') \
      BEGIN SELECT RAISE(ABORT, 'it is held'); END;
      """,
      on: store
    )
    let states = box.library.followStates()
    try await box.library.write(by: nil) { context in try context.note(id).title_ = "Seats" }
    let renaming = try await box.library.read { context in
      try Renaming(of: try context.note(id), from: "Slots", in: context)
    }
    box.library.followSoon(try #require(renaming), by: "test")
    let stuck = try #require(await steps(states).last)
    #expect(stuck.stage == .stuck)
    #expect(stuck.behind.map(\.title).sorted() == ["Note 310", "Note 7"])
    #expect((stuck.done, stuck.behindCount) == (318, 2))
    #expect(stuck.reason == "The changes could not be saved.")
    try Shell.run("DROP TRIGGER refusal;", on: store)
    let again = box.library.followStates()
    box.library.followAgain(id)
    #expect(await steps(again).last?.stage == .stuck)
    let rest = await steps(again)
    #expect(rest.last?.stage == .done)
    let old = try await box.library.read { context in
      try context.count(for: Note.fetch(NSPredicate(format: "bodyText_ CONTAINS 'slots'")))
    }
    #expect(old == 0)
  }

  @Test func `what was written from a text before its link was renamed is put together`()
    async throws
  {
    let box = try Box()
    let slots = try await box.note("Slots")
    let link = RichText.Block.paragraph([.text("Slots", [.link(.note(try slots.id.uuid))])])
    let one = try await box.note("One")
    try await write(box, one.id, RichText([link, .paragraph([.text("a")])]))
    let base = try await box.library.note(try one.id.uuid).revision
    try await rename(box, slots.id, "Seats")
    var edit = NoteEdit()
    edit.base = base
    edit.document = JSONValue(text: RichText([link, .paragraph([.text("a b")])]).json)
    let written = try await box.library.edit(try one.id.uuid, edit, by: "test")
    #expect(written.merged)
    #expect(try await text(box, one.id).plainText == "Seats\na b")
  }

  @Test func `a link to a note that is not there waits for it, whatever its case`() async throws {
    let box = try Box()
    let one = try await box.note("One", "See [[Later]], [[later#Second|the second]] and [[Never]].")
    #expect(try await box.library.note(try one.id.uuid).links == [])
    let later = try await box.note("Later")
    let id = try later.id.uuid
    let content = try await box.library.note(try one.id.uuid)
    #expect(content.links.map(\.title) == ["Later"])
    #expect(
      try await text(box, one.id)
        == RichText([
          .paragraph([
            .text("See "), .text("Later", [.link(.note(id))]), .text(", "),
            .text("the second", [.link(.heading(id, "Second"))]), .text(" and [[Never]]."),
          ])
        ])
    )
    // Another name, or another title, is a note as well.
    var edit = NoteEdit()
    edit.aliases = ["never"]
    let undo = try #require(try await box.library.edit(id, edit, by: "test").undo)
    #expect(try await text(box, one.id).looseLinks == [])
    _ = try await box.library.undo(undo, by: "test")
    #expect(try await text(box, one.id).looseLinks.map(\.title) == ["Never"])
  }

  @Test func `undoing another name took back what had been written since into another note`()
    async throws
  {
    let box = try Box()
    let one = try await box.note("One", "See [[Never]].")
    let later = try await box.note("Later")
    var edit = NoteEdit()
    edit.aliases = ["never"]
    let undo = try #require(try await box.library.edit(later.id.uuid, edit, by: "test").undo)
    var writing = NoteEdit()
    writing.base = try await box.library.note(one.id.uuid).revision
    writing.document = .document("Written since.")
    _ = try await box.library.edit(one.id.uuid, writing, by: "test")
    await #expect { try await box.library.undo(undo, by: "test") } throws: {
      "\($0)".contains("the text was edited since")
    }
    #expect(try await text(box, one.id).plainText.contains("Written since."))
  }

  @Test func `a link that a program sent waited for a note that was there`() async throws {
    let box = try Box()
    let id = try await box.note("Alpha").id.uuid
    let part = RichText.Link.heading(id, "Part")
    var new = NewNote(title: "Sent")
    new.document = .document("See [[alpha#Part]], [[Alpha|it]] and [[Sent]].")
    let sent = try await box.library.make(new, by: nil).note
    #expect(
      try await text(box, sent.id)
        == RichText([
          .paragraph([
            .text("See "), .text("alpha#Part", [.link(part)]), .text(", "),
            .text("it", [.link(.note(id))]), .text(" and [[Sent]]."),
          ])
        ])
    )
    #expect(sent.links.map(\.title) == ["Alpha"])
    var edit = NoteEdit()
    edit.base = sent.revision
    edit.document = .document("[[Alpha#Part]] of [[Sent]] and [[Beta]].")
    let written = try await box.library.edit(try sent.id.uuid, edit, by: nil).note
    #expect(
      try await text(box, sent.id)
        == RichText([
          .paragraph([.text("Alpha#Part", [.link(part)]), .text(" of [[Sent]] and [[Beta]].")])
        ])
    )
    // Somebody is typing in a page.
    edit.base = written.revision
    edit.document = .document("Not [[Alpha]].")
    _ = try await box.library.edit(try sent.id.uuid, edit, by: "test")
    #expect(try await text(box, sent.id).looseLinks.map(\.title) == ["Alpha"])
  }

  @Test func `notes that are imported are found by those that wait for them`() async throws {
    let box = try Box()
    let one = try await box.note("One", "See [[Comes later]].")
    let file = ImportedFile(name: "Comes later.md", data: Data("Here.".utf8))
    _ = try await box.library.importNotes([file], into: nil, by: nil)
    #expect(try await box.library.note(try one.id.uuid).links.map(\.title) == ["Comes later"])
  }

  @Test func `links to what is gone are told`() async throws {
    let box = try Box()
    let slots = try await box.note("Slots")
    let id = try slots.id.uuid
    let one = try await box.note("One")
    try await write(box, one.id, RichText([.paragraph([.text("Slots", [.link(.note(id))])])]))
    #expect(try await box.library.note(try one.id.uuid).dead == [])
    _ = try await box.library.trash([id], by: nil)
    #expect(try await box.library.note(try one.id.uuid).dead == [slots.id])
  }

  @Test func `a restored version takes its title along in the texts of others, and back`()
    async throws
  {
    let box = try Box()
    let slots = try await box.note("Slots", "a")
    let id = try slots.id.uuid
    let one = try await box.note("One")
    try await write(box, one.id, RichText([.paragraph([.text("Slots", [.link(.note(id))])])]))
    box.clock.wait(3600)
    try await rename(box, slots.id, "Seats")
    let version = try #require(try await box.library.versions(of: id).first)
    let undo = try #require(
      try await box.library.restore(version: try version.id.uuid, of: id, by: nil).undo
    )
    #expect(try await text(box, one.id).plainText == "Slots")
    _ = try await box.library.undo(undo, by: nil)
    #expect(try await text(box, one.id).plainText == "Seats")
  }

  @Test func `mentions without a link are told with their sentence, and can become links`()
    async throws
  {
    let box = try Box()
    let slots = try await box.note("Slip box")
    let id = try slots.id.uuid
    let one = try await box.note("One", "First. A slip box is a box. Last.")
    _ = try await box.note("Two", "Slip boxes are many, a box of a slip is none.")
    let mentions = try await box.library.mentions(of: id)
    #expect(mentions.map(\.title) == ["One"])
    #expect(mentions.first?.context == "A slip box is a box.")
    let undo = try await box.library.link(mentionOf: id, in: try one.id.uuid, by: nil)
    #expect(try await box.library.mentions(of: id) == [])
    #expect(try await box.library.note(id).backlinks.map(\.title) == ["One"])
    #expect(try await text(box, one.id).plainText == "First. A slip box is a box. Last.")
    _ = try await box.library.undo(undo, by: nil)
    #expect(try await box.library.mentions(of: id).count == 1)
  }
}
