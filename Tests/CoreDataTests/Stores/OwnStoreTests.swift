import Foundation
import Synchronization
import Testing

@testable import CoreData
@testable import TestSupport

/// Tests of promises to authors of stores (113).
@Suite struct OwnStoreTests {
  private struct Offline: Error {}

  private func atomic() throws -> (NotesStack, JSONLinesStore) {
    let stack = try StoreKind.jsonLines.stack()
    return (stack, try #require(stack.store as? JSONLinesStore))
  }

  private func incremental() throws -> (NotesStack, DictionaryStore) {
    let stack = try StoreKind.dictionary.stack()
    return (stack, try #require(stack.store as? DictionaryStore))
  }

  // MARK: Atomic stores

  @Test func `an atomic store is added, loaded, saved and removed in this order (113)`() throws {
    let (stack, store) = try atomic()
    try stack.work { context throws in
      let note = context.note("n")
      try context.save()
      #expect(store.cacheNodes().count == 1)
      let node = try #require(store.cacheNode(for: note.objectID))
      #expect(node.value(forKey: "title") as? String == "n")
      note.title = "m"
      try context.save()
      #expect(node.value(forKey: "title") as? String == "m")
      context.delete(note)
      try context.save()
    }
    try stack.coordinator.remove(store)
    #expect(
      store.log == ["didAdd", "load", "save", "save", "remove 1", "save", "willRemove"]
    )
    #expect(store.cacheNodes() == [])
  }

  @Test func `an error of save() leaves context and nodes as they were (113)`() throws {
    let (stack, store) = try atomic()
    try stack.work(OtherStoresTests.populate)
    let file = try Data(contentsOf: try #require(stack.file))
    try stack.work { context throws in
      let note = try #require(try context.fetch(Note.fetchRequest()).first { $0.title == "a" })
      let gone = try #require(try context.fetch(Bin.fetchRequest()).first)
      note.title = "changed"
      let new = context.note("new")
      let temporary = new.objectID
      context.delete(gone)
      store.refusal = Offline()
      #expect(throws: Offline.self) { try context.save() }
      #expect(new.objectID == temporary)
      #expect(new.objectID.isTemporaryID)
      #expect(context.registeredObject(for: temporary) === new)
      #expect(context.insertedObjects == [new])
      #expect(context.deletedObjects == [gone])
      #expect(store.cacheNode(for: note.objectID)?.value(forKey: "title") as? String == "a")
      #expect(store.cacheNode(for: gone.objectID) != nil)
      #expect(try Data(contentsOf: try #require(stack.file)) == file)
      store.refusal = nil
      try context.save()
      #expect(!new.objectID.isTemporaryID)
    }
    try StoreKind.jsonLines.reopened(stack).work { context throws in
      #expect(try context.titles().contains("changed"))
      #expect(try context.count(for: Bin.fetchRequest()) == 0)
    }
  }

  @Test func `a node with a value that the model does not allow refuses the store`() throws {
    let stack = try StoreKind.jsonLines.stack()
    try stack.saved { $0.note("n") }
    let file = try #require(stack.file)
    let text = try String(contentsOf: file, encoding: .utf8)
    try text.replacingOccurrences(of: "\"stars\":0", with: "\"stars\":99999")
      .write(to: file, atomically: true, encoding: .utf8)
    let error = try #require(throws: NSError.self) { try StoreKind.jsonLines.reopened(stack) }
    #expect(error.code == 259)
    #expect(error.localizedFailureReason?.contains("Note.stars") == true)
  }

  // MARK: Incremental stores

  @Test func `a fetch asks for identities, and a fault for its values, once (113)`() throws {
    let (stack, store) = try incremental()
    try stack.work(OtherStoresTests.populate)
    store.rowCache.removeAll()
    try stack.work { context throws in
      store.forgetLog()
      let request = Tag.fetchRequest()
      request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
      let tags = try context.fetch(request)
      #expect(store.log == ["fetch Tag"])
      #expect(tags.map(\.name) == ["blue", "red"])
      #expect(tags.map(\.name) == ["blue", "red"])
      #expect(store.log == ["fetch Tag", "values of Tag", "values of Tag"])
      store.forgetLog()
      #expect((tags[1].notes?.array as? [Note])?.count == 2)
      #expect(store.log == ["notes of Tag"])
      store.forgetLog()
      #expect(try context.count(for: request) == 2)
      #expect(store.log == ["fetch Tag"])
    }
  }

  @Test func `a to-one relationship that a node does not tell is asked for (113)`() throws {
    let (stack, store) = try incremental()
    try stack.work(OtherStoresTests.populate)
    store.rowCache.removeAll()
    store.tellsTargets = false
    try stack.work { context throws in
      let note = try #require(try context.fetch(Note.fetchRequest()).first { $0.title == "a" })
      #expect(note.folder?.name == "Top")
      #expect(note.covers == nil)
      #expect(store.log.contains("folder of Note"))
    }
  }

  @Test func `a member that a store names twice stands in the relationship once`() throws {
    let (stack, store) = try incremental()
    try stack.work(OtherStoresTests.populate)
    for (id, record) in store.table.records where record.entity == "Tag" {
      store.table.records[id]?.links["notes"]? += record.links["notes"] ?? []
    }
    store.rowCache.removeAll()
    try stack.work { context throws in
      let red = try #require(try context.fetch(Tag.fetchRequest()).first { $0.name == "red" })
      let notes = try #require(red.notes?.array as? [Note])
      #expect(notes.count == 2)
      red.mutableOrderedSetValue(forKey: "notes").remove(notes[0])
      #expect((red.notes?.array as? [Note]) == [notes[1]])
      #expect(notes[0].tags?.contains(red) == false)
      try context.save()
      #expect((red.notes?.array as? [Note]) == [notes[1]])
    }
  }

  @Test func `a save tells what was inserted, updated and deleted, and metadata alone (113)`()
    throws
  {
    let (stack, store) = try incremental()
    try stack.work { context throws in
      let (one, two) = (context.note("one"), context.note("two"))
      try context.save()
      one.title = "changed"
      context.delete(two)
      context.note("three")
      store.forgetLog()
      try context.save()
      #expect(store.log.filter { $0.hasPrefix("save") } == ["save insert 1, update 1, delete 1"])
      store.forgetLog()
      try context.save()
      #expect(store.log == [])
      stack.coordinator.setMetadata(["author": "me"], for: store)
      try context.save()
      #expect(store.log == ["save "])
    }
  }

  @Test func `an incremental store did not hear of objects that nobody may have changed (53)`()
    throws
  {
    let (stack, store) = try incremental()
    let id = try stack.saved { $0.note("one") }
    try stack.work { context throws in
      let note = context.find(id)
      context.detectConflicts(for: note)
      store.forgetLog()
      try context.save()
      #expect(store.log == ["values of Note", "save lock 1"])
      context.detectConflicts(for: note)
      for id in store.table.records.keys { store.table.records[id]?.version += 7 }
      #expect(errorCode { try context.save() } == NSManagedObjectMergeError)
    }
  }

  @Test func `an error of execute leaves the context as it was (113)`() throws {
    let (stack, store) = try incremental()
    let id = try stack.saved { $0.note("one") }
    try stack.work { context throws in
      let note = context.find(id)
      note.title = "changed"
      let new = context.note("new")
      let temporary = new.objectID
      store.refusal = Offline()
      #expect(throws: Offline.self) { try context.save() }
      #expect(note.isUpdated)
      #expect(new.objectID == temporary)
      store.refusal = nil
      try context.save()
      #expect(new.objectID.uriRepresentation().lastPathComponent.hasPrefix("prow "))
    }
  }

  @Test func `the store knows which objects contexts hold (113)`() throws {
    let (stack, store) = try incremental()
    let ids = try stack.work { context throws in
      let notes = ["a", "b"].map { context.note($0) }
      try context.save()
      #expect(store.held.withLock { $0.count } == 2)
      return notes.map(\.objectID)
    }
    #expect(store.held.withLock { $0.isEmpty })
    let (one, two) = (stack.context(), stack.context())
    let held = one.performAndWait { ids.map { one.object(with: $0) } }
    two.performAndWait {
      let other = two.object(with: ids[0])
      #expect(store.held.withLock { $0[ids[0]] } == 2)
      withExtendedLifetime(other) {}
    }
    #expect(store.held.withLock { $0[ids[0]] } == 1)
    one.performAndWait { one.reset() }
    #expect(store.held.withLock { $0.isEmpty })
    withExtendedLifetime(held) {}
  }

  @Test func `an object that the store does not have is missing, and a broken store says so`()
    throws
  {
    let (stack, store) = try incremental()
    let id = try stack.saved { $0.note("one") }
    store.table.records = [:]
    store.rowCache.removeAll()
    try stack.work { context throws in
      #expect(errorCode { try context.existingObject(with: id) } == 133_000)
    }
  }

  @Test func `who resolves a conflict reads the row for the context of its object`() throws {
    let (stack, store) = try incremental()
    try stack.work(OtherStoresTests.populate)
    try stack.work { context throws in
      let note = try #require(try context.fetch(Note.fetchRequest()).first { $0.title == "a" })
      note.stars = 5
      let conflict = NSMergeConflict(
        source: note,
        newVersion: 2,
        oldVersion: 1,
        cachedSnapshot: nil,
        persistedSnapshot: nil
      )
      store.forgetLog()
      let policy = NSMergePolicy.mergeByPropertyObjectTrump
      try policy.resolve(optimisticLockingConflicts: [conflict])
      #expect(store.log == ["values of Note"])
      #expect(store.asker === context)
      #expect(note.stars == 5)
    }
  }

  @Test func `requests of one's own go to the stores that know them`() throws {
    let (stack, store) = try incremental()
    try stack.saved { $0.note("one") }
    try stack.work { context throws in
      let answers = try stack.coordinator.execute(CountEverything(), with: context) as? [Any]
      #expect(answers?.first as? Int == 1)
      let notes = try stack.coordinator.execute(Note.fetchRequest(), with: context) as? [Any]
      #expect(notes?.count == 1)
      let save = NSSaveChangesRequest(inserted: nil, updated: nil, deleted: nil, locked: nil)
      #expect(errorCode { try stack.coordinator.execute(save, with: context) } == 134_091)
      #expect(save.requestType == .saveRequestType)
    }
    _ = store
  }

  @Test func `a text that names an object leads to it in every process`() throws {
    let (stack, _) = try incremental()
    let id = try stack.saved { $0.note("one") }
    let text = id.uriRepresentation().absoluteString
    #expect(text.hasSuffix("/Note/prow%201"))
    let again = try StoreKind.dictionary.reopened(stack)
    try again.work { context throws in
      let id = try #require(again.coordinator.managedObjectID(for: text))
      #expect(context.find(id).title == "one")
      let store = try #require(again.store as? DictionaryStore)
      #expect(store.referenceObject(for: id) as? String == "row 1")
    }
  }

  // MARK: Registering

  @Test func `a type without a class is refused with 134000`() throws {
    StoreKind.register()
    let types = NSPersistentStoreCoordinator.registeredStoreTypes
    for type in ["SQLite", "XML", "Binary", "InMemory", "JSONLines", "Dictionary"] {
      #expect(types[type] != nil)
    }
    let type = NSPersistentStore.StoreType(rawValue: "Short-lived")
    let file = TestSupport.TemporaryFolder.file("Notes")
    let open = {
      let coordinator = NSPersistentStoreCoordinator(managedObjectModel: NotesStack.model)
      return try coordinator.addPersistentStore(type: type, at: file)
    }
    #expect(errorCode(open) == 134_000)
    NSPersistentStoreCoordinator.registerStoreClass(DictionaryStore.self, type: type)
    #expect(try open() is DictionaryStore)
    NSPersistentStoreCoordinator.registerStoreClass(nil, type: type)
    #expect(errorCode(open) == 134_000)
  }

  @Test func `a class that is no store stops the program`() async {
    await #expect(processExitsWith: .failure) {
      NSPersistentStoreCoordinator.registerStoreClass(
        NSPersistentStore.self,
        type: NSPersistentStore.StoreType(rawValue: "Plain")
      )
    }
    await #expect(processExitsWith: .failure) {
      NSPersistentStoreCoordinator.registerStoreClass(DictionaryStore.self, type: .sqlite)
    }
  }
}
