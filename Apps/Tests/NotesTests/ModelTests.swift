import CoreData
import Foundation
import Testing

@testable import Notes

struct `A category and its notes` {
  private func stack(
    _ test: @escaping @Sendable (NSManagedObjectContext, Notes.Category, [Note]) throws -> Void
  ) async throws {
    try await TestNotebook().inContext { context in
      let category = Notes.Category(context: context)
      category.name = "Work"
      category.uuid = UUID()
      let notes = ["one", "two", "three"].map { title in
        let note = Note(context: context)
        note.title = title
        note.uuid = UUID()
        return note
      }
      try test(context, category, notes)
      try context.save()
    }
  }

  @Test func `find each other from the note's side`() async throws {
    try await stack { _, category, notes in
      notes[0].category = category
      #expect(category.notes == NSSet(object: notes[0]))
      notes[0].category = nil
      #expect(category.notes == NSSet())
    }
  }

  @Test func `find each other from the category's side, one note at a time`() async throws {
    try await stack { _, category, notes in
      category.addToNotes(notes[0])
      #expect(notes[0].category == category)
      category.removeFromNotes(notes[0])
      #expect(notes[0].category == nil)
    }
  }

  @Test func `find each other from the category's side, many notes at once`() async throws {
    try await stack { _, category, notes in
      category.addToNotes(NSSet(array: notes))
      #expect(notes.allSatisfy { $0.category == category })
      category.removeFromNotes(NSSet(array: Array(notes.prefix(2))))
      #expect(notes.map { $0.category == category } == [false, false, true])
    }
  }

  @Test func `give the same rows from whichever side they are set`() async throws {
    var results: [[String?]] = []
    for side in [true, false] {
      let notebook = try TestNotebook()
      let (note, category) = (try await notebook.note("one"), try await notebook.category("Work"))
      if side {
        _ = try await notebook.notebook.assign(category.id, toNote: note.id)
      } else {
        _ = try await notebook.notebook.changeNotes(
          ofCategory: category.id,
          add: [note.id],
          remove: []
        )
      }
      let other = try Notebook(CoreDataManager(store: notebook.file))
      let categories = await other.categories()
      #expect(categories.map(\.count) == [1])
      results.append(await other.notes().map { $0.category == category.id ? "Work" : nil })
    }
    #expect(results[0] == results[1])
    #expect(results[0] == ["Work"])
  }

  @Test func `leave a note in one category only`() async throws {
    try await stack { context, category, notes in
      let other = Notes.Category(context: context)
      other.name = "Home"
      other.uuid = UUID()
      category.addToNotes(NSSet(array: notes))
      other.addToNotes(notes[1])
      #expect(category.notes?.count == 2)
      #expect(notes[1].category == other)
    }
  }
}

struct `The page of a note` {
  @Test func `has dates even before the store does`() async throws {
    try await TestNotebook().inContext { context in
      let note = Note(context: context)
      let before = Date()
      #expect(note.updatedAtAsDate >= before)
      #expect(note.createdAtAsDate >= before)
      note.updatedAt = Date(timeIntervalSince1970: 0)
      #expect(note.updatedAtAsDate == Date(timeIntervalSince1970: 0))
      context.rollback()
    }
  }

  @Test func `changes its label when the context tells that the note changed`() async throws {
    let test = try TestNotebook()
    try await test.inContext { context in
      var labels: [String] = []
      let note = Note(context: context)
      note.title = "one"
      note.uuid = UUID()
      let category = Notes.Category(context: context)
      category.name = "Work"
      category.uuid = UUID()
      try context.save()
      let page = NoteController(note) { labels.append($0) }
      #expect(page.categoryLabel == "No Category")

      note.category = category
      context.processPendingChanges()
      category.name = "Office"
      context.processPendingChanges()
      note.title = "another title"
      context.processPendingChanges()
      category.removeFromNotes(note)
      context.processPendingChanges()
      category.addToNotes(note)
      try context.save()
      context.delete(category)
      context.processPendingChanges()
      #expect(labels == ["Work", "Office", "No Category", "Office", "No Category"])
      #expect(page.categoryLabel == "No Category")
    }
  }
}
