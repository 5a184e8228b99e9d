import CoreDataSQLite
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import CoreData

/// Fetches that go on while the program does.
@Suite struct AsynchronousFetchTests {
  private func filled(_ kind: StoreKind, count: Int = 30) throws -> NotesStack {
    let stack = try NotesStack(kind)
    try stack.work { context in
      let folder = context.folder("Ideas")
      for number in 0..<count {
        let note = context.note("note \(number)", in: folder)
        note.stars = Int16(number % 5)
      }
      try context.save()
    }
    return stack
  }

  /// The result once it is complete.
  private struct Ending: Sendable {
    var titles: [String]?
    var code: Int?
    var isOnQueue = false
    var completed: Int64 = 0
    var total: Int64 = 0
  }

  private func run(
    _ context: NSManagedObjectContext,
    estimate: Int = 0,
    _ prepare: @escaping @Sendable (NSFetchRequest<Note>) -> Void = { _ in },
    during: @escaping @Sendable (NSAsynchronousFetchResult<Note>) -> Void = { _ in }
  ) async -> Ending {
    await withCheckedContinuation { continuation in
      context.perform {
        let request = NSFetchRequest<Note>(entityName: "Note")
        request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
        prepare(request)
        let asynchronous = NSAsynchronousFetchRequest(fetchRequest: request) { result in
          let ending = Ending(
            titles: result.finalResult?.compactMap(\.title),
            code: (result.operationError as? NSError)?.code,
            isOnQueue: context.queue.isCurrent,
            completed: result.progress?.completedUnitCount ?? -7,
            total: result.progress?.totalUnitCount ?? -7
          )
          continuation.resume(returning: ending)
        }
        asynchronous.estimatedResultCount = estimate
        do {
          let result = try #require(
            try context.execute(asynchronous) as? NSAsynchronousFetchResult<Note>
          )
          #expect(result.finalResult == nil)
          #expect(result.managedObjectContext === context)
          #expect(result.fetchRequest === asynchronous)
          if estimate > 0 { #expect(result.progress?.totalUnitCount == Int64(estimate)) }
          during(result)
        } catch {
          Issue.record(error)
        }
      }
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `the result comes later, on the context's queue (74)`(kind: StoreKind) async throws {
    let ending = await run(try filled(kind).context(), estimate: 40)
    #expect(ending.titles?.count == 30)
    #expect(ending.isOnQueue)
    #expect(ending.completed == 30)
    #expect(ending.total == 30)
    #expect(ending.code == nil)
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `unsaved changes are seen, also those made meanwhile (60, 74)`(kind: StoreKind) async throws
  {
    let context = try filled(kind).context()
    let ending = await run(context) { request in
      context.note("a before")
      request.fetchLimit = 2
    } during: { _ in
      context.note("a meanwhile")
    }
    #expect(ending.titles == ["a before", "a meanwhile"])
    let second = await run(try filled(kind).context()) {
      $0.fetchLimit = 2
    } during: { result in
      result.managedObjectContext.note("a meanwhile")
    }
    #expect(second.titles == ["a meanwhile", "note 0"])
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `a range was lost when what was unsaved at the beginning was saved meanwhile (66, 74)`(
    kind: StoreKind
  ) async throws {
    let context = try filled(kind).context()
    let ending = await run(context) { request in
      context.note("a before")
      request.fetchLimit = 2
    } during: { _ in
      do { try context.save() } catch { Issue.record(error) }
    }
    #expect(ending.titles == ["a before", "note 0"])
    let rolledBack = await run(context) { request in
      context.note("a before it, too")
      request.fetchLimit = 2
    } during: { _ in
      context.rollback()
    }
    #expect(rolledBack.titles == ["a before", "note 0"])
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `a cancelled fetch has an error instead of a result (74)`(kind: StoreKind) async throws {
    let ending = await run(try filled(kind).context()) { _ in
    } during: {
      $0.cancel()
    }
    #expect(ending.titles == nil)
    #expect(ending.code == CocoaError.userCancelled.rawValue)
    let byProgress = await run(try filled(kind).context()) { _ in
    } during: { result in
      result.progress?.cancel()
    }
    #expect(byProgress.code == CocoaError.userCancelled.rawValue)
  }

  @Test func `cancelling interrupts a statement that is running (74)`() async throws {
    let stack = try filled(.sqlite, count: 400)
    let context = stack.context()
    let started = Mutex<FetchControl?>(nil)
    stack.coordinator.pool?.observe { sql throws(SQLiteError) in
      guard sql.contains("COUNT") || sql.contains("EXISTS") else { return }
      // Somebody cancels once the statement is on its way.
      DispatchQueue.global().asyncAfter(deadline: .now() + 0.2) {
        // The code that has begun the fetch may not have been told of it yet.
        while started.withLock({ $0 }) == nil { usleep(1_000) }
        started.withLock { $0?.cancel() }
      }
    }
    let ending = await run(context) { request in
      // Some 400⁴ combinations: without an interruption the test would go on for an hour.
      request.predicate = NSPredicate(
        format: """
          SUBQUERY(folder.notes, $a, SUBQUERY($a.folder.notes, $b, \
          SUBQUERY($b.folder.notes, $c, $c.title == SELF.text).@count > 0).@count > 0).@count > 0
          """
      )
    } during: { result in
      let control = result.control
      started.withLock { $0 = control }
    }
    #expect(ending.code == CocoaError.userCancelled.rawValue)
  }

  @Test(.timeLimit(.minutes(60)))
  func `a fetch for a task that was cancelled ran on to its end`() async throws {
    let stack = try filled(.sqlite, count: 400)
    let context = stack.context()
    let reading = Mutex<Task<Int, any Error>?>(nil)
    stack.coordinator.pool?.observe { sql throws(SQLiteError) in
      guard sql.contains("ZTEXT") else { return }
      reading.withLock { $0?.cancel() }
    }
    let task = Task {
      try await context.performCancellable {
        // The reader has to be known before it can be cancelled.
        while reading.withLock({ $0 == nil }) { sched_yield() }
        let request = NSFetchRequest<Note>(entityName: "Note")
        // Some 400⁴ combinations: without an interruption the test would go on for an hour.
        request.predicate = NSPredicate(
          format: """
            SUBQUERY(folder.notes, $a, SUBQUERY($a.folder.notes, $b, \
            SUBQUERY($b.folder.notes, $c, $c.title == SELF.text).@count > 0).@count > 0).@count > 0
            """
        )
        return try context.fetch(request).count
      }
    }
    reading.withLock { $0 = task }
    await #expect(throws: CancellationError.self) { try await task.value }
    // A block that was cancelled before it began does not run, and the context reads on.
    let second = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await context.performCancellable { 1 }
    }
    await #expect(throws: CancellationError.self) { try await second.value }
    let count = try await context.performCancellable {
      try context.count(for: NSFetchRequest<Note>(entityName: "Note"))
    }
    #expect(count == 400)
  }

  @Test func `the progress is a part of the one that was current (74)`() async throws {
    let context = try filled(.sqlite).context()
    let parent = Progress(totalUnitCount: 10)
    let ending = await run(context) { _ in
      parent.becomeCurrent(withPendingUnitCount: 10)
    } during: { _ in
      parent.resignCurrent()
    }
    #expect(ending.titles?.count == 30)
    #expect(parent.isFinished)
  }

  @Test func `what a store cannot answer is in the result (74)`() async throws {
    let ending = await run(try filled(.sqlite).context()) { request in
      request.predicate = NSPredicate(block: { _, _ in true })
    }
    #expect(ending.code == 134091)
    #expect(ending.titles == nil)
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `dictionaries and counts are fetched as well (74)`(kind: StoreKind) async throws {
    let stack = try filled(kind)
    let context = stack.context()
    let counts: [Int] = await withCheckedContinuation { continuation in
      context.perform {
        let request = NSFetchRequest<NSNumber>(entityName: "Note")
        request.resultType = .countResultType
        let asynchronous = NSAsynchronousFetchRequest(fetchRequest: request) { result in
          continuation.resume(returning: result.finalResult?.map(\.intValue) ?? [])
        }
        do { try context.execute(asynchronous) } catch { Issue.record(error) }
      }
    }
    #expect(counts == [30])
    let stars: [Int] = await withCheckedContinuation { continuation in
      context.perform {
        let request = NSFetchRequest<NSDictionary>(entityName: "Note")
        request.resultType = .dictionaryResultType
        request.propertiesToFetch = ["stars"]
        request.returnsDistinctResults = true
        let asynchronous = NSAsynchronousFetchRequest(fetchRequest: request) { result in
          continuation.resume(
            returning: result.finalResult?.compactMap { $0["stars"] as? Int } ?? []
          )
        }
        do { try context.execute(asynchronous) } catch { Issue.record(error) }
      }
    }
    #expect(stars == [0, 1, 2, 3, 4])
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `a plain request is executed at once, another kind is refused`(kind: StoreKind) throws {
    try filled(kind).work { context in
      let result = try context.execute(Note.fetchRequest())
      #expect((result as? NSAsynchronousFetchResult<Note>)?.finalResult?.count == 30)
      #expect(errorCode { try context.execute(NSPersistentStoreRequest()) } == 134091)
    }
  }
}
