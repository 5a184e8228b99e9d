import CoreData
import TestSupport
import Testing

@Suite struct ContextStreamTests {
  @Test(arguments: StoreKind.with(.everyRequest))
  func `saves come as identities, none lost before the first await`(kind: StoreKind) async throws {
    let stack = try NotesStack(kind)
    let context = stack.context()
    let saves = context.saves()
    let ids = try context.performAndWait {
      let (one, two) = (context.note("1"), context.note("2"))
      try context.save()
      one.title = "changed"
      context.delete(two)
      try context.save()
      try context.save()
      return [one.objectID, two.objectID]
    }
    var heard = saves.makeAsyncIterator()
    let first = try #require(await heard.next())
    #expect(first.inserted == Set(ids))
    #expect(!first.inserted.contains { $0.isTemporaryID })
    let second = try #require(await heard.next())
    #expect(second.updated == [ids[0]])
    #expect(second.deleted == [ids[1]])
    #expect(second.inserted.isEmpty)
  }

  @Test(arguments: StoreKind.allCases)
  func `changes come with each event, and a reset as such`(kind: StoreKind) async throws {
    let context = try NotesStack(kind).context()
    let changes = context.changes()
    let id = try context.performAndWait {
      let note = context.note("1")
      try context.save()
      context.refresh(note, mergeChanges: false)
      context.processPendingChanges()
      let id = note.objectID
      context.reset()
      return id
    }
    var heard = changes.makeAsyncIterator()
    #expect(await heard.next()?.inserted.count == 1)
    #expect(await heard.next()?.refreshed == [id])
    #expect(await heard.next()?.isReset == true)
  }

  @Test func `a stream ends with its context, which it does not keep alive`() async throws {
    var context: NSManagedObjectContext? = try NotesStack().context()
    let (changes, saves) = try (#require(context).changes(), #require(context).saves())
    context?.performAndWait {
      _ = context?.note("1")
      context?.processPendingChanges()
    }
    weak let watched = context
    context = nil
    #expect(watched == nil)
    var count = 0
    for await change in changes { count += change.inserted.count }
    for await _ in saves { count += 100 }
    #expect(count == 1)
  }

  @Test(arguments: StoreKind.allCases)
  func `another actor follows what a context saves`(kind: StoreKind) async throws {
    let stack = try NotesStack(kind)
    let context = stack.context()
    let index = Index()
    let saves = context.saves()
    let following = Task { for await save in saves { await index.take(save) } }
    for number in 1...20 {
      try await context.perform {
        context.note("\(number)")
        try context.save()
      }
    }
    while await index.ids.count < 20 { await Task.yield() }
    following.cancel()
    await following.value
    let titles = try await index.titles(in: stack)
    #expect(titles.count == 20)
  }

  @Test(arguments: StoreKind.allCases)
  func `a limit keeps the newest`(kind: StoreKind) async throws {
    let context = try NotesStack(kind).context()
    let saves = context.saves(bufferingPolicy: .bufferingNewest(1))
    let last = try context.performAndWait {
      _ = context.note("1")
      try context.save()
      let last = context.note("2")
      try context.save()
      return last.objectID
    }
    var heard = saves.makeAsyncIterator()
    #expect(await heard.next()?.inserted == [last])
  }

  @Test(arguments: StoreKind.allCases)
  func `a stream that nobody has any more costs nothing`(kind: StoreKind) throws {
    try NotesStack(kind).work { context in
      for _ in 0..<100 { _ = context.saves() }
      _ = context.note("1")
      try context.save()
    }
  }

  private actor Index {
    var ids: Set<NSManagedObjectID> = []

    func take(_ save: NSManagedObjectContext.ObjectIDChanges) {
      ids.formUnion(save.inserted)
    }

    func titles(in stack: NotesStack) throws -> [String] {
      try stack.work { context in ids.map { context.find($0).title ?? "" } }
    }
  }
}
