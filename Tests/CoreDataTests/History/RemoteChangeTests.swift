import Synchronization
import TestSupport
import Testing

@testable import CoreData

/// Hearing of writes to a store, one's own and others'.
@Suite(.serialized) struct RemoteChangeTests {
  private static var options: [String: Any] {
    [NSPersistentStoreRemoteChangeNotificationPostOptionKey: NSNumber(value: true)]
  }

  @Test func `a write of one's own is told, with its place in the history (99)`() throws {
    let stack = try HistoryStack(Self.options)
    let heard = HeardWrites(stack.coordinator)
    try stack.save { $0.note("One") }
    try stack.save { $0.note("Two") }
    #expect(heard.wait(for: 2))
    let tokens = heard.all.map { $0[NSPersistentHistoryTokenKey] as? NSPersistentHistoryToken }
    #expect(tokens == (try stack.transactions().map(\.token)))
    let store = try #require(stack.coordinator.persistentStores.first)
    #expect(heard.all.first?[NSStoreUUIDKey] as? String == store.identifier)
    #expect(heard.all.first?[NSPersistentStoreURLKey] as? URL == stack.file)
    // Nothing is written, nothing is told.
    try stack.notes.work { try $0.save() }
    try stack.notes.work { _ = try $0.titles() }
    #expect(!heard.wait(for: 3, atMost: 0.3))
  }

  @Test func `a write of another coordinator is told soon (99)`() throws {
    let stack = try HistoryStack(Self.options)
    let other = try HistoryStack(file: stack.file)
    let heard = HeardWrites(stack.coordinator)
    try other.save { $0.note("One") }
    let start = ContinuousClock.now
    #expect(heard.wait(for: 1))
    // 0.16 s alone; a machine that is busy with other things may take its time.
    #expect(ContinuousClock.now - start < .seconds(30))
    let token = heard.all.first?[NSPersistentHistoryTokenKey] as? NSPersistentHistoryToken
    #expect(token == other.token)
  }

