import CoreData
import CoreDataWebServer
import Foundation
import Testing

@testable import Notes

struct `A notebook` {
  @Test func `a store that another program had locked kept people waiting for minutes`() throws {
    let coordinator = try TestNotebook().notebook.context.persistentStoreCoordinator
    let options = try #require(coordinator?.persistentStores.first?.options)
    let patience = try #require(options[NSPersistentStoreTimeoutOption] as? NSNumber)
    #expect(patience.doubleValue <= 15)
  }

  @Test func `a note was told to be saved before it was on the disk`() throws {
    let coordinator = try TestNotebook().notebook.context.persistentStoreCoordinator
    let options = try #require(coordinator?.persistentStores.first?.options)
    let pragmas = try #require(options[NSSQLitePragmasOption] as? [String: NSObject])
    #expect(pragmas["synchronous"] == "FULL" as NSString)
  }

  @Test func `lists notes, the last updated one first`() async throws {
    let test = try TestNotebook()
    #expect(await test.notebook.notes().isEmpty)
    let first = try await test.note("first", contents: "one\n two")
    _ = try await test.note("second")
    #expect(await test.notebook.notes().map(\.title) == ["second", "first"])
    _ = try await test.notebook.updateNote(first.id, NoteDraft(contents: "changed"))
    let notes = await test.notebook.notes()
    #expect(notes.map(\.title) == ["first", "second"])
    #expect(notes.map(\.preview) == ["changed", ""])
  }

  @Test func `a note that was saved as it was moved to the top all the same`() async throws {
    let test = try TestNotebook()
    let first = try await test.note("first", contents: "text")
    _ = try await test.note("second")
    let same = NoteDraft(title: " first ", contents: "text")
    #expect(try await test.notebook.updateNote(first.id, same) == first)
    #expect(await test.notebook.notes().map(\.title) == ["second", "first"])
  }

  @Test func `lists categories by name, with how many notes they have`() async throws {
    let test = try TestNotebook()
    let work = try await test.category("work")
    _ = try await test.category("Äpfel")
    _ = try await test.category(" Zoo ")
    let note = try await test.note("one")
    _ = try await test.notebook.assign(work.id, toNote: note.id)
    let rows = await test.notebook.categories()
    #expect(rows.map(\.name) == ["Äpfel", "work", "Zoo"])
    #expect(rows.map(\.count) == [0, 1, 0])
  }

  @Test func `refuses what has no title or name, and keeps what was`() async throws {
    let test = try TestNotebook()
    let note = try await test.note("one")
    let category = try await test.category("Work")
    let sentence = "A note needs a title, and a category a name."
    let refusals: [() async throws -> Void] = [
      { _ = try await test.note(" ") },
      { _ = try await test.notebook.updateNote(note.id, NoteDraft(title: "")) },
      { _ = try await test.category("\n") },
      { _ = try await test.notebook.renameCategory(category.id, to: " ") },
    ]
    for refusal in refusals {
      let problem = await #expect(throws: Problem.self) { try await refusal() }
      #expect(problem?.status == 400)
      #expect(problem?.message == sentence)
    }
    #expect(await test.notebook.notes().map(\.title) == ["one"])
    #expect(await test.notebook.categories().map(\.name) == ["Work"])
  }

  @Test func `titles and names of any length went to every open page`() async throws {
    let test = try TestNotebook()
    let longest = String(repeating: "é", count: 199)
    let note = try await test.note(longest + "! ")
    let category = try await test.category(String(repeating: "n", count: 80))
    // A field of a page counts two letters for such a sign.
    let refusals: [(sentence: String, attempt: () async throws -> Void)] = [
      ("A title has at most 200 letters;", { _ = try await test.note(longest + "🍎") }),
      (
        "A title has at most 200 letters;",
        { _ = try await test.notebook.updateNote(note.id, NoteDraft(title: longest + "no")) }
      ),
      (
        "The name of a category has at most 80 letters.",
        { _ = try await test.category(String(repeating: "n", count: 81)) }
      ),
      (
        "The name of a category has at most 80 letters.",
        {
          let name = String(repeating: "🍎", count: 41)
          _ = try await test.notebook.renameCategory(category.id, to: name)
        }
      ),
    ]
    for refusal in refusals {
      let problem = await #expect(throws: Problem.self) { try await refusal.attempt() }
      #expect(problem?.status == 400)
      #expect(problem?.message.hasPrefix(refusal.sentence) == true)
    }
    #expect(await test.notebook.notes().map(\.title) == [longest + "!"])
    #expect(await test.notebook.categories().map(\.name) == [category.name])
    #expect(try await test.inContext { !$0.hasChanges })
  }

  @Test func `the beginning of a text was as long as its longest sign`() async throws {
    let test = try TestNotebook()
    let sign = "a" + String(repeating: "\u{301}", count: 100_000)
    _ = try await test.note("one", contents: "first \n second " + sign)
    let notes = await test.notebook.notes()
    let preview = try #require(notes.first?.preview)
    #expect(preview.hasPrefix("first second "))
    #expect(preview.unicodeScalars.count < 1_000)
  }

