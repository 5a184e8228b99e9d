import CoreData
import CoreDataSQLite
import Foundation
import TestSupport
import Testing

/// The history as a stream of changes.
@Suite struct FollowedHistoryTests {
  private let container: NSPersistentContainer
  private let file: URL

  init() throws {
    file = TestSupport.TemporaryFolder.file("Followed.sqlite")
    container = try Self.container(at: file)
  }

  private static func container(
    at file: URL,
    tells: Bool = true
  ) throws -> NSPersistentContainer {
    let container = NSPersistentContainer(name: "Notes", managedObjectModel: NotesStack.model)
    let description = NSPersistentStoreDescription(url: file)
    description.setOption(NSNumber(value: true), forKey: NSPersistentHistoryTrackingKey)
    if tells {
      description.setOption(
        NSNumber(value: true),
        forKey: NSPersistentStoreRemoteChangeNotificationPostOptionKey
      )
    }
    container.persistentStoreDescriptions = [description]
    var failure: (any Error)?
    container.loadPersistentStores { failure = $1 }
    if let failure { throw failure }
    return container
  }

  private func write(_ author: String, in other: NSPersistentContainer? = nil) async throws {
    try await (other ?? container).write(author: author) { context in _ = context.note(author) }
  }

  private var token: NSPersistentHistoryToken? {
    container.persistentStoreCoordinator.currentPersistentHistoryToken(fromStores: nil)
  }

  @Test(.timeLimit(.minutes(60)))
  func `what is there after a token comes first, all at once, and then what is written`()
    async throws
  {
    try await write("before")
    let token = token
    try await write("first")
    try await write("second")
    var stream = container.transactions(after: token).makeAsyncIterator()
    #expect(try await stream.next()?.map(\.author) == ["first", "second"])
    try await write("third")
    #expect(try await stream.next()?.map(\.author) == ["third"])
    var all = container.transactions(after: nil).makeAsyncIterator()
    #expect(try await all.next()?.map(\.author) == ["before", "first", "second", "third"])
  }

  @Test(.timeLimit(.minutes(60)))
  func `without a token the stream begins now, and has what other programs write`() async throws {
    try await write("before")
    var stream = container.transactions().makeAsyncIterator()
    try await write("another program", in: try Self.container(at: file))
    let found = try #require(try await stream.next())
    #expect(found.map(\.author) == ["another program"])
    #expect(found[0].changes?.map(\.changeType) == [.insert])
  }

  @Test(.timeLimit(.minutes(60)))
  func `a history that could not be read began a stream with what was written before`()
    async throws
  {
    try await write("before")
    try Connection(path: file.path)
      .run("UPDATE Z_PRIMARYKEY SET Z_MAX = 9223372036854775807" as String)
    var stream = container.transactions().makeAsyncIterator()
    await #expect(throws: NSError.self) { try await stream.next() }
  }

  @Test(.timeLimit(.minutes(60)))
  func `nothing is left out and nothing comes twice while many write`() async throws {
    let stream = container.transactions()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<40 { group.addTask { try await write("\(number)") } }
      var authors: [String] = []
      for try await transactions in stream {
        authors += transactions.map { $0.author ?? "" }
        if authors.count >= 40 { break }
      }
      #expect(authors.sorted() == (0..<40).map(String.init).sorted())
      try await group.waitForAll()
    }
  }

  @Test(.timeLimit(.minutes(60)))
  func `a token whose history was deleted is an error`() async throws {
    try await write("first")
    let token = token
    try await write("second")
    try await write("third")
    try await container.write { context in
      let purge = NSPersistentHistoryChangeRequest.deleteHistory(before: Date.distantFuture)
      _ = try context.execute(purge)
    }
    var stream = container.transactions(after: token).makeAsyncIterator()
    let error = await #expect(throws: NSError.self) { try await stream.next() }
    #expect(error?.code == NSPersistentHistoryTokenExpiredError)
  }

  @Test(.timeLimit(.minutes(60)))
  func `a store that does not tell of what is written is an error with a remedy`() async throws {
    let silent = try Self.container(
      at: TestSupport.TemporaryFolder.file("Silent.sqlite"),
      tells: false
    )
    var stream = silent.transactions().makeAsyncIterator()
    let error = await #expect(throws: NSError.self) { try await stream.next() }
    #expect(error?.code == NSPersistentStoreUnsupportedRequestTypeError)
    #expect(
      error?.localizedRecoverySuggestion?.contains(
        "NSPersistentStoreRemoteChangeNotificationPostOptionKey"
      ) == true
    )
  }

  @Test(.timeLimit(.minutes(60)))
  func `the stream ends when its task is canceled`() async throws {
    let stream = container.transactions()
    let reader = Task {
      var count = 0
      for try await transactions in stream { count += transactions.count }
      return count
    }
    reader.cancel()
    #expect(try await reader.value == 0)
  }
}
