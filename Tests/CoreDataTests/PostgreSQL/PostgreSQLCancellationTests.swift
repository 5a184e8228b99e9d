import Foundation
import TestSupport
import Testing

@testable import CoreData
@testable import CoreDataPostgreSQL

/// Fetches from a server whose task is canceled.
@Suite(.enabled(if: PostgreSQLServer.isInstalled))
struct PostgreSQLCancellationTests {
  private func place(named name: String) throws -> URL {
    let place = PostgreSQLServer.shared.place().absoluteString + "&application_name=\(name)"
    return try #require(URL(string: place))
  }

  /// How many statements wait for the notes, which somebody has locked.
  private func waiters(at place: URL) throws -> Int {
    let found = try PostgreSQLShell.rows(
      "SELECT COUNT(*) FROM pg_locks WHERE NOT granted AND relation = '\"ZNOTE\"'::regclass",
      at: place
    )
    return found.compactMap { $0.first?.flatMap { Int($0) } }.first ?? 0
  }

  private func processes(named name: String) throws -> Set<Int32> {
    let found = try PostgreSQLShell.rows(
      "SELECT pid FROM pg_stat_activity WHERE application_name = '\(name)'",
      at: PostgreSQLServer.shared.address
    )
    return Set(found.compactMap { $0.first?.flatMap { Int32($0) } })
  }

  @Test(.timeLimit(.minutes(60)), arguments: [false, true])
  func `a fetch for a task that was canceled kept the server at work`(isPinned: Bool) async throws {
    let place = PostgreSQLServer.shared.place()
    let stack = try NotesStack(type: NSPostgreSQLStoreType, at: place)
    try stack.saved { $0.note("before") }
    let context = stack.context()
    if isPinned {
      try context.performAndWait {
        try context.setQueryGenerationFrom(.current)
        #expect(try context.count(for: Folder.fetchRequest()) == 0)
      }
    }
    let other = try PostgreSQLShell.connect(PostgreSQLAddress(place, options: nil))
    try other.run("BEGIN; LOCK TABLE \"ZNOTE\" IN ACCESS EXCLUSIVE MODE")
    let task = Task { try await context.performCancellable { try context.titles() } }
    let wait = BoundedWait("The fetch has not met the lock")
    while try waiters(at: place) == 0 {
      try wait.goOn()
      try await Task.sleep(for: .milliseconds(5))
    }
    task.cancel()
    // The table is locked still: it has not ended by itself.
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try waiters(at: place) == 0)
    try other.run("COMMIT")
    try stack.saved { $0.note("behind") }
    let found = try await context.performCancellable { try context.titles() }
    #expect(found == (isPinned ? ["before"] : ["before", "behind"]))
  }

  @Test(.timeLimit(.minutes(60)))
  func `an asynchronous fetch that was canceled kept the server at work`() async throws {
    let place = PostgreSQLServer.shared.place()
    let stack = try NotesStack(type: NSPostgreSQLStoreType, at: place)
    try stack.saved { $0.note("before") }
    let context = stack.context()
    let other = try PostgreSQLShell.connect(PostgreSQLAddress(place, options: nil))
    try other.run("BEGIN; LOCK TABLE \"ZNOTE\" IN ACCESS EXCLUSIVE MODE")
    let code: Int? = await withCheckedContinuation { continuation in
      context.perform {
        let request = NSFetchRequest<Note>(entityName: "Note")
        let fetch = NSAsynchronousFetchRequest(fetchRequest: request) { result in
          continuation.resume(returning: (result.operationError as? NSError)?.code)
        }
        do {
          let begun = try context.execute(fetch) as? NSAsynchronousFetchResult<Note>
          let progress = begun?.progress
          DispatchQueue.global().asyncAfter(deadline: .now() + 0.2) { progress?.cancel() }
        } catch {
          Issue.record(error)
        }
      }
    }
    #expect(code == CocoaError.userCancelled.rawValue)
    #expect(try waiters(at: place) == 0)
    try other.run("COMMIT")
    #expect(try stack.work { try $0.titles() } == ["before"])
  }

  @Test(.timeLimit(.minutes(60)))
  func `a request to stop that came late stopped the next fetch`() async throws {
    let name = "cancel-\(UUID().uuidString)"
    let place = try place(named: name)
    let stack = try NotesStack(type: NSPostgreSQLStoreType, at: place)
    try stack.saved { $0.note("before") }
    let plain = try #require(URL(string: place.absoluteString + "-lock"))
    let lock = try PostgreSQLShell.connect(PostgreSQLAddress(plain, options: nil))
    let before = try processes(named: name)
    try await CanceledFetches(stack: stack, lock: lock).run(rounds: 50)
    // No connection was left for another one.
    #expect(!before.isEmpty)
    #expect(try processes(named: name).isSubset(of: before))
  }

  // Waits for a server that does not stop.
  @Test(.enabled(if: Tries.areMany), .timeLimit(.minutes(60)))
  func `a server that does not stop is left, and the next fetch has another connection`()
    async throws
  {
    let name = "deaf-\(UUID().uuidString)"
    let stack = try NotesStack(type: NSPostgreSQLStoreType, at: place(named: name))
    try stack.saved { $0.note("before") }
    let context = stack.context()
    let stopped = try processes(named: name)
    #expect(!stopped.isEmpty)
    do {
      for process in stopped { #expect(kill(process, SIGSTOP) == 0) }
      defer { for process in stopped { kill(process, SIGCONT) } }
      let task = Task { try await context.performCancellable { try context.titles() } }
      try await Task.sleep(for: .milliseconds(200))
      task.cancel()
      // The server hangs: it has not ended by itself.
      await #expect(throws: CancellationError.self) { try await task.value }
    }
    #expect(try stack.work { try $0.titles() } == ["before"])
  }
}

/// Fetches that end, because of a lock that goes away, at about the time when their tasks are canceled.
struct CanceledFetches {
  let stack: NotesStack
  let lock: any PostgreSQLWire

  /// Expects each of them to be canceled, and none of those that come next.
  func run(rounds: Int) async throws {
    var random = SeededGenerator(state: 21)
    let context = stack.context()
    for _ in 0..<rounds {
      try lock.run("BEGIN; LOCK TABLE \"ZNOTE\" IN ACCESS EXCLUSIVE MODE")
      let task = Task { try await context.performCancellable { try context.titles() } }
      try await Task.sleep(for: .milliseconds(Int.random(in: 0...40, using: &random)))
      task.cancel()
      try await Task.sleep(for: .microseconds(Int.random(in: 0...40_000, using: &random)))
      try lock.run("COMMIT")
      await #expect(throws: CancellationError.self) { try await task.value }
      #expect(try stack.work { try $0.titles() } == ["before"])
    }
  }
}
