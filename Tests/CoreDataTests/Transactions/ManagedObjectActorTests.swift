import CoreData
import TestSupport
import Testing

private actor NoteDesk: ManagedObjectActor {
  let context: NSManagedObjectContext
  private var writings = 0

  init(_ stack: NotesStack) {
    context = stack.context()
  }

  func write(_ title: String) async throws -> NSManagedObjectID {
    let note = context.note(title)
    writings += 1
    try saveIfNeeded()
    await Task.yield()
    return note.objectID
  }

  func star(_ id: NSManagedObjectID) throws {
    guard let note = try self[id, as: Note.self] else { return }
    note.rating += 1
    try saveIfNeeded()
  }

  func rating(_ id: NSManagedObjectID) throws -> Double? {
    try self[id, as: Note.self]?.rating
  }

  func isTag(_ id: NSManagedObjectID) throws -> Bool { try self[id, as: Tag.self] != nil }

  func count() -> Int { writings }

  func pendingChangesAreProcessed() -> Bool {
    context.insertedObjects.count == 1
  }

  func insertWithoutSaving() { context.note("Pending") }
}

@Suite struct ManagedObjectActorTests {
  @Test func `an actor's methods use its context and objects without perform`() async throws {
    let desk = NoteDesk(try NotesStack(.sqlite))
    let id = try await desk.write("A")
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<50 { group.addTask { try await desk.star(id) } }
      try await group.waitForAll()
    }
    #expect(try await desk.rating(id) == 50)
    #expect(await desk.count() == 1)
  }

  @Test func `an identity of nothing, or of another class, leads to nil`() async throws {
    let stack = try NotesStack(.sqlite)
    let desk = NoteDesk(stack)
    let id = try await desk.write("A")
    #expect(try await desk.isTag(id) == false)
    try stack.work { context in
      context.delete(context.find(id))
      try context.save()
    }
    #expect(try await NoteDesk(stack).rating(id) == nil)
  }

  @Test func `the context's perform and the actor's methods take turns`() async throws {
    let desk = NoteDesk(try NotesStack(.sqlite))
    let id = try await desk.write("A")
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<25 {
        group.addTask { try? await desk.star(id) }
        group.addTask { await desk.context.perform { desk.context.find(id).rating += 1 } }
      }
    }
    #expect(try await desk.rating(id) == 50)
  }

  @Test func `an event ends with each turn of the actor`() async throws {
    let desk = NoteDesk(try NotesStack(.sqlite))
    await desk.insertWithoutSaving()
    #expect(await desk.pendingChangesAreProcessed())
  }
}
