import CoreData
import Synchronization
import TestSupport
import Testing

/// Rows from values of an asynchronous sequence.
@Suite struct ArrivingValuesTests {
  private let container: NSPersistentContainer
  private let file: URL

  private struct Draft: Encodable {
    let title: String
    let stars: Int
  }

  private struct Lost: Error {}

  init() throws {
    file = TestSupport.TemporaryFolder.file("Notes.sqlite")
    container = NSPersistentContainer(name: "Notes", managedObjectModel: NotesStack.model)
    container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: file)]
    var failure: (any Error)?
    container.loadPersistentStores { failure = $1 }
    if let failure { throw failure }
  }

  private func titles() async throws -> [String] { try await container.read { try $0.titles() } }

  /// Values that arrive one by one, and perhaps an error at the end.
  private func drafts(_ count: Int, failing: Bool = false) -> AsyncThrowingStream<Draft, any Error>
  {
    let next = Mutex(0)
    return AsyncThrowingStream {
      await Task.yield()
      let number = next.withLock { next in
        next += 1
        return next
      }
      if number <= count { return Draft(title: "Note \(number)", stars: number % 5) }
      if failing { throw Lost() }
      return nil
    }
  }

  @Test func `a row is inserted for each value, however many there are`() async throws {
    #expect(try await container.insert(drafts(3_000), into: "Note") == 3_000)
    #expect(try await titles().count == 3_000)
    let stars = try await container.read { context in
      try context.fetch(Note.fetchRequest()).reduce(0) { $0 + Int($1.stars) }
    }
    #expect(stars == 6_000)
  }

  @Test func `none is inserted where there are none`() async throws {
    #expect(try await container.insert(drafts(0), into: "Note") == 0)
  }

  @Test func `nothing remains of a sequence that fails`() async throws {
    await #expect(throws: Lost.self) {
      try await container.insert(drafts(2_000, failing: true), into: "Note")
    }
    #expect(try await titles().isEmpty)
    #expect(try await container.insert(drafts(2), into: "Note") == 2)
  }

  @Test func `a row that cannot be inserted ends the sequence, and nothing remains`() async throws {
    let given = Mutex(0)
    let numbers = AsyncStream<Int> {
      given.withLock { given in
        given += 1
        return given
      }
    }
    struct Strange: Encodable {
      let titel: Int
    }
    struct Mixed: Encodable {
      let number: Int

      func encode(to encoder: any Encoder) throws {
        if number < 1_000 { return try Draft(title: "\(number)", stars: 1).encode(to: encoder) }
        try Strange(titel: number).encode(to: encoder)
      }
    }
    await #expect(throws: NSError.self) {
      try await container.insert(numbers.map { Mixed(number: $0) }, into: "Note")
    }
    #expect(given.withLock { $0 } >= 1_000)
    #expect(try await titles().isEmpty)
  }

  @Test func `a task that is canceled leaves nothing, although its sequence ends in order`()
    async throws
  {
    let (stream, giver) = AsyncStream.makeStream(of: Int.self)
    let container = container
    let task = Task {
      try await container.insert(stream.map { Draft(title: "\($0)", stars: 1) }, into: "Note")
    }
    for number in 1...500 { giver.yield(number) }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try await titles().isEmpty)
  }

  /// Gives values without ever looking whether anybody wants them; its task is canceled at one of them.
  private struct Deaf: AsyncSequence, AsyncIteratorProtocol {
    typealias Element = Draft
    var number = 0

    func makeAsyncIterator() -> Deaf { self }

    mutating func next() async -> Draft? {
      number += 1
      if number == 600 { withUnsafeCurrentTask { $0?.cancel() } }
      // Far beyond its expected end, and not so far that a test waits for it.
      #expect(number < 1_000)
      return number < 2_000 ? Draft(title: "\(number)", stars: 1) : nil
    }
  }

  @Test func `a canceled task went on as long as its sequence did`() async throws {
    let container = container
    let task = Task { try await container.insert(Deaf(), into: "Note") }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try await titles().isEmpty)
  }

  @Test func `two sequences at once take turns`() async throws {
    let (first, second) = (drafts(700), drafts(800))
    async let one = container.insert(first, into: "Note")
    async let other = container.insert(second, into: "Note")
    #expect(try await one + other == 1_500)
    #expect(try await titles().count == 1_500)
  }
}
