import ChildPrograms
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import CoreData
@testable import CoreDataPostgreSQL

/// Writers of one zone beside each other, in one program and in several.
@Suite(.enabled(if: PostgreSQLServer.isInstalled))
struct PostgreSQLWriterTests {
  private func container(
    at place: URL,
    _ options: [String: Any] = [:]
  ) throws -> NSPersistentContainer {
    let container = NSPersistentContainer(name: "Notes", managedObjectModel: NotesStack.model)
    let description = NSPersistentStoreDescription(url: place)
    description.type = NSPostgreSQLStoreType
    for (key, value) in options { description.setOption(value as? NSObject, forKey: key) }
    container.persistentStoreDescriptions = [description]
    var failure: (any Error)?
    container.loadPersistentStores { failure = $1 }
    if let failure { throw failure }
    return container
  }

  @Test func `a save that waited for another program's row held up all saves of its program`()
    async throws
  {
    let place = PostgreSQLServer.shared.place()
    let container = try container(at: place)
    let id = try await container.write { $0.note("wanted").objectID }
    let other = try PostgreSQLShell.connect(PostgreSQLAddress(place, options: nil))
    try other.run("BEGIN; SELECT 1 FROM \"ZNOTE\" FOR UPDATE")
    async let waiting: Void = container.write { context in
      (try context.existingObject(with: id) as? Note)?.rating = 3
    }
    for title in ["one", "two"] { try await container.write { _ = $0.note(title) } }
    let titles = try await container.read { try $0.titles() }
    #expect(Set(titles) == ["wanted", "one", "two"])
    try other.run("COMMIT")
    try await waiting
    let rating = try await container.read { try ($0.existingObject(with: id) as? Note)?.rating }
    #expect(rating == 3)
  }

