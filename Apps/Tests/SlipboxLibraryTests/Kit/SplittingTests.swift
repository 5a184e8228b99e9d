import CoreData
import Foundation
import RichText
import Testing

@testable import SlipboxLibrary

/// One note becomes several, and several become one.
struct SplittingTests {
  private func make(
    _ title: String,
    _ markdown: String,
    in folder: UUID? = nil,
    _ box: Box
  ) async throws -> UUID {
    var new = NewNote(title: title, folder: folder)
    new.document = try await box.library.document(markdown: markdown)
    return try await box.library.make(new, by: "test").note.id.uuid
  }

  private func markdown(_ id: UUID, _ box: Box) async throws -> String {
    try await box.library.read { try $0.note(id).formattedBodyText.markdown }
  }

  // MARK: - Splitting

  @Test func `a note is split at its headings and one undo puts it together`() async throws {
    let box = try Box()
    let folder = try await box.library.makeFolder(id: UUID(), name: "Slips", parent: nil, by: nil)
    let long = "Before\n\n## Slots\n\nValues.\n\n## Faults\n\nPromises."
    let id = try await make("Long", long, in: try folder.id.uuid, box)
    let other = try await make("Other", "See [[Long#Slots]], [[Long#Nowhere]] and [[Long]].", box)
    let before = (try await markdown(id, box), try await markdown(other, box))
    let (notes, undo) = try await box.library.split(id, at: 2, by: "test")
    #expect(notes.map(\.title) == ["Slots", "Faults"])
    let slots = try await box.library.note(try notes[0].id.uuid)
    #expect(slots.folder?.name == "Slips")
    #expect(try RichText(document: slots.document).plainText == "Values.")
    #expect(slots.backlinks.map(\.title).sorted() == ["Long", "Other"])
    let left = try await markdown(id, box)
    #expect(left.hasPrefix("Before") && !left.contains("Values."))
    #expect(try await box.library.note(id).links.map(\.title).sorted() == ["Faults", "Slots"])
    // The rest of the links leads where it led.
    #expect(try await box.library.note(other).links.map(\.title).sorted() == ["Long", "Slots"])
    let redo = try await box.library.undo(undo, by: "test")
    #expect(try await (markdown(id, box), markdown(other, box)) == before)
    await #expect(throws: LibraryProblem.self) { try await box.library.note(try notes[0].id.uuid) }
    let again = try await box.library.undo(redo, by: "test")
    #expect(try await markdown(id, box) == left)
    #expect(try await box.text(of: "Faults").plainText == "Promises.")
    // Words that were written in one of them since are kept.
    var edit = NoteEdit()
    edit.base = try await box.library.note(try notes[0].id.uuid).revision
    edit.document = .document("Other values.")
    _ = try await box.library.edit(try notes[0].id.uuid, edit, by: "b")
    await #expect(throws: LibraryProblem.self) { try await box.library.undo(again, by: "test") }
    #expect(try await box.text(of: "Slots").plainText == "Other values.")
  }

  @Test func `files of sections belong to their notes`() async throws {
    let box = try Box()
    let id = try await make("Files", "x", box)
    let file = try await box.library.addFile(Data("so".utf8), name: "a.txt", to: id, by: nil)
    let text = RichText([
      .heading(.one, [.text("Part")]),
      .file(RichText.AttachedFile(file: try file.id.uuid, name: "a.txt")),
    ])
    var edit = NoteEdit()
    edit.base = try await box.library.note(id).revision
    edit.document = JSONValue(text: text.json)
    _ = try await box.library.edit(id, edit, by: nil)
    let made = try await box.library.split(id, at: 1, by: nil).notes[0]
    #expect(try await box.library.note(try made.id.uuid).files.map(\.id) == [file.id])
  }