  @Test func `says that what was deleted is not there`() async throws {
    let test = try TestNotebook()
    let note = try await test.note("one")
    _ = try await test.notebook.deleteNote(note.id)
    for id in [note.id, UUID().text, "nonsense"] {
      let problem = await #expect(throws: Problem.self) { try await test.notebook.note(id) }
      #expect(problem?.status == 404)
    }
  }

  @Test func `the slower of two who deleted a note was told of an error of the server`()
    async throws
  {
    let test = try TestNotebook()
    let note = try await test.note("one")
    let manager = try CoreDataManager(store: test.file)
    let context = manager.managedObjectContext
    let uuid = try #require(UUID(uuidString: note.id))
    let found = try await context.perform { try context.note(uuid)?.objectID }
    let id = try #require(found)
    let deletions = Deletions(manager)
    _ = try await deletions.delete(id)
    let problem = await #expect(throws: Problem.self) { try await deletions.delete(id) }
    #expect(problem?.status == 404)
  }

  @Test func `takes a deletion back, and nothing else`() async throws {
    let test = try TestNotebook()
    let note = try await test.note("one", contents: "text")
    let category = try await test.category("Work")
    _ = try await test.notebook.assign(category.id, toNote: note.id)
    let token = try await test.notebook.deleteNote(note.id)
    _ = try await test.note("two")
    _ = try await test.notebook.renameCategory(category.id, to: "Office")
    #expect(await test.notebook.notes().map(\.title) == ["two"])
    try await test.notebook.undo(token)
    #expect(await test.notebook.notes().map(\.title) == ["two", "one"])
    #expect(try await test.notebook.note(note.id).contents == "text")
    #expect(try await test.notebook.note(note.id).category == category.id)
    #expect(await test.notebook.categories().map(\.name) == ["Office"])
    let problem = await #expect(throws: Problem.self) { try await test.notebook.undo(token) }
    #expect(problem?.status == 410)
  }

  @Test func `keeps the notes of a category that is deleted, and gives them back`() async throws {
    let test = try TestNotebook()
    let note = try await test.note("one")
    let category = try await test.category("Work")
    _ = try await test.notebook.assign(category.id, toNote: note.id)
    let token = try await test.notebook.deleteCategory(category.id)
    #expect(await test.notebook.categories().isEmpty)
    #expect(await test.notebook.notes().map(\.category) == [nil])
    try await test.notebook.undo(token)
    #expect(await test.notebook.categories().map(\.count) == [1])
    #expect(await test.notebook.notes().map(\.category) == [category.id])
  }

  @Test func `gives a category back whose note was deleted meanwhile`() async throws {
    let test = try TestNotebook()
    let (gone, kept) = (try await test.note("gone"), try await test.note("kept"))
    let category = try await test.category("Work")
    let ids = [gone.id, kept.id]
    _ = try await test.notebook.changeNotes(ofCategory: category.id, add: ids, remove: [])
    let token = try await test.notebook.deleteCategory(category.id)
    let second = try await test.notebook.deleteNote(gone.id)
    try await test.notebook.undo(token)
    #expect(await test.notebook.categories().map(\.count) == [1])
    #expect(await test.notebook.notes().map(\.title) == ["kept"])
    #expect(await test.notebook.notes().map(\.category) == [category.id])
    try await test.notebook.undo(second)
    #expect(Set(await test.notebook.notes().map(\.title)) == ["gone", "kept"])
    #expect(await test.notebook.categories().map(\.count) == [1])
  }

  @Test func `gives a note back whose category was deleted meanwhile`() async throws {
    let test = try TestNotebook()
    let note = try await test.note("one", contents: "text")
    let category = try await test.category("Work")
    _ = try await test.notebook.assign(category.id, toNote: note.id)
    let token = try await test.notebook.deleteNote(note.id)
    _ = try await test.notebook.deleteCategory(category.id)
    try await test.notebook.undo(token)
    #expect(try await test.notebook.note(note.id).contents == "text")
    #expect(try await test.notebook.note(note.id).category == nil)
  }

  @Test func `counts a note once that went to another category before its own came back`()
    async throws
  {
    let test = try TestNotebook()
    let note = try await test.note("one")
    let (home, work) = (try await test.category("Home"), try await test.category("Work"))
    _ = try await test.notebook.assign(work.id, toNote: note.id)
    let token = try await test.notebook.deleteCategory(work.id)
    _ = try await test.notebook.assign(home.id, toNote: note.id)
    #expect(await test.notebook.categories().map(\.count) == [1])
    try await test.notebook.undo(token)
    let again = try Notebook(CoreDataManager(store: test.file))
    for notebook in [test.notebook, again] {
      #expect(await notebook.categories().map(\.count) == [0, 1])
      #expect(await notebook.notes().map(\.category) == [work.id])
    }
  }