  @Test func `a write of another process is told, and can be merged (97, 99)`() async throws {
    let stack = try HistoryStack(Self.options)
    try stack.save { $0.note("ours") }
    let token = stack.token
    let heard = HeardWrites(stack.coordinator)
    #expect(heard.wait(for: 0))
    let context = stack.context()
    let found = try context.performAndWait { try context.fetch(Note.fetchRequest()).first }
    let note = try #require(found)
    let path = stack.file.path
    await #expect(processExitsWith: .success) { [path = path as String] in
      let stack = try HistoryStack(file: URL(filePath: path))
      try stack.save(author: "another process") { context in
        try context.fetch(Note.fetchRequest()).first?.title = "theirs"
        context.note("new")
      }
    }
    #expect(heard.waitForToken(stack.token))
    let transactions = try stack.transactions(after: token)
    #expect(transactions.map(\.author) == ["another process"])
    try context.performAndWait {
      #expect(note.title == "ours")
      for transaction in transactions {
        context.mergeChanges(fromContextDidSave: transaction.objectIDNotification())
      }
      #expect(note.title == "theirs")
      let titles = try context.titles()
      #expect(titles == ["new", "theirs"])
    }
  }

  @Test(.enabled(if: SQLiteShell.isPresent, "needs the sqlite3 tool"))
  func `a program without Core Data is heard, also without a history (99)`() throws {
    let stack = try NotesStack(
      file: TestSupport.TemporaryFolder.file("Notes.sqlite"),
      options: Self.options
    )
    let file = try #require(stack.file)
    let heard = HeardWrites(stack.coordinator)
    let other = try OtherProgram(file.path)
    for count in 1...3 {
      try other.run("INSERT INTO ZNOTE (Z_ENT, Z_OPT, ZTITLE) VALUES (3, 1, 'theirs');")
      #expect(heard.wait(for: count))
    }
    #expect(heard.all.allSatisfy { $0[NSPersistentHistoryTokenKey] == nil })
    #expect(try stack.work { try $0.titles() }.count == 3)
    // A program that only reads is not noticed.
    try other.run("SELECT count(*) FROM ZNOTE;")
    #expect(!heard.wait(for: 4, atMost: 0.3))
  }

  @Test(.enabled(if: SQLiteShell.isPresent, "needs the sqlite3 tool"))
  func `many writes of others are told a few times`() throws {
    let stack = try HistoryStack(Self.options)
    let heard = HeardWrites(stack.coordinator)
    let other = try OtherProgram(stack.file.path)
    let insert = "INSERT INTO ZNOTE (Z_ENT, Z_OPT, ZTITLE) VALUES (3, 1, 'theirs');"
    let start = ContinuousClock.now
    try other.run("PRAGMA synchronous = OFF; " + String(repeating: insert, count: 200))
    #expect(heard.wait(for: 1))
    Thread.sleep(forTimeInterval: 0.3)
    // Twenty in a second; a machine that takes its time for the writes has time for more.
    let seconds = (ContinuousClock.now - start) / .seconds(1)
    #expect(Double(heard.all.count) < 10 + 20 * seconds)
  }

  @Test func `a store that is gone tells nothing more, one without the option never`() throws {
    let stack = try HistoryStack(Self.options)
    let silent = try HistoryStack(file: stack.file)
    let (heard, unheard) = (HeardWrites(stack.coordinator), HeardWrites(silent.coordinator))
    try silent.save { $0.note("One") }
    #expect(heard.wait(for: 1))
    let store = try #require(stack.coordinator.persistentStores.first)
    weak let rows = store.backend as? SQLiteStore
    try stack.coordinator.remove(store)
    try silent.save { $0.note("Two") }
    #expect(!heard.wait(for: 2, atMost: 0.3))
    #expect(unheard.all.isEmpty)
    withExtendedLifetime(rows) {}
  }

  @Test func `a file in a journal of its own is watched, too`() throws {
    let journal: [String: Any] = [NSSQLitePragmasOption: ["journal_mode": "DELETE"]]
    let stack = try HistoryStack(Self.options.merging(journal) { one, _ in one })
    let other = try HistoryStack(file: stack.file, journal)
    let heard = HeardWrites(stack.coordinator)
    try other.save { $0.note("One") }
    #expect(heard.wait(for: 1))
  }
}

/// The remote changes that a coordinator has posted, on whatever thread.
///
/// Safety: everything is behind the condition.
final class HeardWrites: @unchecked Sendable {
  private let condition = NSCondition()
  private var received: [[AnyHashable: Any]] = []
  private var observer: (any NSObjectProtocol)?

  init(_ coordinator: NSPersistentStoreCoordinator) {
    observer = NotificationCenter.default.addObserver(
      forName: .NSPersistentStoreRemoteChange,
      object: coordinator,
      queue: nil
    ) { [weak self] in self?.hear($0.userInfo ?? [:]) }
  }

  deinit {
    observer.map(NotificationCenter.default.removeObserver)
  }

  private func hear(_ userInfo: [AnyHashable: Any]) {
    condition.lock()
    received.append(userInfo)
    condition.broadcast()
    condition.unlock()
  }

  var all: [[AnyHashable: Any]] {
    condition.lock()
    defer { condition.unlock() }
    return received
  }

  /// Whether so many came in time.
  func wait(for count: Int, atMost seconds: TimeInterval = 60) -> Bool {
    wait(atMost: seconds) { $0.count >= count }
  }

  /// Whether one with the place came.
  func waitForToken(_ token: NSPersistentHistoryToken?) -> Bool {
    wait(atMost: 60) { all in
      all.contains { $0[NSPersistentHistoryTokenKey] as? NSPersistentHistoryToken == token }
    }
  }

  private func wait(
    atMost seconds: TimeInterval,
    until condition: ([[AnyHashable: Any]]) -> Bool
  ) -> Bool {
    let end = Date(timeIntervalSinceNow: seconds)
    self.condition.lock()
    defer { self.condition.unlock() }
    while !condition(received) {
      if !self.condition.wait(until: end) { return condition(received) }
    }
    return true
  }
}
