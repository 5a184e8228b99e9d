import Synchronization
import TestSupport
import Testing

@testable import CoreData

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

  @Test func `performAndWait goes from context to context and back (80)`() throws {
    let stack = try NotesStack()
    let (one, two, three) = (stack.context(), stack.context(), stack.context())
    let depth = one.performAndWait {
      two.performAndWait {
        one.performAndWait {
          three.performAndWait { two.performAndWait { one.performAndWait { 6 } } }
        }
      }
    }
    #expect(depth == 6)
  }

  @Test @MainActor func `performAndWait goes from the main queue to another and back (80)`() throws
  {
    let container = try container()
    let (main, other) = (container.viewContext, container.newBackgroundContext())
    let title = other.performAndWait {
      main.performAndWait { other.performAndWait { main.performAndWait { main.note("1").title } } }
    }
    #expect(title == "1")
  }

  @Test func `a thread that holds a queue does not lend it to a task it begins (80)`() async throws
  {
    let stack = try NotesStack()
    let context = stack.context()
    let task = context.performAndWait {
      #expect(context.queue.isCurrent)
      return Task { context.queue.isCurrent }
    }
    #expect(await !task.value)
    #expect(!context.queue.isCurrent)
  }

  @Test func `performAndWait throws the errors of its block, and only those`() throws {
    let context = try NotesStack().context()
    #expect(throws: Mistake.self) { try context.performAndWait { throw Mistake() } }
    func passedOn(_ body: () throws -> Int) rethrows -> Int { try context.performAndWait(body) }
    #expect(passedOn { 1 } == 1)
  }

  @Test func `immediate runs inside the block at hand, enqueued after it (81)`() async throws {
    let context = try NotesStack().context()
    let order = Mutex<[String]>([])
    async let waiting: Void = context.perform(schedule: .enqueued) {
      context.performAndWait { order.withLock { $0.append("inner") } }
      order.withLock { $0.append("outer") }
    }
    await waiting
    #expect(order.withLock { $0 } == ["inner", "outer"])
  }

  @Test @MainActor func `immediate on the main actor runs at once, enqueued later (81)`()
    async throws
  {
    let context = try container().viewContext
    let order = Mutex<[String]>([])
    let later: (@escaping @Sendable () -> Void) -> Void = { context.perform($0) }
    later { order.withLock { $0.append("before") } }
    await context.perform(schedule: .immediate) { order.withLock { $0.append("immediate") } }
    await context.perform(schedule: .enqueued) { order.withLock { $0.append("enqueued") } }
    #expect(order.withLock { $0 } == ["immediate", "before", "enqueued"])
  }

  @Test @MainActor func `a closure in a background context's block asks for no main actor`()
    async throws
  {
    let context = try NotesStack().context()
    let titles = await context.perform {
      [context.note("1"), context.note("2")].map { $0.title ?? "" }
    }
    #expect(titles == ["1", "2"])
  }

  @Test func `cancelling a task takes back no block that it asked for`() async throws {
    let context = try NotesStack().context()
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return await context.perform { context.note("1").title }
    }
    #expect(await task.value == "1")
    #expect(await context.perform { context.insertedObjects.count } == 1)
  }

  @Test @MainActor func `the main queue's event ends by itself when the queue turns (27)`()
    async throws
  {
    let context = try container().viewContext
    let notified = Received(context, .NSManagedObjectContextObjectsDidChange)
    let note = context.note("1")
    note.title = "2"
    #expect(notified.all.isEmpty)
    await withCheckedContinuation { continuation in
      DispatchQueue.main.async { continuation.resume() }
    }
    #expect(notified.sets == [NSInsertedObjectsKey: [note]])
    #expect(notified.all.count == 1)
  }

  @Test @MainActor func `the main queue collected a block for each save`() async throws {
    let context = try container().viewContext
    let notified = Received(context, .NSManagedObjectContextObjectsDidChange)
    func turn() async {
      await withCheckedContinuation { continuation in
        DispatchQueue.main.async { continuation.resume() }
      }
    }
    let note = context.note("1")
    try context.save()
    #expect(context.eventEnd.isScheduled)
    // The block that waits since the first change ends the event of this one.
    note.title = "2"
    #expect(notified.all.count == 1)
    await turn()
    #expect(notified.all.count == 2)
    #expect(!context.eventEnd.isScheduled)
    note.title = "3"
    await turn()
    #expect(notified.all.count == 3)
  }

  @Test(arguments: StoreKind.allCases)
  func `a block, a fetch and a save end the event, performAndWait does not (27)`(
    kind: StoreKind
  )
    async throws
  {
    let context = try NotesStack(kind).context()
    let notified = Received(context, .NSManagedObjectContextObjectsDidChange)
    context.performAndWait { _ = context.note("1") }
    #expect(notified.all.isEmpty)
    try context.performAndWait { _ = try context.count(for: Note.fetchRequest()) }
    #expect(notified.all.count == 1)
    context.performAndWait { _ = context.note("2") }
    try context.performAndWait { try context.save() }
    #expect(notified.all.count == 2)
    await context.perform { _ = context.note("3") }
    #expect(notified.all.count == 3)
  }

  @Test(arguments: StoreKind.allCases)
  func `performAndWait works from many threads one after another`(kind: StoreKind) throws {
    let context = try NotesStack(kind).context()
    DispatchQueue.concurrentPerform(iterations: 200) { number in
      context.performAndWait { _ = context.note("\(number)") }
    }
    try context.performAndWait {
      try context.save()
      #expect(try context.count(for: Note.fetchRequest()) == 200)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `perform waits for its result and throws`(kind: StoreKind) async throws {
    let stack = try NotesStack(kind)
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
