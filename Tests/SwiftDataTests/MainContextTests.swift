import Foundation
import SwiftData
import Testing

@MainActor struct MainContextTests {
  @Test func onlyTheMainContextSavesByItself() throws {
    let container = try notesContainer()
    #expect(!ModelContext(container).autosaveEnabled)
    #expect(container.mainContext.autosaveEnabled)
    #expect(container.mainContext === container.mainContext)
  }

  @Test func theMainContextIsSavedSoonAfterAChange() async throws {
    let container = try notesContainer()
    container.mainContext.insert(Note(title: "First"))
    for _ in 0..<100 where container.mainContext.hasChanges {
      try await Task.sleep(for: .milliseconds(50))
    }
    #expect(!container.mainContext.hasChanges)
    #expect(try ModelContext(container).fetchCount(FetchDescriptor<Note>()) == 1)
  }

  @Test func aContainerThatIsGoneLeavesItsFileClosed() async throws {
    let file = try temporaryFolder().appendingPathComponent("A.store")
    weak var gone: ModelContainer?
    do {
      let container = try notesContainer(at: file)
      container.mainContext.insert(Note(title: "First"))
      try container.mainContext.save()
      gone = container
    }
    #expect(gone == nil)
    let log = file.path + "-wal"
    for _ in 0..<200 where FileManager.default.fileExists(atPath: log) {
      try await Task.sleep(for: .milliseconds(20))
    }
    #expect(!FileManager.default.fileExists(atPath: log))
  }

  @Test func changesOfAMainContextThatNobodyKeepsAreSaved() throws {
    let file = try temporaryFolder().appendingPathComponent("A.store")
    do {
      let container = try notesContainer(at: file)
      container.mainContext.insert(Note(title: "First"))
    }
    let context = ModelContext(try notesContainer(at: file))
    #expect(try context.fetch(FetchDescriptor<Note>()).map(\.title) == ["First"])
  }

  @Test func aMainContextWithoutItsContainerHasOneAgain() throws {
    let context = try notesContainer().mainContext
    context.insert(Note(title: "First"))
    try context.save()
    let container = context.container
    #expect(container.mainContext === context)
    #expect(try ModelContext(container).fetchCount(FetchDescriptor<Note>()) == 1)
  }

  @Test func changesAreSavedWhenTheProgramEnds() async throws {
    let file = try temporaryFolder().appendingPathComponent("A.store")
    await #expect(processExitsWith: .success) { [file = file as URL] in
      try await MainActor.run {
        let container = try notesContainer(at: file)
        container.mainContext.insert(Note(title: "First"))
        exit(EXIT_SUCCESS)
      }
    }
    let context = ModelContext(try notesContainer(at: file))
    #expect(try context.fetch(FetchDescriptor<Note>()).map(\.title) == ["First"])
  }

  @Test func theMainContextShowsWhatOthersSave() async throws {
    let container = try notesContainer()
    let note = Note(title: "First")
    container.mainContext.insert(note)
    try container.mainContext.save()
    let other = ModelContext(container)
    let same = try #require(other.model(for: note.persistentModelID) as? Note)
    same.title = "Changed"
    try other.save()
    for _ in 0..<100 where note.title == "First" { try await Task.sleep(for: .milliseconds(20)) }
    #expect(note.title == "Changed")
  }

  @Test func theMainContextShowsWhatAnotherContainerOfTheFileSaves() async throws {
    let file = try temporaryFolder().appendingPathComponent("A.store")
    let container = try notesContainer(at: file)
    let note = Note(title: "First")
    container.mainContext.insert(note)
    try container.mainContext.save()
    let results = try ResultsObserver(FetchDescriptor<Note>(), in: container.mainContext)
    let other = ModelContext(try notesContainer(at: file))
    try #require(try other.fetch(FetchDescriptor<Note>()).first).title = "Changed"
    other.insert(Note(title: "Second"))
    try other.save()
    for _ in 0..<200 where note.title == "First" || results.results.count == 1 {
      try await Task.sleep(for: .milliseconds(20))
    }
    #expect(note.title == "Changed")
    #expect(results.results.count == 2)
  }
}
