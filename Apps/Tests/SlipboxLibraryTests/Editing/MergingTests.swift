import Foundation
import RichText
import Testing

@testable import SlipboxLibrary

/// Edits that began from an earlier revision.
struct MergingTests {
  private func edit(
    _ base: Int64,
    _ lines: [String]? = nil,
    title: String? = nil
  ) -> NoteEdit {
    var edit = NoteEdit()
    edit.base = base
    edit.title = title
    edit.document = lines.map(JSONValue.lines)
    return edit
  }

  private func lines(_ note: NoteContent) throws -> [String] {
    try #require(RichText.plain(note.document)).components(separatedBy: "\n")
  }

  /// A note of three paragraphs.
  private func note(in box: Box) async throws -> NoteContent {
    var new = NewNote(title: "title")
    new.document = .lines(["one", "two", "three"])
    return try await box.library.make(new, by: nil).note
  }

  @Test func `a stale edit of another paragraph became a copy`() async throws {
    let box = try Box()
    let note = try await note(in: box)
    let id = try note.id.uuid
    let hers = try await box.library.edit(id, edit(1, ["one!", "two", "three"]), by: "her")
    #expect(!hers.merged)
    let his = try await box.library.edit(id, edit(1, ["one", "two", "three", "four"]), by: "him")
    #expect(his.merged)
    #expect(his.note.revision == 3)
    #expect(try lines(his.note) == ["one!", "two", "three", "four"])
    #expect(try await box.library.notes(NoteQuery()).total == 1)
    #expect(try await lines(box.library.note(id)) == lines(his.note))
  }

  @Test func `twenty writers of twenty paragraphs left nineteen copies`() async throws {
    let box = try Box()
    var new = NewNote(title: "title")
    new.document = .lines((0..<20).map { "paragraph \($0)" })
    let note = try await box.library.make(new, by: nil).note
    let id = try note.id.uuid
    try await withThrowingTaskGroup(of: Void.self) { group in
      for writer in 0..<20 {
        group.addTask {
          // Everybody always begins from the revision seen last, which others have changed since.
          var seen = note
          for round in 0..<5 {
            var lines = try self.lines(seen)
            let mine = try #require(
              lines.firstIndex {
                $0.hasPrefix("paragraph \(writer) ") || $0 == "paragraph \(writer)"
              }
            )
            lines[mine] += " \(round)"
            await Task.yield()
            seen = try await box.library.edit(id, self.edit(seen.revision, lines), by: "\(writer)")
              .note
          }
        }
      }
      try await group.waitForAll()
    }
    let said = try await lines(box.library.note(id))
    #expect(said == (0..<20).map { "paragraph \($0) 0 1 2 3 4" })
    #expect(try await box.library.notes(NoteQuery()).total == 1)
  }

  @Test func `the same paragraph changed by both is kept twice`() async throws {
    let box = try Box()
    let note = try await note(in: box)
    let id = try note.id.uuid
    _ = try await box.library.edit(id, edit(1, ["one!", "two", "three"]), by: "her")
    await #expect(throws: LibraryProblem.self) {
      _ = try await box.library.edit(id, edit(1, ["one?", "two", "three!"]), by: "him")
    }
    #expect(try await lines(box.library.note(id)) == ["one!", "two", "three"])
    let window = try await box.library.notes(NoteQuery())
    #expect(Set(window.rows.map(\.excerpt)) == ["one! two three", "one? two three!"])
  }

  @Test func `a title that one side has changed wins`() async throws {
    let box = try Box()
    let note = try await note(in: box)
    let id = try note.id.uuid
    let text = ["one", "two", "three"]
    _ = try await box.library.edit(id, edit(1, text, title: "hers"), by: "her")
    let his = try await box.library.edit(
      id,
      edit(1, ["one!", "two", "three"], title: "title"),
      by: "him"
    )
    #expect(his.note.title == "hers")
    #expect(try lines(his.note) == ["one!", "two", "three"])
    // From a revision in between, by its title alone.
    let third = try await box.library.edit(id, edit(2, title: "theirs"), by: "third")
    #expect(third.note.title == "theirs")
    #expect(try lines(third.note) == ["one!", "two", "three"])
  }

  @Test func `two titles are kept as two notes`() async throws {
    let box = try Box()
    let note = try await note(in: box)
    let id = try note.id.uuid
    _ = try await box.library.edit(id, edit(1, title: "hers"), by: "her")
    await #expect(throws: LibraryProblem.self) {
      _ = try await box.library.edit(id, edit(1, ["one", "two", "4"], title: "his"), by: "him")
    }
    #expect(try await box.library.note(id).title == "hers")
    let rows = try await box.library.notes(NoteQuery()).rows
    #expect(
      rows.contains { $0.title.hasPrefix("his (your version of ") && $0.excerpt == "one two 4" }
    )
  }

  @Test func `an edit that changes nothing more writes nothing`() async throws {
    let box = try Box()
    let note = try await note(in: box)
    let id = try note.id.uuid
    let both = ["one!", "two", "three!"]
    _ = try await box.library.edit(id, edit(1, both), by: "her")
    let his = try await box.library.edit(id, edit(1, ["one!", "two", "three"]), by: "him")
    #expect(his.merged)
    #expect(his.note.revision == 2)
    #expect(try lines(his.note) == both)
  }

  @Test func `what was written before the program was started anew is kept beside`() async throws {
    let box = try Box()
    let note = try await note(in: box)
    let id = try note.id.uuid
    _ = try await box.library.edit(id, edit(1, ["one!", "two", "three"]), by: "her")
    let next = try Library(folder: box.folder)
    defer { next.close() }
    await #expect(throws: LibraryProblem.self) {
      _ = try await next.edit(id, edit(1, ["one", "two", "three!"]), by: "him")
    }
    // The revision that is read from now on is known.
    _ = try await next.note(id)
    _ = try await next.edit(id, edit(2, ["one!", "two", "three?"]), by: "her")
    let merged = try await next.edit(id, edit(2, ["one!", "two.", "three"]), by: "him")
    #expect(try lines(merged.note) == ["one!", "two.", "three?"])
  }

  @Test func `what another app wrote is merged too`() async throws {
    let box = try Box()
    let note = try await note(in: box)
    let id = try note.id.uuid
    try await box.library.write(by: "mac") { context in
      try context.note(id).formattedBodyText_ = RichText(plainText: "one\ntwo!\nthree").rtf
    }
    let edited = try await box.library.edit(id, edit(1, ["one", "two", "three!"]), by: "him")
    #expect(edited.merged)
    #expect(try lines(edited.note) == ["one", "two!", "three!"])
  }

  @Test func `links follow a merged text`() async throws {
    let box = try Box()
    let (first, second) = (try await box.note("first"), try await box.note("second"))
    let note = try await note(in: box)
    let id = try note.id.uuid
    func linked(_ lines: [String], _ to: NoteContent, at index: Int) -> NoteEdit {
      var edit = edit(1, lines)
      guard case .object(var document) = edit.document, case .list(var blocks) = document["content"]
      else { return edit }
      let link = JSONValue.object([
        "type": .text("link"), "attrs": .object(["href": .text("note:\(to.id)")]),
      ])
      blocks[index] = .object([
        "type": .text("paragraph"),
        "content": .list([
          .object(["type": .text("text"), "text": .text("see"), "marks": .list([link])])
        ]),
      ])
      document["content"] = .list(blocks)
      edit.document = .object(document)
      return edit
    }
    _ = try await box.library.edit(id, linked(["", "two", "three"], first, at: 0), by: "her")
    let merged = try await box.library.edit(
      id,
      linked(["one", "two", ""], second, at: 2),
      by: "him"
    )
    #expect(Set(merged.note.links.map(\.title)) == ["first", "second"])
  }
}

