import CoreData
import Synchronization
import TestSupport
import Testing

@Suite struct WritingTests {
  /// A note whose rating are counted up.
  private func container(at files: URL...) throws -> NSPersistentContainer {
    let container = NSPersistentContainer(name: "Notes", managedObjectModel: NotesStack.model)
    let new = files.isEmpty ? [TestSupport.TemporaryFolder.file("Notes.sqlite")] : files
    container.persistentStoreDescriptions = new.map { NSPersistentStoreDescription(url: $0) }
    var failure: (any Error)?
    container.loadPersistentStores { failure = $1 }
    if let failure { throw failure }
    return container
  }

  private func count(_ container: NSPersistentContainer, _ id: NSManagedObjectID) async throws {
    try await container.write { context in context.find(id).rating += 1 }
  }

  private func rating(_ container: NSPersistentContainer) async throws -> Double {
    try await container.read { context in
      try context.fetch(Note.fetchRequest()).first?.rating ?? -1
    }
  }

  private func next(_ number: borrowing Mutex<Int>) -> Int {
    number.withLock { number in
      number += 1
      return number
    }
  }

  @Test func `the identity of a new object was a temporary one outside of write`() async throws {
    let container = try container()
    let one = try await container.write { context in context.note("One").objectID }
    let maybe: NSManagedObjectID? = try await container.write { $0.note("Two").objectID }
    let none: NSManagedObjectID? = try await container.write { _ in nil }
    let some = try await container.write { context in
      [one, context.note("Three").objectID, context.note("Four").objectID]
    }
    #expect(none == nil)
    let ids = try [one, #require(maybe)] + some
    #expect(ids.allSatisfy { !$0.isTemporaryID })
    let titles = try await container.read { context in
      try ids.map { (try context.existingObject(with: $0) as? Note)?.title }
    }
    #expect(titles == ["One", "Two", "One", "Three", "Four"])
  }

  @Test func `a hundred writers at once lose no update`() async throws {
    let container = try container()
    let id = try await container.write { context in
      let note = context.note("Counted")
      try context.obtainPermanentIDs(for: [note])
      return note.objectID
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<100 { group.addTask { try await count(container, id) } }
      try await group.waitForAll()
    }
    #expect(try await rating(container) == 100)
  }

  @Test func `writers of two coordinators of one file lose no update`() async throws {
    let first = try container()
    let file = try #require(first.persistentStoreDescriptions[0].url)
    let second = try container(at: file)
    try await first.write { context in _ = context.note("Counted") }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for container in [first, second] {
        let id = try await container.read { try $0.fetch(Note.fetchRequest())[0].objectID }
        for _ in 0..<40 { group.addTask { try await count(container, id) } }
      }
      try await group.waitForAll()
    }
    #expect(try await rating(first) == 80)
    #expect(try await rating(second) == 80)
  }

  @Test func `a block that meets somebody else's save runs again with the newest rows`()
    async throws
  {
    let container = try container()
    let stranger = try NotesStack(reopening: #require(container.persistentStoreDescriptions[0].url))
    try await container.write { context in _ = context.note("Counted") }
    let runs = Mutex(0)
    try await container.write { context in
      let note = try context.fetch(Note.fetchRequest())[0]
      note.rating += 1
      if next(runs) < 4 {
        try stranger.work { other in
          try other.fetch(Note.fetchRequest())[0].rating += 10
          try other.save()
        }
      }
    }
    #expect(runs.withLock { $0 } == 4)
    #expect(try await rating(container) == 31)
  }

  @Test func `a conflict that never ends is thrown after eight runs, and nothing is written`()
    async throws
  {
    let container = try container()
    let stranger = try NotesStack(reopening: #require(container.persistentStoreDescriptions[0].url))
    try await container.write { context in _ = context.note("Counted") }
    let runs = Mutex(0)
    let error = await #expect(throws: NSError.self) {
      try await container.write { context in
        runs.withLock { $0 += 1 }
        let note = try context.fetch(Note.fetchRequest())[0]
        note.title = "Mine"
        try stranger.work { other in
          try other.fetch(Note.fetchRequest())[0].rating += 1
          try other.save()
        }
      }
    }
    #expect(error?.code == NSManagedObjectMergeError)
    #expect(runs.withLock { $0 } == 8)
    #expect(try await container.read { try $0.titles() } == ["Counted"])
  }

  @Test func `after an error nothing of the block remains`() async throws {
    let container = try container()
    struct Refused: Error {}
    await #expect(throws: Refused.self) {
      try await container.write { context in
        context.note("Half")
        throw Refused()
      }
    }
    #expect(try await container.read { try $0.titles() } == [])
  }