  @Test func `blocks that write different objects waited for each other`() async throws {
    let container = try container(at: PostgreSQLServer.shared.place())
    let (isInside, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    async let first: Void = container.write { context in
      context.note("first")
      isInside.signal()
      mayEnd.wait()
    }
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        isInside.wait()
        continuation.resume()
      }
    }
    try await container.write { _ = $0.note("second") }
    #expect(try await container.read { try $0.titles() } == ["second"])
    mayEnd.signal()
    try await first
    #expect(try await Set(container.read { try $0.titles() }) == ["first", "second"])
  }

  /// A program is a coordinator of its own here: their writers know nothing of each other's turns.
  @Test(arguments: [false, true])
  func `writers of two programs that meet at one row gave up`(keepsHistory: Bool) async throws {
    let place = PostgreSQLServer.shared.place()
    let options: [String: Any] = keepsHistory ? [NSPersistentHistoryTrackingKey: true] : [:]
    let programs = try [container(at: place, options), container(at: place, options)]
    try await programs[0].write { _ = $0.note("counted") }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for program in programs {
        for _ in 0..<100 {
          group.addTask {
            try await program.write { try $0.fetch(Note.fetchRequest())[0].rating += 1 }
          }
        }
      }
      try await group.waitForAll()
    }
    let rating = try await programs[1].read { try $0.fetch(Note.fetchRequest())[0].rating }
    #expect(rating == 200)
  }

  @Test func `a writer that had waited long for its turn held no row that it had met others at`()
    async throws
  {
    let place = PostgreSQLServer.shared.place()
    let (mine, theirs) = (try container(at: place), try container(at: place))
    let id = try await mine.write { $0.note("counted").objectID }
    let (isTaken, isHeld) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    async let turn: Void = WriterTurns.ofProcess.take(for: mine.persistentStoreCoordinator) {
      isTaken.signal()
      try await Task.sleep(for: .seconds(1.3))
    }
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        isTaken.wait()
        continuation.resume()
      }
    }
    let runs = Mutex(0)
    try await mine.write { context in
      let note = try context.fetch(Note.fetchRequest())[0]
      note.rating += 1
      let run = runs.withLock { runs in
        runs += 1
        return runs
      }
      guard run == 1 else {
        // A writer of the other program that wants the row waits until this one is saved.
        DispatchQueue.global().async {
          let store = theirs.persistentStoreCoordinator.persistentStores[0].backend
          let row = RowName(root: id.key.root, number: id.key.number)
          (store as? any ContendedStore)?.hold([row])?.letGo()
          isHeld.signal()
        }
        #expect(isHeld.wait(timeout: .now() + 0.3) == .timedOut)
        return
      }
      let other = theirs.newBackgroundContext()
      try other.performAndWait {
        try other.fetch(Note.fetchRequest())[0].rating += 1
        try other.save()
      }
    }
    try await turn
    #expect(runs.withLock { $0 } == 2)
    let rating = try await mine.read { try $0.fetch(Note.fetchRequest())[0].rating }
    #expect(rating == 2)
  }

  @Test func `a context that merges saves beside each other shows an older row in the end`()
    async throws
  {
    let container = try container(at: PostgreSQLServer.shared.place())
    let watching = container.newBackgroundContext()
    watching.automaticallyMergesChangesFromParent = true
    let ids = try await container.write { context in
      (0..<4).map { context.note("\($0)").objectID }
    }
    try await watching.perform { for id in ids { _ = try watching.existingObject(with: id) } }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<120 {
        group.addTask {
          try await container.write { context in
            (try context.existingObject(with: ids[number % 4]) as? Note)?.rating += 1
          }
        }
      }
      try await group.waitForAll()
    }
    let ratings = try await watching.perform {
      watching.processPendingChanges()
      return try ids.map { (try watching.existingObject(with: $0) as? Note)?.rating }
    }
    #expect(ratings == [30, 30, 30, 30])
  }

  @Test func `a save that keeps a history waits for the disk once its row is free`() throws {
    let wire = FaultyWire()
    let coordinator = try wire.coordinator(options: [NSPersistentHistoryTrackingKey: true])
    let context = NSManagedObjectContext(.privateQueue)
    context.persistentStoreCoordinator = coordinator
    try context.performAndWait {
      context.note("one")
      try context.save()
      context.note("two")
      wire.reset()
      try context.save()
      #expect(wire.texts.suffix(2) == ["COMMIT", PostgreSQLHistory.flush])
      let numbering = wire.texts.firstIndex { $0.contains("ATRANSACTION") }
      let news = wire.texts.firstIndex { $0.contains("pg_current_xact_id") }
      #expect(try #require(numbering) > #require(news), "others wait from the number on")
      wire.reset()
      _ = try coordinator.answer(.fetchHistory(after: nil as NSPersistentHistoryToken?))
      #expect(wire.texts.last == "COMMIT; \(PostgreSQLHistory.flushIfNeeded)")
    }
  }

  @Test func `a user who may not write to the log saves with a history all the same`() throws {
    let address = try DatabaseServer.shared.makeDatabase()
    let place = try #require(URL(string: address))
    let guest = "guest_" + UUID().uuidString.prefix(8).lowercased()
    try PostgreSQLShell.run(
      """
      CREATE ROLE \(guest) LOGIN; GRANT ALL ON SCHEMA public TO \(guest); \
      REVOKE EXECUTE ON FUNCTION pg_logical_emit_message(boolean, text, text) FROM PUBLIC
      """,
      at: place
    )
    let theirs = try #require(URL(string: address.replacing("//tests@", with: "//\(guest)@")))
    let stack = try HistoryStack(kind: .postgreSQL, at: theirs)
    try stack.save { _ = $0.note("One") }
    #expect(try stack.picture() == ["1 insert Note/1"])
  }

  @Test func `keys that are used up fast come in larger blocks, and none comes twice`() throws {
    let wire = FaultyWire()
    let coordinator = try wire.coordinator()
    let numbers = Mutex<[Int64]>([])
    wire.reset()
    let failures = Mutex<[String]>([])
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      let context = NSManagedObjectContext(.privateQueue)
      context.persistentStoreCoordinator = coordinator
      context.performAndWait {
        do {
          for _ in 0..<20 {
            let notes = (0..<20).map { context.note("\($0)") }
            try context.obtainPermanentIDs(for: notes)
            numbers.withLock { $0 += notes.map(\.objectID.key.number) }
          }
        } catch {
          failures.withLock { $0.append("\(error)") }
        }
      }
    }
    #expect(failures.withLock { $0 } == [])
    #expect(numbers.withLock { Set($0).count } == 3_200)
    // Of a hundred keys each they would have been 32.
    #expect(wire.trips < 10)
  }
}
