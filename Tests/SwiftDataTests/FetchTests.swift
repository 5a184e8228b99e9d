import Foundation
import SwiftData
import Testing

@Suite struct FetchTests {
  let context: ModelContext

  init() throws {
    context = ModelContext(try notesContainer())
    for index in 0..<20 {
      let note = Note(title: String(format: "%02d", index))
      note.stars = index
      context.insert(note)
    }
    try context.save()
  }

  @Test func unsavedChangesCountUnlessTheyAreLeftOut() throws {
    context.insert(Note(title: "new"))
    var descriptor = FetchDescriptor<Note>(predicate: #Predicate { $0.stars == 0 })
    #expect(descriptor.includePendingChanges)
    #expect(Set(try context.fetch(descriptor).map(\.title)) == ["00", "new"])
    descriptor.includePendingChanges = false
    #expect(try context.fetch(descriptor).map(\.title) == ["00"])
    #expect(try context.fetchCount(descriptor) == 1)
  }

  @Test func aFetchInBatchesLeavesOutUnsavedChanges() throws {
    var descriptor = FetchDescriptor<Note>(sortBy: [SortDescriptor(\.title)])
    #expect(throws: SwiftDataError.includePendingChangesWithBatchSize) {
      try context.fetch(descriptor, batchSize: 5)
    }
    descriptor.includePendingChanges = false
    let found = try ModelContext(context.container).fetch(descriptor, batchSize: 3)
    #expect(found.count == 20)
    #expect(found.map(\.title) == (0..<20).map { String(format: "%02d", $0) })
    #expect(found[7].title == "07")
  }

  @Test func identifiersAreNotSortedWithUnsavedChanges() throws {
    let sorted = FetchDescriptor<Note>(sortBy: [SortDescriptor(\.title, order: .reverse)])
    #expect(try context.fetchIdentifiers(sorted).count == 20)
    context.insert(Note(title: "new"))
    #expect(throws: SwiftDataError.sortingPendingChangesWithIdentifiers) {
      try context.fetchIdentifiers(sorted)
    }
    #expect(try context.fetchIdentifiers(FetchDescriptor<Note>()).count == 21)
  }

  @Test func propertiesThatAreNotFetchedComeLater() throws {
    var descriptor = FetchDescriptor<Note>(sortBy: [SortDescriptor(\.title)])
    descriptor.propertiesToFetch = [\.title]
    descriptor.relationshipKeyPathsForPrefetching = [\.folder, \.tags]
    let notes = try ModelContext(context.container).fetch(descriptor)
    #expect(notes.map(\.stars) == Array(0..<20))
  }

  @Test func enumerationGoesThroughAllInBatches() throws {
    var titles: [String] = []
    try ModelContext(context.container).enumerate(
      FetchDescriptor<Note>(sortBy: [SortDescriptor(\.title)]),
      batchSize: 6
    ) { titles.append($0.title) }
    #expect(titles == (0..<20).map { String(format: "%02d", $0) })
  }

  @Test func enumerationMaySaveInItsBlock() throws {
    let other = ModelContext(context.container)
    try other.enumerate(FetchDescriptor<Note>(), batchSize: 6) { note in
      note.stars += 1
      try other.save()
    }
    #expect(
      try ModelContext(context.container).fetchCount(
        FetchDescriptor<Note>(predicate: #Predicate { $0.stars == 0 })
      ) == 0
    )
  }

  @Test func anEnumerationThatLeavesChangesStopsTheProgram() async {
    await #expect(processExitsWith: .failure) {
      let context = ModelContext(try notesContainer())
      context.insert(Note(title: "First"))
      try context.save()
      try context.enumerate(FetchDescriptor<Note>()) { $0.stars = 9 }
    }
  }

  @Test func readingARowThatIsGoneStopsTheProgram() async {
    await #expect(processExitsWith: .failure) {
      let file = try temporaryFolder().appendingPathComponent("A.store")
      let context = ModelContext(try notesContainer(at: file))
      let tag = Tag(name: "First")
      context.insert(tag)
      try context.save()
      let other = ModelContext(try notesContainer(at: file))
      let id = try JSONEncoder().encode(tag.persistentModelID)
      let held =
        other.model(for: try JSONDecoder().decode(PersistentIdentifier.self, from: id)) as? Tag
      context.delete(tag)
      try context.save()
      _ = held?.name
    }
  }

  @Test func undoTakesChangesBack() throws {
    let note = try #require(
      try context.fetch(FetchDescriptor<Note>(sortBy: [SortDescriptor(\.title)])).first
    )
    #expect(context.undoManager == nil)
    let manager = UndoManager()
    context.undoManager = manager
    note.title = "Changed"
    context.processPendingChanges()
    manager.undo()
    #expect(note.title == "00")
    manager.redo()
    #expect(note.title == "Changed")
    try context.save()
    #expect(manager.canUndo)
  }

  @Test func aRuleThatDeniesKeepsTheModel() throws {
    let container = try ModelContainer(
      for: Shelf.self,
      configurations: ModelConfiguration(isStoredInMemoryOnly: true)
    )
    let context = ModelContext(container)
    let shelf = Shelf()
    shelf.books = [Book(title: "First")]
    context.insert(shelf)
    try context.save()
    context.delete(shelf)
    #expect(throws: SwiftDataError.modelValidationFailure) { try context.save() }
    context.rollback()
    #expect(try context.fetchCount(FetchDescriptor<Shelf>()) == 1)
  }

  @Test func tooManyMembersAreRefusedWithTheSave() throws {
    let container = try ModelContainer(
      for: Shelf.self,
      configurations: ModelConfiguration(isStoredInMemoryOnly: true)
    )
    let context = ModelContext(container)
    let shelf = Shelf()
    context.insert(shelf)
    shelf.books = (0..<4).map { Book(title: "\($0)") }
    #expect(throws: SwiftDataError.modelValidationFailure) { try context.save() }
    context.delete(shelf.books[0])
    try context.save()
  }
}

@Model final class Shelf {
  @Relationship(deleteRule: .deny, maximumModelCount: 3, inverse: \Book.shelf) var books: [Book] =
    []

  init() {}
}

@Model final class Book {
  var title: String
  var shelf: Shelf?

  init(title: String) { self.title = title }
}
