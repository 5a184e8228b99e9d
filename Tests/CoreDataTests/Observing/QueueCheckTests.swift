import TestSupport
import Testing

@testable import CoreData

/// A program started with `COREDATA_CONCURRENCY_DEBUG=1`.
@Suite struct QueueCheckTests {
  private static func startChecking() {
    setenv("COREDATA_CONCURRENCY_DEBUG", "1", 1)
    precondition(DebugSettings.current.checksQueues)
  }

  @Test func `a fetch outside the queue stops the program, with a name and a queue (82)`()
    async throws
  {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Self.startChecking()
      let context = try NotesStack().context()
      context.name = "imports"
      _ = try context.fetch(Note.fetchRequest())
    }
    let words = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(words.contains("fetch(_:) was called outside the queue of the context imports"))
    #expect(words.contains("which is a private one"))
    #expect(words.contains("Use perform or performAndWait"))
  }

  @Test func `reading a property outside the queue stops the program (82)`() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Self.startChecking()
      let context = try NotesStack().context()
      let note = context.performAndWait { context.note("1") }
      _ = note.title
    }
    let words = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(words.contains("Note.title was read outside the queue of the context 0x"))
  }

  @Test func `writing a property outside the queue stops the program (82)`() async {
    await #expect(processExitsWith: .failure) {
      Self.startChecking()
      let context = try NotesStack().context()
      let note = context.performAndWait { context.note("1") }
      note.stars = 1
    }
  }

  @Test func `adding to a relationship outside the queue stops the program (82)`() async {
    await #expect(processExitsWith: .failure) {
      Self.startChecking()
      let context = try NotesStack().context()
      let (note, tag) = context.performAndWait { (context.note("1"), context.tag("T")) }
      note.addToTags(tag)
    }
  }

  @Test func `a value by key outside the queue stops the program (82)`() async {
    await #expect(processExitsWith: .failure) {
      Self.startChecking()
      let context = try NotesStack().context()
      let note = context.performAndWait { context.note("1") }
      _ = note.value(forKey: "title")
    }
  }

  @Test func `inserting outside the queue stops the program (82)`() async {
    await #expect(processExitsWith: .failure) {
      Self.startChecking()
      _ = Note(context: try NotesStack().context())
    }
  }

  @Test func `another context's queue is not enough (82)`() async {
    await #expect(processExitsWith: .failure) {
      Self.startChecking()
      let stack = try NotesStack()
      let (mine, other) = (stack.context(), stack.context())
      await other.perform { _ = mine.hasChanges }
    }
  }

  @Test func `the view context outside the main queue stops the program (82)`() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Self.startChecking()
      let context = NSManagedObjectContext(.mainQueue)
      context.persistentStoreCoordinator = try NotesStack().coordinator
      await Task.detached { DispatchQueue.global().sync { _ = context.registeredObjects } }.value
    }
    let words = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(words.contains("which is the main queue"))
  }

  @Test func `correct use is not disturbed (82)`() async {
    await #expect(processExitsWith: .success) {
      Self.startChecking()
      let stack = try NotesStack(.sqlite)
      let (one, two) = (stack.context(), stack.context())
      one.name = "one"
      two.transactionAuthor = "two"
      let id = try await one.perform {
        let note = one.note("1", in: one.folder("F"))
        try one.save()
        return note.objectID
      }
      try one.performAndWait {
        try two.performAndWait {
          two.find(id).title = "2"
          try two.save()
          one.refreshAllObjects()
          precondition(one.find(id).title == "2")
        }
      }
      try await MainActor.run {
        let main = NSManagedObjectContext(.mainQueue)
        main.persistentStoreCoordinator = stack.coordinator
        let titles = try main.titles()
        precondition(titles == ["2"])
        one.performAndWait { precondition(!main.hasChanges) }
      }
      precondition(id.uriRepresentation().path.contains("Note"))
      exit(0)
    }
  }

  @Test func `arguments go before the environment`() {
    let silent = DebugSettings(arguments: ["program"], environment: [:])
    #expect(!silent.checksQueues)
    #expect(silent.sqlLevel == 0)
    let environment = ["COREDATA_SQL_DEBUG": "2", "COREDATA_CONCURRENCY_DEBUG": "YES"]
    let asked = DebugSettings(arguments: ["program"], environment: environment)
    #expect(asked.checksQueues)
    #expect(asked.sqlLevel == 2)
    let argued = DebugSettings(
      arguments: [
        "program", "-com.apple.CoreData.SQLDebug", "3", "-com.apple.CoreData.ConcurrencyDebug", "0",
      ],
      environment: environment
    )
    #expect(!argued.checksQueues)
    #expect(argued.sqlLevel == 3)
    let cut = DebugSettings(arguments: ["-com.apple.CoreData.SQLDebug"], environment: [:])
    #expect(cut.sqlLevel == 0)
  }
}