  @Test func `what cannot be split is refused`() async throws {
    let box = try Box()
    let id = try await make("Flat", "> # Quoted\n\nWords", box)
    await #expect(throws: LibraryProblem.self) { try await box.library.split(id, at: 1, by: nil) }
    await #expect(throws: LibraryProblem.self) { try await box.library.split(id, at: 7, by: nil) }
    let many = String(repeating: "# a\n\n", count: 201)
    let long = try await make("Many", many, box)
    await #expect(throws: LibraryProblem.self) { try await box.library.split(long, at: 1, by: nil) }
    #expect(try await box.library.read { try $0.count(for: Note.fetch(.all)) } == 2)
    let one = try await make("Trashed", "# a", box)
    _ = try await box.library.trash([one], by: nil)
    await #expect(throws: LibraryProblem.self) { try await box.library.split(one, at: 1, by: nil) }
  }

  // MARK: - Merging

  @Test func `notes are merged into the first and one undo parts them`() async throws {
    let box = try Box()
    let first = try await make("Slots", "Values.", box)
    let second = try await make("Faults", "Promises of [[Slots]].[^1]\n\n[^1]: Often.", box)
    let third = try await make("Untitled one", "Third.", box)
    let other = try await make("Other", "See [[Faults]] and [[Faults#^a1]].", box)
    var edit = NoteEdit()
    edit.addKeywords = [KeywordChoice(name: "late")]
    edit.properties = [PropertyEdit("due", kind: "date", value: "2026-12-01")]
    _ = try await box.library.edit(second, edit, by: nil)
    _ = try await box.library.attach(SamplePicture.png, name: "p.png", to: third, by: nil)
    let before = (try await markdown(first, box), try await markdown(other, box))
    let undo = try await box.library.merge([first, second, third], by: "test")
    let merged = try await box.library.note(first)
    #expect(merged.title == "Slots")
    let text = try RichText(document: merged.document)
    #expect(text.plainText.hasPrefix("Values.\nFaults\nPromises of Slots."))
    #expect(text.plainText.contains("Third.") && text.plainText.contains("Often."))
    #expect(merged.keywords.map(\.name) == ["late"])
    #expect(merged.properties.map(\.name) == ["due"])
    // The picture above the text of the third is in the text.
    #expect(merged.files.map(\.name) == ["p.png"])
    let link = try await markdown(other, box)
    #expect(try await box.library.note(other).links.map(\.title) == ["Slots"])
    #expect(try await box.library.note(second).trashed != nil)
    let redo = try await box.library.undo(undo, by: "test")
    #expect(try await (markdown(first, box), markdown(other, box)) == before)
    #expect(try await box.library.note(second).trashed == nil)
    #expect(try await box.library.note(first).keywords.isEmpty)
    _ = try await box.library.undo(redo, by: "test")
    #expect(try await markdown(other, box) == link)
  }

  @Test func `a property that led to a merged note leads to the one`() async throws {
    let box = try Box()
    let first = try await make("Slots", "a", box)
    let second = try await make("Faults", "b", box)
    let other = try await make("Other", "c", box)
    var edit = NoteEdit()
    var property = PropertyEdit("part of", kind: "link")
    property.note = second
    edit.properties = [property]
    _ = try await box.library.edit(other, edit, by: nil)
    _ = try await box.library.merge([first, second], by: nil)
    let note = try await box.library.note(other)
    #expect(note.links.map(\.title) == ["Slots"])
    #expect(note.properties.first?.value == "Slots", "\(note.properties)")
  }

  @Test func `what cannot be merged is refused and changes nothing`() async throws {
    let box = try Box()
    let one = try await make("One", "a", box)
    let two = try await make("Two", String(repeating: "long ", count: 150_000), box)
    let three = try await make("Three", String(repeating: "long ", count: 150_000), box)
    let gone = try await make("Gone", "b", box)
    _ = try await box.library.trash([gone], by: nil)
    for ids in [[one], [one, one], [one, gone], [one, UUID()], [one, two, three]] {
      await #expect(throws: LibraryProblem.self) { try await box.library.merge(ids, by: nil) }
    }
    #expect(try await markdown(one, box) == "a\n")
    #expect(try await box.library.note(two).trashed == nil)
  }
}
