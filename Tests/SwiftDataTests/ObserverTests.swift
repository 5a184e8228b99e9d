import Foundation
import Observation
import SwiftData
import Synchronization
import Testing

struct ObserverTests {
  @Test func readingAPropertyIsTrackedUntilItChanges() throws {
    let context = ModelContext(try notesContainer())
    let folder = Folder(name: "Work")
    let note = Note(title: "First", folder: folder)
    context.insert(note)
    let count = Atomic(0)
    withObservationTracking {
      _ = note.title
    } onChange: {
      count.add(1, ordering: .relaxed)
    }
    note.stars = 3
    #expect(count.load(ordering: .relaxed) == 0)
    note.title = "Changed"
    note.title = "Again"
    #expect(count.load(ordering: .relaxed) == 1)
  }

  @Test func anAppendedMemberChangesTheRelationship() throws {
    let context = ModelContext(try notesContainer())
    let folder = Folder(name: "Work")
    context.insert(folder)
    let count = Atomic(0)
    withObservationTracking {
      _ = folder.notes
    } onChange: {
      count.add(1, ordering: .relaxed)
    }
    folder.notes.append(Note(title: "First"))
    #expect(count.load(ordering: .relaxed) == 1)
  }

  @Test func resultsFollowTheirContext() throws {
    let context = ModelContext(try notesContainer())
    context.insert(Note(title: "b"))
    let observer = try ResultsObserver(
      FetchDescriptor<Note>(
        predicate: #Predicate { !$0.isDone },
        sortBy: [SortDescriptor(\.title)]
      ),
      in: context
    )
    #expect(observer.results.map(\.title) == ["b"])
    let count = Atomic(0)
    withObservationTracking {
      _ = observer.results
    } onChange: {
      count.add(1, ordering: .relaxed)
    }
    let first = Note(title: "a")
    context.insert(first)
    context.processPendingChanges()
    #expect(observer.results.map(\.title) == ["a", "b"])
    #expect(count.load(ordering: .relaxed) == 1)
    first.isDone = true
    context.processPendingChanges()
    #expect(observer.results.map(\.title) == ["b"])
    try observer.filter(by: nil)
    #expect(observer.results.map(\.title) == ["a", "b"])
  }

  @Test func resultsWithoutAnOrderFollowToo() throws {
    let context = ModelContext(try notesContainer())
    let observer = try ResultsObserver(FetchDescriptor<Note>(), in: context)
    context.insert(Note(title: "a"))
    try context.save()
    #expect(observer.results.count == 1)
  }

  @Test func resultsAreInSections() throws {
    let context = ModelContext(try notesContainer())
    for (title, stars) in [("a", 1), ("b", 2), ("c", 1)] {
      let note = Note(title: title)
      note.stars = stars
      context.insert(note)
    }
    let observer = try ResultsObserver(
      FetchDescriptor<Note>(sortBy: [SortDescriptor(\.stars), SortDescriptor(\.title)]),
      sectionBy: \.stars,
      in: context
    )
    #expect(observer.sections.map(\.title) == [1, 2])
    #expect(observer.sections.map { $0.models.map(\.title) } == [["a", "c"], ["b"]])
  }

  @Test func theHistoryObserverCountsTheSavesOfChosenClassesAndAuthors() async throws {
    let container = try notesContainer(at: temporaryFolder().appendingPathComponent("A.store"))
    let observer = try HistoryObserver(of: container, models: [Note.self], authors: ["importer"])
    let context = ModelContext(container)
    context.author = "importer"
    context.insert(Tag(name: "a"))
    try context.save()
    context.insert(Note(title: "First"))
    try context.save()
    let other = ModelContext(container)
    other.insert(Note(title: "Second"))
    try other.save()
    for _ in 0..<100 where observer.eventCounter == 0 {
      try await Task.sleep(for: .milliseconds(20))
    }
    try await Task.sleep(for: .milliseconds(100))
    #expect(observer.eventCounter == 1)
    #expect(observer.historyTokens.count == 1)
  }
}