  @Test func `a block sees what was saved just before by a context without turns`() async throws {
    let container = try container()
    try await container.write { context in _ = context.note("Counted") }
    for expected in 1...20 {
      try await container.performBackgroundTask { context in
        try context.fetch(Note.fetchRequest())[0].rating += 1
        try context.save()
      }
      let seen = try await container.write { context in
        try context.fetch(Note.fetchRequest())[0].rating
      }
      #expect(Int(seen) == expected)
    }
  }

  @Test func `the error policy holds even if the container's contexts have another one`()
    async throws
  {
    final class Careless: NSPersistentContainer, @unchecked Sendable {
      override func newBackgroundContext() -> NSManagedObjectContext {
        let context = super.newBackgroundContext()
        context.mergePolicy = NSMergePolicy.overwrite
        return context
      }
    }
    let container = Careless(name: "Notes", managedObjectModel: NotesStack.model)
    container.persistentStoreDescriptions = [
      NSPersistentStoreDescription(url: TestSupport.TemporaryFolder.file("Notes.sqlite"))
    ]
    container.loadPersistentStores { _, error in #expect(error == nil) }
    let isError = try await container.write { context in
      (context.mergePolicy as? NSMergePolicy)?.mergeType == .errorMergePolicyType
    }
    #expect(isError)
  }

  @Test func `a canceled writer leaves the line, and those behind it come`() async throws {
    let container = try container()
    let gate = DispatchSemaphore(value: 0)
    let begun = AsyncStream.makeStream(of: Void.self)
    let first = Task {
      try await container.write { context in
        begun.continuation.yield()
        gate.wait()
        _ = context.note("First")
      }
    }
    for await _ in begun.stream { break }
    let second = Task { try await container.write { context in _ = context.note("Second") } }
    let third = Task { try await container.write { context in _ = context.note("Third") } }
    second.cancel()
    await #expect(throws: CancellationError.self) { try await second.value }
    gate.signal()
    try await first.value
    try await third.value
    #expect(try await container.read { try $0.titles() } == ["First", "Third"])
  }

  // Among all other tests on two processors its turns take a quarter of an hour together.
  @Test(.timeLimit(.minutes(60)))
  func `a canceled writer of two stores held up those who wanted the free one`() async throws {
    let (busy, free) = (
      TestSupport.TemporaryFolder.file("Busy.sqlite"),
      TestSupport.TemporaryFolder.file("Free.sqlite")
    )
    let (one, both, other) = try (
      container(at: busy), container(at: busy, free), container(at: free)
    )
    let gate = DispatchSemaphore(value: 0)
    let begun = AsyncStream.makeStream(of: Void.self)
    let first = Task {
      try await one.write { _ in
        begun.continuation.yield()
        gate.wait()
      }
    }
    for await _ in begun.stream { break }
    let second = Task { try await both.write { context in _ = context.note("Second") } }
    for _ in 0..<100 { await Task.yield() }
    let third = Task { try await other.write { context in _ = context.note("Third") } }
    for _ in 0..<100 { await Task.yield() }
    second.cancel()
    await #expect(throws: CancellationError.self) { try await second.value }
    try await third.value
    gate.signal()
    try await first.value
    #expect(try await both.read { try $0.titles() } == ["Third"])
  }

  @Test func `who reads sees one moment, whatever is written meanwhile`() async throws {
    let container = try container()
    let stranger = try NotesStack(reopening: #require(container.persistentStoreDescriptions[0].url))
    try await container.write { context in _ = context.note("One") }
    let counts = try await container.read { context in
      let before = try context.count(for: Note.fetchRequest())
      try stranger.work { other in
        other.note("Two")
        try other.save()
      }
      return [before, try context.count(for: Note.fetchRequest())]
    }
    #expect(counts == [1, 1])
    #expect(try await container.read { try $0.count(for: Note.fetchRequest()) } == 2)
  }

  @Test func `what a reader changes is dropped`() async throws {
    let container = try container()
    try await container.read { context in _ = context.note("Never") }
    #expect(try await container.read { try $0.titles() } == [])
  }
}
