import CoreData
import Synchronization
import Testing

@testable import SlipboxLibrary

/// Clients that leave before they are answered.
struct LeavingTests {
  @Test(.timeLimit(.minutes(60)))
  func `a search whose client had left ran on to its end`() async throws {
    let box = try Box()
    try await box.library.write(by: "test") { context in
      let folder = Folder(name: "many", context: context)
      for index in 0..<400 { Note(title: "note \(index)", context: context).folder = folder }
    }
    let hasBegun = Mutex(false)
    let search = Task {
      try await box.library.read { context in
        hasBegun.withLock { $0 = true }
        // Some 400⁴ combinations: without an interruption the test would go on for an hour.
        let predicate = NSPredicate(
          format: """
            SUBQUERY(folder.notes_, $a, SUBQUERY($a.folder.notes_, $b, \
            SUBQUERY($b.folder.notes_, $c, $c.title_ == SELF.bodyText_).@count > 0).@count > 0).@count > 0
            """
        )
        return try context.count(for: Note.fetch(predicate))
      }
    }
    while !hasBegun.withLock({ $0 }) { await Task.yield() }
    search.cancel()
    await #expect(throws: CancellationError.self) { try await search.value }
    // Nobody who comes next waits for it, or is told that it was given up.
    #expect(try await box.library.notes(NoteQuery(NoteSearch(text: "note 7"), limit: 1)).total > 0)
    #expect(try await box.library.overview().places.all == 400)
  }

  /// The things that a client may wait for.
  enum Question: CaseIterable {
    case list, note, suggestions, mentions, statistics, overview, map, mapAround, random
  }

  @Test(arguments: Question.allCases)
  func `nothing is read for a client that has left`(question: Question) async throws {
    let box = try Box()
    let library = box.library
    let note = try #require(UUID(uuidString: try await box.note("here", "some words").id))
    let asking = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      switch question {
      case .list: _ = try await library.notes(NoteQuery(NoteSearch(text: "words")))
      case .note: _ = try await library.note(note)
      case .suggestions: _ = try await library.suggestions(text: "here", limit: 5)
      case .mentions: _ = try await library.mentions(of: note)
      case .statistics: _ = try await library.statistics()
      case .overview: _ = try await library.overview()
      case .map: _ = try await library.map()
      case .mapAround: _ = try await library.map(around: note, depth: 2)
      case .random: _ = try await library.random(in: .all)
      }
    }
    await #expect(throws: CancellationError.self) { try await asking.value }
    #expect(try await library.note(note).title == "here")
  }
}