/// Tests of known earlier revisions.
struct RevisionShelfTests {
  private func content(_ text: String) -> RevisionShelf.Content {
    RevisionShelf.Content(title: "title", document: text)
  }

  @Test func `the oldest goes first where there is too much`() {
    let shelf = RevisionShelf(capacity: 10_000)
    let note = UUID()
    for revision in 1...100 {
      shelf.keep(content(String(repeating: "x", count: 300)), of: note, in: Int64(revision))
    }
    #expect(shelf.content(of: note, in: 100) != nil)
    #expect(shelf.content(of: note, in: 90) != nil)
    #expect(shelf.content(of: note, in: 1) == nil)
    #expect((1...100).count { shelf.content(of: note, in: Int64($0)) != nil } < 21)
  }

  @Test func `a text larger than the shelf is not kept`() {
    let shelf = RevisionShelf(capacity: 1000)
    shelf.keep(content(String(repeating: "x", count: 2000)), of: UUID(), in: 1)
    let note = UUID()
    shelf.keep(content("small"), of: note, in: 1)
    #expect(shelf.content(of: note, in: 1) == content("small"))
  }

  @Test func `a revision of two contents is none`() {
    let shelf = RevisionShelf()
    let note = UUID()
    shelf.keep(content("restored"), of: note, in: 2)
    #expect(shelf.content(of: note, in: 2) == content("restored"))
    shelf.keep(content("edited after the restoring was undone"), of: note, in: 2)
    #expect(shelf.content(of: note, in: 2) == nil)
    shelf.keep(content("restored"), of: note, in: 2)
    #expect(shelf.content(of: note, in: 2) == nil)
  }
}

extension JSONValue {
  /// A document with a paragraph for each line.
  static func lines(_ lines: [String]) -> JSONValue {
    .object([
      "version": .integer(1), "type": .text("doc"),
      "content": .list(
        lines.map { line in
          .object([
            "type": .text("paragraph"),
            "content": .list(
              line.isEmpty ? [] : [.object(["type": .text("text"), "text": .text(line)])]
            ),
          ])
        }
      ),
    ])
  }
}
