import CoreData
import Synchronization
import TestSupport
import Testing

@Suite struct PerformTests {
  private struct Mistake: Error, Equatable {}

  @Test func `performAndWait gives results, throws, and may be called from within`() throws {
    let context = try NotesStack().context()
    let count = context.performAndWait {
      context.performAndWait {
        context.note("1")
        return context.insertedObjects.count
      }
    }
    #expect(count == 1)
    #expect(throws: Mistake()) { try context.performAndWait { throw Mistake() } }
  }

  @Test func `performAndWait works from many threads one after another`() throws {
    let context = try NotesStack().context()
    DispatchQueue.concurrentPerform(iterations: 200) { number in
      context.performAndWait { _ = context.note("\(number)") }
    }
    try context.performAndWait {
      try context.save()
      #expect(try context.count(for: Note.fetchRequest()) == 200)
    }
  }

  @Test func `perform waits for its result and throws`() async throws {
    let stack = try NotesStack()
    let context = stack.context()
    let title = await context.perform { context.note("1").title }
    #expect(title == "1")
    await #expect(throws: Mistake()) { try await context.perform { throw Mistake() } }
    let later = await context.perform(schedule: .enqueued) { context.insertedObjects.count }
    #expect(later == 1)
    try await context.perform { try context.save() }
    #expect(try stack.work { try $0.titles() } == ["1"])
  }

  @Test func `a perform without waiting happens later, in order`() async throws {
    let context = try NotesStack().context()
    insertLater(50, into: context)
    let titles = await context.perform {
      context.insertedObjects.compactMap { ($0 as? Note)?.title }.count
    }
    #expect(titles == 50)
  }

  /// Not `async`, where the compiler would take the `perform` that waits.
  private func insertLater(_ count: Int, into context: NSManagedObjectContext) {
    for number in 1...count { context.perform { context.note("\(number)") } }
  }

  @Test func `a background task has a context of its own`() async throws {
    let container = try container()
    let count = try await container.performBackgroundTask { context in
      #expect(context.concurrencyType == .privateQueueConcurrencyType)
      #expect(context.persistentStoreCoordinator === container.persistentStoreCoordinator)
      context.note("1")
      try context.save()
      return try context.count(for: Note.fetchRequest())
    }
    #expect(count == 1)
    await #expect(throws: Mistake()) {
      try await container.performBackgroundTask { _ in throw Mistake() }
    }
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      container.performBackgroundTask { context in
        _ = context.note("2")
        #expect(throws: Never.self) { try context.save() }
        continuation.resume()
      }
    }
    let titles = try await container.newBackgroundContext().titlesLater()
    #expect(titles == ["1", "2"])
  }

  @Test @MainActor func `the view context is the main thread's`() async throws {
    let container = try container()
    let context = container.viewContext
    #expect(context.concurrencyType == .mainQueueConcurrencyType)
    context.note("1")
    try context.save()
    context.performAndWait { _ = context.note("2") }
    await context.perform { dispatchPrecondition(condition: .onQueue(.main)) }
    #expect(try context.titles() == ["1", "2"])
  }

  private func container() throws -> NSPersistentContainer {
    let container = NSPersistentContainer(name: "Notes", managedObjectModel: NotesStack.model)
    let description = NSPersistentStoreDescription(url: URL(fileURLWithPath: "/dev/null"))
    description.type = NSInMemoryStoreType
    container.persistentStoreDescriptions = [description]
    var failure: (any Error)?
    container.loadPersistentStores { _, error in failure = error }
    if let failure { throw failure }
    return container
  }
}

extension NSManagedObjectContext {
  fileprivate func titlesLater() async throws -> [String] {
    try await perform { try self.titles() }
  }
}