  @Test func `a note that another program had changed could not be saved any more`() async throws {
    let test = try TestNotebook()
    let note = try await test.note("one")
    let other = try Notebook(CoreDataManager(store: test.file))
    _ = try await other.updateNote(note.id, NoteDraft(contents: "of another program"))
    let draft = NoteDraft(title: "Uno")
    let problem = await #expect(throws: Problem.self) {
      try await test.notebook.updateNote(note.id, draft)
    }
    #expect(problem?.status == 409)
    #expect(problem?.message == "Another program has changed this meanwhile. Try again.")
    let saved = try await test.notebook.updateNote(note.id, draft)
    #expect(saved.title == "Uno")
    #expect(saved.contents == "of another program")
  }

  @Test func `keeps everything in its file`() async throws {
    let test = try TestNotebook()
    let note = try await test.note("one", contents: "text")
    let category = try await test.category("Work")
    _ = try await test.notebook.changeNotes(ofCategory: category.id, add: [note.id], remove: [])
    let again = try Notebook(CoreDataManager(store: test.file))
    #expect(try await again.note(note.id).contents == "text")
    #expect(try await again.note(note.id).category == category.id)
  }
}

struct `Pages that are open` {
  @Test func `get both lists at once, and each list when it changes`() async throws {
    let test = try TestNotebook()
    _ = try await test.note("one")
    let events = try await test.notebook.events(note: nil)
    #expect(await next("categories", of: events) == "[]")
    #expect(await next("notes", of: events)?.contains(#""title":"one""#) == true)
    _ = try await test.note("two")
    #expect(await next("notes", of: events)?.contains(#""title":"two""#) == true)
    _ = try await test.category("Work")
    #expect(await next("categories", of: events)?.contains(#""name":"Work""#) == true)
  }

  @Test func `the page of a note that is gone had no lists either`() async throws {
    let test = try TestNotebook()
    let gone = try await test.note("gone")
    _ = try await test.notebook.deleteNote(gone.id)
    _ = try await test.note("one")
    for id in [gone.id, UUID().text, "nonsense"] {
      let events = try await test.notebook.events(note: id)
      #expect(await next("notes", of: events)?.contains(#""title":"one""#) == true)
      _ = try await test.category("Work")
      #expect(await next("categories", of: events)?.contains("Work") == true)
    }
  }

  @Test func `follow the label of their note`() async throws {
    let test = try TestNotebook()
    let (note, other) = (try await test.note("one"), try await test.note("other"))
    let category = try await test.category("Work")
    let events = try await test.notebook.events(note: note.id)
    #expect(await next("label", of: events)?.contains("No Category") == true)
    _ = try await test.notebook.assign(category.id, toNote: other.id)
    _ = try await test.notebook.changeNotes(ofCategory: category.id, add: [note.id], remove: [])
    #expect(await next("label", of: events)?.contains(#""label":"Work""#) == true)
    _ = try await test.notebook.renameCategory(category.id, to: "Office")
    #expect(await next("label", of: events)?.contains(#""label":"Office""#) == true)
    _ = try await test.notebook.deleteCategory(category.id)
    #expect(await next("label", of: events)?.contains("No Category") == true)
  }

  @Test(.timeLimit(.minutes(60)))
  func `follow their notes while many change them at the same time`() async throws {
    let test = try TestNotebook()
    let notebook = test.notebook
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<4 {
        let note = try await test.note("note \(number)")
        let category = try await test.category("category \(number)")
        let page = try await notebook.events(note: note.id)
        group.addTask {
          for turn in 1...5 {
            _ = try await notebook.assign(category.id, toNote: note.id)
            _ = try await notebook.renameCategory(category.id, to: "name \(number)-\(turn)")
            _ = try await notebook.assign(nil, toNote: note.id)
          }
          _ = try await notebook.assign(category.id, toNote: note.id)
        }
        group.addTask {
          // Labels of other notes come too, since all pages hear what the hub sends.
          let own = #""note":"\#(note.id)""#
          let last = #""label":"name \#(number)-5""#
          for await event in page where event.name == "label" && event.data.contains(own) {
            if event.data.contains(last) { return }
          }
          Issue.record("The page of note \(number) ended before it had the last label.")
        }
      }
      try await group.waitForAll()
    }
  }

  @Test func `are forgotten when they are closed`() async throws {
    let test = try TestNotebook()
    let note = try await test.note("one")
    do {
      let events = try await test.notebook.events(note: note.id)
      _ = await next("notes", of: events)
      #expect(await test.notebook.pages.count == 1)
    }
    for _ in 0..<200 where await test.notebook.pages.count > 0 {
      try await Task.sleep(for: .milliseconds(10))
    }
    #expect(await test.notebook.pages.count == 0)
    #expect(test.notebook.hub.count == 0)
  }
}
