import CoreData
import Synchronization
import TestSupport
import Testing

/// Results as a sequence of snapshots, for readers on any thread.
@Suite struct ResultsSequenceTests {
  /// Notes by title, followed in a context.
  private func request(
    _ context: NSManagedObjectContext
  ) async -> FetchRequest<Note> {
    await context.perform {
      FetchRequest<Note>(sortDescriptors: [SortDescriptor(\Note.title)], in: context)
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `each change gives a snapshot with the difference from the one before`(
    kind: StoreKind
  ) async throws {
    let context = try NotesStack(kind).context()
    let snapshots = try await context.perform {
      for title in ["B", "C"] { context.note(title) }
      try context.save()
      let request = FetchRequest<Note>(sortDescriptors: [SortDescriptor(\Note.title)], in: context)
      return request.snapshots
    }
    var reader = snapshots.makeAsyncIterator()
    let first = try #require(try await reader.next())
    #expect(first.sections.map(\.name) == [""])
    #expect(first.ids.count == 2 && first.difference.insertions.count == 2)

    try await context.perform {
      context.note("A")
      try context.save()
    }
    var ids = first.ids
    // The new note comes with its temporary identity, then with its own; a slow reader sees one.
    repeat {
      let next = try #require(try await reader.next())
      ids = try #require(ids.applying(next.difference))
      #expect(ids == next.ids)
    } while ids.contains { $0.isTemporaryID }
    #expect(ids.count == 3 && Array(ids.dropFirst()) == first.ids)

    await context.perform { context.find(first.ids[0]).stars = 4 }
    let updated = try #require(try await reader.next())
    #expect(updated.updatedIDs == [first.ids[0]])
    #expect(updated.difference.isEmpty && updated.ids == ids)
  }

  @Test(arguments: StoreKind.allCases)
  func `a slow reader gets the last state, and the difference from what it saw`(
    kind: StoreKind
  ) async throws {
    let context = try NotesStack(kind).context()
    let snapshots = try await context.perform {
      for title in ["A", "B", "C"] { context.note(title) }
      try context.save()
      let request = FetchRequest<Note>(sortDescriptors: [SortDescriptor(\Note.title)], in: context)
      return request.snapshots
    }
    var reader = snapshots.makeAsyncIterator()
    let first = try #require(try await reader.next())
    await context.perform { context.find(first.ids[2]).stars = 1 }
    await context.perform { context.find(first.ids[0]).title = "Z" }
    await context.perform { context.delete(context.find(first.ids[1])) }
    let last = try #require(try await reader.next())
    #expect(last.ids == [first.ids[2], first.ids[0]])
    #expect(first.ids.applying(last.difference) == last.ids)
    #expect(last.updatedIDs.isSuperset(of: [first.ids[2]]))
    #expect(!last.updatedIDs.contains(first.ids[1]))
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `another predicate gives another snapshot`(kind: StoreKind) async throws {
    let context = try NotesStack(kind).context()
    nonisolated(unsafe) let request = await request(context)  // used in blocks of its context only
    try await context.perform {
      for title in ["A", "B", "C"] { context.note(title).stars = title == "B" ? 1 : 0 }
      try context.save()
    }
    var reader = await context.perform { request.snapshots.makeAsyncIterator() }
    let first = try #require(try await reader.next())
    #expect(first.ids.count == 3)
    await context.perform { request.wrappedValue.nsPredicate = NSPredicate(format: "stars = 1") }
    let second = try #require(try await reader.next())
    #expect(second.ids == [first.ids[1]])
    #expect(second.difference.removals.count == 2)
  }

  @Test func `the sequence ends when the context is gone`() async throws {
    let stack = try NotesStack()
    var context: NSManagedObjectContext? = stack.context()
    weak let watched = context
    let snapshots = try #require(await snapshots(of: context))
    let counted = Task {
      var count = 0
      for try await _ in snapshots { count += 1 }
      return count
    }
    try await Task.sleep(for: .milliseconds(50))
    context = nil
    #expect(try await counted.value <= 1)
    #expect(watched == nil)
  }

  private func snapshots(of context: NSManagedObjectContext?) async -> FetchedResultsSnapshots? {
    await context?.perform {
      context.map {
        FetchRequest<Note>(sortDescriptors: [SortDescriptor(\Note.title)], in: $0).snapshots
      }
    }
  }

  @Test func `a cancelled task stops reading`() async throws {
    let context = try NotesStack().context()
    nonisolated(unsafe) let request = await request(context)  // used in blocks of its context only
    let snapshots = await context.perform { request.snapshots }
    let reading = Task {
      var count = 0
      for try await _ in snapshots { count += 1 }
      return count
    }
    reading.cancel()
    #expect(try await reading.value <= 1)
  }

  @Test func `a fetch that fails is thrown to the reader`() async throws {
    let context = try NotesStack(.sqlite).context()
    nonisolated(unsafe) let request = await request(context)  // used in blocks of its context only
    var reader = await context.perform { request.snapshots.makeAsyncIterator() }
    _ = try await reader.next()
    await context.perform { request.wrappedValue.nsPredicate = NSPredicate { _, _ in true } }
    do {
      _ = try await reader.next()
      Issue.record("nothing was thrown")
    } catch let error as NSError {
      #expect(error.code == 134_091)
    }
  }

  @Test(arguments: StoreKind.evaluators, 1...2 as ClosedRange<UInt64>)
  func `differences lead from one snapshot to the next, in sections too`(
    kind: StoreKind,
    seed: UInt64
  ) async throws {
    let stack = try NotesStack(kind)
    let context = stack.context()
    let snapshots = try await context.perform {
      var world = RandomEvents(context, stack, seed)
      for _ in 0..<15 { world.insert() }
      try context.save()
      return SectionedFetchRequest<Int16, Note>(
        sectionIdentifier: \.stars,
        sortDescriptors: [SortDescriptor(\Note.stars), SortDescriptor(\Note.text)],
        in: context
      ).snapshots
    }
    let read = Mutex<[NSManagedObjectID]>([])
    let reading = Task {
      var (ids, count): ([NSManagedObjectID], Int) = ([], 0)
      for try await snapshot in snapshots {
        ids = try #require(ids.applying(snapshot.difference))
        try #require(ids == snapshot.ids)
        read.withLock { $0 = snapshot.ids }
        count += 1
        if Task.isCancelled { break }
      }
      return (ids, count)
    }
    var world = RandomEvents(context, stack, seed + 100)
    for _ in 0..<30 {
      world = try await context.perform { [before = world] in
        var world = before
        for _ in 0..<5 { try world.event() }
        try context.save()
        return world
      }
      try await Task.sleep(for: .milliseconds(2))
    }
    var reader = snapshots.makeAsyncIterator()
    let now = try #require(try await reader.next())
    let expected = try await context.perform {
      let request = NSFetchRequest<Note>(entityName: "Note")
      request.sortDescriptors = ["stars", "text"].map { NSSortDescriptor(key: $0, ascending: true) }
      return try context.fetch(request).map(\.objectID)
    }
    #expect(now.ids == expected)
    for _ in 0..<3_000 where read.withLock({ $0 }) != expected {
      try await Task.sleep(for: .milliseconds(20))
    }
    reading.cancel()
    let (ids, count) = try await reading.value
    #expect(ids == expected && count > 1)
  }
}
