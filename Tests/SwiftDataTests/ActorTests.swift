import Foundation
import SwiftData
import Synchronization
import Testing

@ModelActor
actor Importer {
  var isOnMainThread: Bool { Thread.isMainThread }

  func add(_ count: Int, from start: Int) throws {
    for number in start..<start + count { modelContext.insert(Tag(name: "tag", kind: number)) }
    try modelContext.save()
  }

  func rename(_ id: PersistentIdentifier, to name: String) throws {
    self[id, as: Tag.self]?.name = name
    try modelContext.save()
  }

  func name(of id: PersistentIdentifier) -> String? { self[id, as: Tag.self]?.name }
}

@ModelActor
actor MainHandler {
  @MainActor
  init(mainContextOf container: ModelContainer) {
    modelExecutor = DefaultSerialModelExecutor(modelContext: container.mainContext)
    modelContainer = container
  }

  func add(_ title: String) throws -> PersistentIdentifier {
    dispatchPrecondition(condition: .onQueue(.main))
    let note = Note(title: title)
    modelContext.insert(note)
    try modelContext.save()
    return note.persistentModelID
  }
}

struct ActorTests {
  @Test @MainActor func anActorOverTheMainContextLeavesItObservable() async throws {
    let container = try notesContainer()
    let handler = MainHandler(mainContextOf: container)
    let id = try await handler.add("First")
    let note = try #require(container.mainContext.model(for: id) as? Note)
    let isChanged = Mutex(false)
    withObservationTracking {
      _ = note.title
    } onChange: {
      isChanged.withLock { $0 = true }
    }
    note.title = "Second"
    #expect(isChanged.withLock { $0 })
  }

  @Test @MainActor func anActorNeverRunsOnTheMainThread() async throws {
    let importer = Importer(modelContainer: try notesContainer())
    #expect(await !importer.isOnMainThread)
  }

  @Test func actorsWorkSideBySide() async throws {
    let container = try notesContainer()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for part in 0..<8 {
        let importer = Importer(modelContainer: container)
        group.addTask { try await importer.add(200, from: part * 200) }
      }
      try await group.waitForAll()
    }
    #expect(try ModelContext(container).fetchCount(FetchDescriptor<Tag>()) == 1600)
  }

  @Test func anActorSeesWhatAnotherHasSaved() async throws {
    let container = try notesContainer()
    let context = ModelContext(container)
    let tag = Tag(name: "a")
    context.insert(tag)
    try context.save()
    let id = tag.persistentModelID
    let one = Importer(modelContainer: container)
    let other = Importer(modelContainer: container)
    #expect(await other.name(of: id) == "a")
    try await one.rename(id, to: "b")
    for _ in 0..<100 where await other.name(of: id) == "a" {
      try await Task.sleep(for: .milliseconds(10))
    }
    #expect(await other.name(of: id) == "b")
  }
}
