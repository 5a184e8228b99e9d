import CoreData
import Foundation
import RichText
import Testing

@testable import SlipboxLibrary

/// Properties of notes: made, changed, bounded, linked, undone, and brought along.
struct PropertyEditTests {
  @Test("A property is made, changed, renamed, moved and removed, and each act is undone")
  func editing() async throws {
    let box = try Box()
    let id = try await box.note("Plan").id.uuid
    #expect(
      try await box.change(id, PropertyEdit("Due", kind: "date", value: "2026-12-01")) == [
        "Due date 2026-12-01"
      ]
    )
    #expect(
      try await box.change(id, PropertyEdit("rating", kind: "number", value: "4")) == [
        "Due date 2026-12-01", "rating number 4",
      ]
    )
    #expect(
      try await box.change(id, PropertyEdit("due", value: "2026-12-24")).first
        == "Due date 2026-12-24"
    )
    var edit = PropertyEdit("due")
    edit.newName = "deadline"
    edit.place = 1
    #expect(
      try await box.change(id, edit) == ["rating number 4", "deadline date 2026-12-24"]
    )
    #expect(try await box.change(id, PropertyEdit("rating", kind: "text")).first == "rating text 4")
    edit = PropertyEdit("rating")
    edit.removed = true
    var act = NoteEdit()
    act.properties = [edit]
    let undo = try #require(try await box.library.edit(id, act, by: nil).undo)
    #expect(try await box.properties(of: id) == ["deadline date 2026-12-24"])
    let redo = try await box.library.undo(undo, by: nil)
    #expect(try await box.properties(of: id) == ["rating text 4", "deadline date 2026-12-24"])
    #expect(try await box.found("rating:4") == ["Plan"])
    _ = try await box.library.undo(redo, by: nil)
    #expect(try await box.properties(of: id) == ["deadline date 2026-12-24"])
    // Removed twice, as by two pages, is removed.
    #expect(try await box.change(id, edit) == ["deadline date 2026-12-24"])
  }

  @Test(
    "A name or value that cannot be one is refused with a sentence that says what can",
    arguments: [
      (
        PropertyEdit("due", kind: "date", value: "soon"), "“soon” is not a date, such as 2026-12-01"
      ),
      (
        PropertyEdit("rating", kind: "number", value: "4 stars"),
        "“4 stars” is not a number, such as 4"
      ),
      (PropertyEdit("done", kind: "checkbox", value: "perhaps"), "“perhaps” is not true or false"),
      (PropertyEdit("x", kind: "colour", value: ""), "A property is a text, number, date"),
      (PropertyEdit("x", kind: "other", value: ""), "A property is a text, number, date"),
      (PropertyEdit(" ", value: ""), "A property needs a name"),
      (PropertyEdit("a:b", value: ""), "has no colon"),
      (PropertyEdit("Tags", value: ""), "Choose another name"),
      (PropertyEdit("slipbox-status", value: ""), "does not begin with “slipbox-”"),
      (PropertyEdit(String(repeating: "n", count: 101), value: ""), "at most 100 bytes"),
      (PropertyEdit("x", value: String(repeating: "v", count: 8_001)), "at most 8,000 bytes"),
    ]
  )
  func bounds(edit: PropertyEdit, sentence: String) async throws {
    let box = try Box()
    let id = try await box.note("Plan").id.uuid
    let problem = await #expect(throws: LibraryProblem.self) { try await box.change(id, edit) }
    #expect(problem?.errorDescription?.contains(sentence) == true, "\(String(describing: problem))")
    #expect(try await box.properties(of: id).isEmpty)
  }

  @Test(
    "A note has at most a hundred properties, a list two hundred items, and a name is there once"
  )
  func numbers() async throws {
    let box = try Box()
    let id = try await box.note("Plan").id.uuid
    var act = NoteEdit()
    act.properties = (0..<100).map { PropertyEdit("p\($0)", value: "\($0)") }
    _ = try await box.library.edit(id, act, by: nil)
    let full = await #expect(throws: LibraryProblem.self) {
      try await box.change(id, PropertyEdit("one more", value: "x"))
    }
    #expect(full?.errorDescription == "A note has at most 100 properties.")
    var edit = PropertyEdit("p1", kind: "list")
    edit.items = (0..<201).map { "i\($0)" }
    let long = await #expect(throws: LibraryProblem.self) { try await box.change(id, edit) }
    #expect(long?.errorDescription == "A list has at most 200 items; this one has 201.")
    edit = PropertyEdit("p1")
    edit.newName = "P2"
    let twice = await #expect(throws: LibraryProblem.self) { try await box.change(id, edit) }
    #expect(twice?.errorDescription == "The note has a property “p2” already.")
  }

  @Test("A property with a link counts as a link, follows a new title, and waits for a note")
  func links() async throws {
    let box = try Box()
    let (plan, soil) = (try await box.note("Plan").id.uuid, try await box.note("Soil").id.uuid)
    _ = try await box.change(plan, PropertyEdit("part of", kind: "link", value: "[[soil]]"))
    var content = try await box.library.note(plan)
    #expect(content.properties.first?.note == soil.text && content.links.map(\.title) == ["Soil"])
    #expect(try await box.library.note(soil).backlinks.map(\.title) == ["Plan"])
    var unlink = NoteEdit()
    unlink.removeLinks = [soil]
    #expect(try await box.library.edit(plan, unlink, by: nil).note.links.map(\.title) == ["Soil"])
    // A text that links there, and then does not any more, leaves the link of the property.
    for text in ["a", "b"] {
      var edit = NoteEdit()
      edit.base = try await box.library.note(plan).revision
      edit.document = .document(text)
      _ = try await box.library.edit(plan, edit, by: nil)
    }
    var rename = NoteEdit()
    rename.base = try await box.library.note(soil).revision
    rename.title = "Earth"
    _ = try await box.library.edit(soil, rename, by: nil)
    #expect(try await box.properties(of: plan) == ["part of link Earth"])
    #expect(try await box.found("\"part of\":ear") == ["Plan"])
    _ = try await box.library.trash([soil], by: nil)
    content = try await box.library.note(plan)
    #expect(content.properties.first?.note == nil && content.properties.first?.value == "Earth")
    _ = try await box.change(plan, PropertyEdit("part of", value: "Water"))
    #expect(try await box.library.note(plan).properties.first?.note == nil)
    let water = try await box.note("Water").id
    content = try await box.library.note(plan)
    #expect(content.properties.first?.note == water && content.links.map(\.title) == ["Water"])
    _ = try await box.change(plan, PropertyEdit("part of", kind: "text"))
    #expect(try await box.library.note(plan).links.isEmpty)
  }

  @Test("A template hands its properties on, with the words of the day")
  func templates() async throws {
    let box = try Box()
    let template = try await box.note("Meeting").id.uuid
    _ = try await box.change(template, PropertyEdit("held", kind: "text", value: "{{date}}"))
    _ = try await box.change(template, PropertyEdit("rating", kind: "number"))
    var new = NewNote(title: "Monday")
    new.template = template
    new.utcOffset = 0
    let made = try await box.library.make(new, by: nil).note
    #expect(made.properties.map(\.kind) == ["date", "number"])
    #expect(made.properties.first?.value.count == 10)
    // A copy has them as they are.
    var copy = NewNote(title: "Copy")
    copy.propertiesOf = template
    let copied = try await box.library.make(copy, by: nil).note
    #expect(copied.properties.map(\.value) == ["{{date}}", ""])
  }

  @Test("A change of a property is reported as one of its note, and so is its end")
  func events() async throws {
    let box = try Box()
    let note = try await box.note("Plan")
    let token = try await box.library.changes.lastToken()
    _ = try await box.change(note.id.uuid, PropertyEdit("due", kind: "date"))
    var edit = PropertyEdit("due")
    edit.removed = true
    _ = try await box.change(note.id.uuid, edit)
    var told: [[String]] = []
    for await event in try await box.library.changes.events(after: token) {
      guard case .changed(let changed) = event else { break }
      told.append(changed.notes)
      if told.count == 2 { break }
    }
    #expect(told == [[note.id], [note.id]])
  }
}

extension Box {
  /// Changes a property of a note, and gives all of them.
  @discardableResult
  func change(_ id: UUID, _ edit: PropertyEdit) async throws -> [String] {
    var act = NoteEdit()
    act.properties = [edit]
    return Self.written(try await library.edit(id, act, by: nil).note.properties)
  }

  func properties(of id: UUID) async throws -> [String] {
    Self.written(try await library.note(id).properties)
  }

  /// The titles of the notes that a search finds, in alphabetical order.
  func found(_ text: String) async throws -> [String] {
    let query = NoteQuery(NoteSearch(text: text), sorting: .titleAscending, limit: 500)
    return try await library.notes(query).rows.map(\.title)
  }

  private static func written(_ properties: [PropertyContent]) -> [String] {
    properties.map { "\($0.name) \($0.kind) \($0.value)" }
  }
}
