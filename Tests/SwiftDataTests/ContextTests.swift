import CoreData
import Foundation
import SwiftData
import Testing

@Suite struct ContextTests {
  let container: ModelContainer
  let context: ModelContext

  init() throws {
    container = try notesContainer()
    context = ModelContext(container)
  }

  // MARK: Saving

  @Test func aSaveWithoutChangesWritesNothing() throws {
    context.insert(Note(title: "First"))
    try context.save()
    let before = try context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>()).count
    try context.save()
    #expect(
      try context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>()).count == before
    )
  }

  @Test func insertingARootInsertsAllThatItReaches() throws {
    let root = Folder(name: "Root")
    let child = Folder(name: "Child", parent: root)
    let note = Note(title: "First", folder: child)
    note.tags = [Tag(name: "a")]
    context.insert(note)
    #expect(root.modelContext === context)
    #expect(context.insertedModelsArray.count == 4)
    try context.save()
    #expect(try ModelContext(container).fetchCount(FetchDescriptor<Folder>()) == 2)
  }

  @Test func assigningANewModelToARegisteredOneInsertsIt() throws {
    let folder = Folder(name: "Work")
    context.insert(folder)
    try context.save()
    folder.notes.append(Note(title: "First"))
    let second = Note(title: "Second", folder: folder)
    #expect(second.modelContext === context)
    try context.save()
    #expect(try ModelContext(container).fetchCount(FetchDescriptor<Note>()) == 2)
    #expect(Set(folder.notes.map(\.title)) == ["First", "Second"])
    #expect(folder.notes.contains { $0 === second })
  }

  @Test func rollbackDropsInsertsAndDeletesAndRestoresChanges() throws {
    let kept = Note(title: "Kept")
    let deleted = Note(title: "Deleted")
    context.insert(kept)
    context.insert(deleted)
    try context.save()
    context.undoManager = UndoManager()
    kept.title = "Changed"
    context.delete(deleted)
    context.insert(Note(title: "New"))
    context.rollback()
    #expect(kept.title == "Kept")
    #expect(!deleted.isDeleted)
    #expect(!context.hasChanges)
    #expect(context.undoManager?.canUndo == false)
    #expect(try context.fetchCount(FetchDescriptor<Note>()) == 2)
  }

  @Test func aTransactionSavesAtItsEndAndNotAfterAnError() throws {
    struct Stop: Error {}
    try context.transaction { context.insert(Note(title: "First")) }
    #expect(!context.hasChanges)
    #expect(throws: Stop.self) {
      try context.transaction {
        context.insert(Note(title: "Second"))
        throw Stop()
      }
    }
    #expect(try ModelContext(container).fetchCount(FetchDescriptor<Note>()) == 1)
  }

  @Test func pendingChangesApplyDeleteRules() throws {
    let folder = Folder(name: "Work")
    let note = Note(title: "First", folder: folder)
    context.insert(folder)
    try context.save()
    context.delete(folder)
    context.processPendingChanges()
    #expect(note.isDeleted)
  }

  @Test func theHistoryHasTheAuthorOfAContext() throws {
    context.author = "importer"
    context.insert(Note(title: "First"))
    try context.save()
    let transactions = try context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>())
    #expect(transactions.map(\.author) == ["importer"])
  }

  @Test func savesAreAnnouncedWithTheIdentifiers() throws {
    let changed = Note(title: "Changed")
    let deleted = Note(title: "Deleted")
    context.insert(changed)
    context.insert(deleted)
    try context.save()
    let box = NotificationBox()
    let observers = [ModelContext.willSave, ModelContext.didSave].map { name in
      NotificationCenter.default.addObserver(forName: name, object: context, queue: nil) {
        box.add($0)
      }
    }
    defer { observers.forEach(NotificationCenter.default.removeObserver) }
    let inserted = Note(title: "Inserted")
    context.insert(inserted)
    changed.title = "Other"
    context.delete(deleted)
    let gone = deleted.persistentModelID
    try context.save()
    #expect(box.names == [ModelContext.willSave, ModelContext.didSave])
    #expect(box.identifiers(.insertedIdentifiers) == [inserted.persistentModelID])
    #expect(box.identifiers(.updatedIdentifiers) == [changed.persistentModelID])
    #expect(box.identifiers(.deletedIdentifiers) == [gone])
  }

  @Test func aModelWithAUniqueValueThatIsStoredChangesTheStoredOne() throws {
    let first = Folder(name: "Work")
    first.color = "red"
    context.insert(first)
    context.insert(Tag(name: "a", kind: 1))
    try context.save()

    let other = ModelContext(container)
    let second = Folder(name: "Work")
    second.color = "green"
    other.insert(second)
    let tag = Tag(name: "a", kind: 1)
    other.insert(tag)
    other.insert(Tag(name: "a", kind: 2))
    try other.save()
    let read = ModelContext(container)
    #expect(try read.fetch(FetchDescriptor<Folder>()).map(\.color) == ["green"])
    #expect(try read.fetchCount(FetchDescriptor<Tag>()) == 2)
  }

  // MARK: Identity

  @Test func aContextKnowsOnlyWhatItHasRegistered() throws {
    let note = Note(title: "First")
    context.insert(note)
    try context.save()
    let id = note.persistentModelID
    let known: Note? = context.registeredModel(for: id)
    #expect(known === note)
    let other = ModelContext(container)
    let unknown: Note? = other.registeredModel(for: id)
    #expect(unknown == nil)
    let read = try #require(other.model(for: id) as? Note)
    #expect(read !== note)
    #expect(read.title == "First")
    let again: Note? = other.registeredModel(for: id)
    #expect(again === read)
  }

  @Test func anIdentifierIsTemporaryUntilTheSave() throws {
    let note = Note(title: "First")
    context.insert(note)
    let before = note.persistentModelID
    #expect(before.storeIdentifier == nil)
    try context.save()
    #expect(note.persistentModelID != before)
    #expect(note.persistentModelID.storeIdentifier != nil)
    #expect(note.persistentModelID.entityName == "Note")
  }

  @Test func anIdentifierHasApplesJSONAndEqualsTheDecodedOne() throws {
    let folder = Folder(name: "Work")
    context.insert(folder)
    try context.save()
    let id = folder.persistentModelID
    let data = try JSONEncoder().encode(id)
    let json = try #require(
      try JSONSerialization.jsonObject(with: data) as? [String: [String: Any]]
    )
    let parts = try #require(json["implementation"])
    let store = try #require(id.storeIdentifier)
    #expect(parts["primaryKey"] as? String == "p1")
    #expect(parts["uriRepresentation"] as? String == "x-coredata://\(store)/Folder/p1")
    #expect(parts["isTemporary"] as? Bool == false)
    #expect(parts["storeIdentifier"] as? String == store)
    #expect(parts["entityName"] as? String == "Folder")
    let decoded = try JSONDecoder().decode(PersistentIdentifier.self, from: data)
    #expect(decoded == id)
    #expect(decoded.hashValue == id.hashValue)
    let found: Folder? = context.registeredModel(for: decoded)
    #expect(found === folder)
  }

  // MARK: Deleting

  @Test func aDeletedModelIsThatUntilTheSave() throws {
    let note = Note(title: "First")
    context.insert(note)
    try context.save()
    context.delete(note)
    #expect(note.isDeleted)
    #expect(note.modelContext === context)
    #expect(context.deletedModelsArray.contains { $0 === note })
    try context.save()
    #expect(!note.isDeleted)
    #expect(note.modelContext == nil)
    #expect(note.title == "First")
  }

  @Test func aNewModelThatIsDeletedIsForgotten() throws {
    let note = Note(title: "First")
    context.insert(note)
    context.delete(note)
    try context.save()
    #expect(!context.hasChanges)
    #expect(try context.fetchCount(FetchDescriptor<Note>()) == 0)
  }

  @Test func cascadesGoOnThroughAllLevels() throws {
    let folder = Folder(name: "Work")
    folder.notes = [Note(title: "First"), Note(title: "Second")]
    context.insert(folder)
    try context.save()
    context.delete(folder)
    try context.save()
    #expect(try context.fetchCount(FetchDescriptor<Note>()) == 0)
  }

  @Test func withoutARuleReferencesBecomeNil() throws {
    let parent = Folder(name: "Parent")
    let note = Note(title: "First", folder: parent)
    note.tags = [Tag(name: "a")]
    context.insert(note)
    try context.save()
    context.delete(try #require(note.tags.first))
    try context.save()
    #expect(note.tags.isEmpty)
  }

  @Test func manyAreDeletedByACondition() throws {
    for index in 0..<10 {
      let note = Note(title: "\(index)")
      note.stars = index
      context.insert(note)
    }
    try context.save()
    let held = try context.fetch(FetchDescriptor<Note>(sortBy: [SortDescriptor(\.stars)]))
    try context.delete(model: Note.self, where: #Predicate { $0.stars < 4 })
    #expect(try context.fetchCount(FetchDescriptor<Note>()) == 6)
    #expect(held[9].title == "9")
    try context.delete(model: Note.self)
    #expect(try context.fetchCount(FetchDescriptor<Note>()) == 0)
  }

  @Test func allDataCanBeDeleted() throws {
    context.insert(Note(title: "First", folder: Folder(name: "Work")))
    try context.save()
    try container.deleteAllData()
    #expect(try ModelContext(container).fetchCount(FetchDescriptor<Note>()) == 0)
    #expect(try ModelContext(container).fetchCount(FetchDescriptor<Folder>()) == 0)
  }

  // MARK: Others' saves

  @Test func aSaveInOneContextIsSeenByAnotherThatHasTheModel() throws {
    let note = Note(title: "First")
    context.insert(note)
    try context.save()
    let other = ModelContext(container)
    let same = try #require(other.model(for: note.persistentModelID) as? Note)
    #expect(same.title == "First")
    note.title = "Changed"
    try context.save()
    _ = try other.fetchCount(FetchDescriptor<Note>())
    #expect(same.title == "Changed")
  }
}

/// The notifications of a test.
final class NotificationBox: @unchecked Sendable {
  private(set) var notifications: [Notification] = []

  func add(_ notification: Notification) { notifications.append(notification) }

  var names: [Notification.Name] { notifications.map(\.name) }

  func identifiers(_ key: ModelContext.NotificationKey) -> [PersistentIdentifier]? {
    notifications.last?.userInfo?[key.rawValue] as? [PersistentIdentifier]
  }
}
