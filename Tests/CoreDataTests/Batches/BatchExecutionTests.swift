import Foundation
import Synchronization
import TestSupport
import Testing

@testable import CoreData

/// Tests of the destination of batch requests, and of their effects on contexts.
struct BatchExecutionTests {
  private func requests() -> [NSPersistentStoreRequest] {
    let update = NSBatchUpdateRequest(entityName: "Note")
    update.propertiesToUpdate = ["stars": 1]
    let fetch = NSFetchRequest<any NSFetchRequestResult>(entityName: "Note")
    return [
      NSBatchInsertRequest(entityName: "Note", objects: [["title": "x"]]), update,
      NSBatchDeleteRequest(fetchRequest: fetch),
    ]
  }

  @Test func `each kind of request has its number`() {
    #expect(requests().map(\.requestType.rawValue) == [5, 6, 7])
    #expect(NSBatchInsertRequestResultType(rawValue: 1) == .objectIDs)
    #expect(NSBatchUpdateRequestResultType(rawValue: 2) == .updatedObjectsCountResultType)
    #expect(NSBatchDeleteRequestResultType(rawValue: 1) == .resultTypeObjectIDs)
  }

  @Test func `other stores than SQLite refuse (92)`() throws {
    let stack = try NotesStack(.memory)
    try stack.work { context in
      context.note("stays")
      try context.save()
      for request in requests() {
        #expect(
          errorCode { try context.execute(request) } == NSPersistentStoreUnsupportedRequestTypeError
        )
      }
      #expect(words { _ = try context.execute(requests()[0]) }.contains("SQLite"))
      #expect(try context.titles() == ["stays"])
    }
  }

  @Test func `a store that is read-only refuses`() throws {
    let stack = try NotesStack(.sqlite)
    try stack.saved { $0.note("stays") }
    let file = try #require(stack.file)
    let reader = try NotesStack(file: file, options: [NSReadOnlyPersistentStoreOption: true])
    try reader.work { context throws in
      for request in requests() {
        #expect(
          errorCode { try context.execute(request) } == CocoaError.fileWriteNoPermission.rawValue
        )
      }
    }
  }

  @Test(arguments: storesWithBatches)
  func `a save request is refused by contexts and coordinators (95)`(_ kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    try stack.work { context throws in
      let request = NSSaveChangesRequest(inserted: nil, updated: nil, deleted: nil, locked: nil)
      #expect(
        errorCode { try context.execute(request) } == NSPersistentStoreUnsupportedRequestTypeError
      )
      #expect(
        errorCode { try stack.coordinator.execute(request, with: context) }
          == NSPersistentStoreUnsupportedRequestTypeError
      )
    }
  }

  @Test func `a coordinator executes batch requests too`() throws {
    let stack = try NotesStack(.sqlite)
    try stack.work { context in
      let results = try requests().map { try stack.coordinator.execute($0, with: context) }
      #expect(results[0] is NSBatchInsertResult)
      #expect(results[1] is NSBatchUpdateResult)
      #expect(results[2] is NSBatchDeleteResult)
      #expect(try context.titles().isEmpty)
    }
  }

  // MARK: Several stores

  private func twoStores(_ second: String) throws -> NotesStack {
    let stack = try NotesStack(.sqlite)
    try stack.coordinator.addPersistentStore(
      ofType: second,
      configurationName: nil,
      at: second == NSSQLiteStoreType ? TestSupport.TemporaryFolder.file("Other.sqlite") : nil
    )
    return stack
  }

  @Test func `changes are made in every store, new rows go into the first`() throws {
    let stack = try twoStores(NSSQLiteStoreType)
    let stores = stack.coordinator.persistentStores
    try stack.work { context in
      #expect(try context.insert("Note", [["title": "one"]]).map(\.persistentStore) == [stores[0]])
      let request = NSBatchInsertRequest(entityName: "Note", objects: [["title": "two"]])
      request.affectedStores = [stores[1]]
      request.resultType = .objectIDs
      let result = try context.execute(request) as? NSBatchInsertResult
      #expect(context.identities(result).map(\.persistentStore) == [stores[1]])
      #expect(try context.update("Note", ["stars": 2]) == 2)
      let update = NSBatchUpdateRequest(entityName: "Note")
      update.propertiesToUpdate = ["stars": 3]
      update.affectedStores = [stores[1]]
      _ = try context.execute(update)
      #expect(try context.note(titled: "one")?.stars == 2)
      #expect(try context.note(titled: "two")?.stars == 3)
      let delete = NSBatchDeleteRequest(fetchRequest: .init(entityName: "Note"))
      delete.affectedStores = [stores[0]]
      #expect(try context.delete(delete).map(\.persistentStore) == [stores[0]])
      #expect(try context.delete("Note").map(\.persistentStore) == [stores[1]])
    }
  }

  @Test func `what fails in one store is done in the others, and the error has each failure (95)`()
    throws
  {
    let stack = try twoStores(NSInMemoryStoreType)
    let stores = stack.coordinator.persistentStores
    try stack.work { context in
      try context.insert("Note", [["title": "stored"]])
      do {
        try context.update("Note", ["stars": 4])
        Issue.record("an update of a store in memory must fail")
      } catch let error as NSError {
        #expect(error.code == NSPersistentStoreOperationError)
        #expect(error.userInfo[NSAffectedStoresErrorKey] as? [NSPersistentStore] == [stores[1]])
        let failures = try #require(error.userInfo[NSDetailedErrorsKey] as? [NSError])
        #expect(failures.map(\.code) == [NSPersistentStoreUnsupportedRequestTypeError])
      }
      #expect(try context.note(titled: "stored")?.stars == 4)
    }
  }

  // MARK: Memory

  @Test(arguments: storesWithBatches)
  func `objects keep their values until changes are merged (92, 88)`(_ kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    let context = stack.context()
    try context.performAndWait {
      let ids = try context.insert("Note", [["title": "a"], ["title": "b"], ["title": "c"]])
      let notes = ids.map { context.find($0) }
      #expect(notes.map(\.title) == ["a", "b", "c"])
      notes[2].text = "mine"
      try context.update("Note", ["title": NSExpression(format: "uppercase(title)")])
      #expect(notes.map(\.title) == ["a", "b", "c"])
      NSManagedObjectContext.mergeChanges(
        fromRemoteContextSave: [NSUpdatedObjectsKey: ids],
        into: [context]
      )
      #expect(notes.map(\.title) == ["A", "B", "C"])
      #expect(notes[2].text == "mine")
      #expect(checkInvariants(of: context).isEmpty)
      let gone = try context.delete("Note", where: NSPredicate(format: "title == 'A'"))
      #expect(notes[0].title == "A")
      NSManagedObjectContext.mergeChanges(
        fromRemoteContextSave: [NSDeletedObjectsKey: gone],
        into: [context]
      )
      #expect(context.deletedObjects == [notes[0]])
      context.processPendingChanges()
      #expect(notes[0].managedObjectContext == nil)
      #expect(context.registeredObject(for: gone[0]) == nil)
      let new = try context.insert("Note", [["title": "D"]])
      NSManagedObjectContext.mergeChanges(
        fromRemoteContextSave: [NSInsertedObjectsKey: new],
        into: [context]
      )
      #expect(context.registeredObject(for: new[0]) != nil || context.find(new[0]).title == "D")
      try context.save()
    }
    #expect(try stack.work { try $0.titles() } == ["B", "C", "D"])
  }

  @Test(arguments: storesWithBatches)
  func `a fault is fulfilled with new values after a batch (92)`(_ kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    try stack.work { context in
      try context.insert("Note", [["title": "a", "text": "old"]])
      let note = try #require(try context.fetch(Note.fetchRequest()).first)
      #expect(note.isFault)
      try context.update("Note", ["text": "new"])
      #expect(note.text == "new")
      try context.update("Note", ["text": "newer"])
      #expect(note.text == "new")
      context.refresh(note, mergeChanges: false)
      #expect(note.text == "newer")
      try context.update("Note", ["text": "newest"])
      note.title = "changed here"
      context.refresh(note, mergeChanges: true)
      #expect(note.text == "newest")
      #expect(note.title == "changed here")
      try context.save()
      let other = stack.context()
      try other.performAndWait { () throws in
        #expect(try other.note(titled: "changed here")?.text == "newest")
      }
    }
  }

  @Test func `a row that was read before a batch does not come into the cache after it`() throws {
    let stack = try NotesStack(.sqlite)
    try stack.work { context in
      let id = try context.insert("Note", [["title": "a", "text": "old"]])[0]
      let cache = try #require(stack.coordinator.persistentStores.first?.rowCache)
      let epoch = cache.epoch
      let note = context.find(id)
      #expect(note.text == "old")
      let old = try #require(cache[id.key]?.snapshot)
      try context.update("Note", ["text": "new"])
      cache.set(old, of: note.layout, for: id.key, readIn: epoch)
      let row = Row(primaryKey: id.key.number, layout: note.layout, snapshot: old)
      cache.set([row], of: id.key.store, readIn: epoch)
      #expect(cache[id.key] == nil)
      context.refresh(note, mergeChanges: false)
      #expect(note.text == "new")
    }
  }

  @Test(arguments: storesWithBatches)
  func `who changes an object that a batch has changed meets a conflict (92)`(
    _ kind: StoreKind
  ) throws {
    let stack = try NotesStack(kind)
    try stack.work { context in
      let note = context.note("a")
      try context.save()
      note.text = "mine"
      try context.update("Note", ["stars": 3])
      #expect(errorCode { try context.save() } == NSManagedObjectMergeError)
      context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
      try context.save()
      #expect(note.stars == 3)
      #expect(note.text == "mine")
    }
  }

  @Test(arguments: storesWithBatches)
  func `a child's batch goes to the store`(_ kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    let parent = stack.context()
    let child = NSManagedObjectContext(.privateQueue)
    child.parent = parent
    try child.performAndWait {
      try child.insert("Note", [["title": "from below"]])
      #expect(try child.titles() == ["from below"])
      let note = try #require(try child.fetch(Note.fetchRequest()).first)
      #expect(note.title == "from below")
    }
    #expect(!parent.performAndWait { parent.hasChanges })
  }

  @Test func `nothing is told of a batch, and nothing validated or awoken (92)`() throws {
    let stack = try NotesStack(.sqlite)
    let context = stack.context()
    let told = Told()
    let center = NotificationCenter.default
    let tokens = [
      Notification.Name.NSManagedObjectContextDidSave, .NSManagedObjectContextWillSave,
      .NSManagedObjectContextObjectsDidChange,
    ].map { name in
      center.addObserver(forName: name, object: context, queue: nil) { _ in told.note() }
    }
    defer { for token in tokens { center.removeObserver(token) } }
    try context.performAndWait {
      try context.insert("Note", [["title": String(repeating: "long ", count: 20), "stars": 99]])
      // Shorter than the model allows; that there is a value is asked, and no more.
      try context.insert("Tag", [["name": ""]])
      try context.update("Note", ["stars": 100])
      #expect(try context.fetch(Note.fetchRequest()).first?.stars == 100)
    }
    #expect(told.count == 0)
  }

  @Test func `a handler may read, and what it saves is refused`() throws {
    let stack = try NotesStack(.sqlite)
    try stack.saved { $0.note("read me") }
    try stack.work { context in
      var calls = 0
      let request = NSBatchInsertRequest(entityName: "Note") { (row: NSMutableDictionary) in
        calls += 1
        row["title"] = "copy of \((try? context.titles().first) ?? "")"
        if calls == 1 {
          let inner = NSBatchInsertRequest(entityName: "Note", objects: [["title": "inner"]])
          #expect(errorCode { try context.execute(inner) } != nil)
        }
        return calls == 2
      }
      _ = try context.execute(request)
      #expect(try context.titles() == ["copy of read me", "read me"])
    }
  }
}

/// Counts what a notification centre tells.
private final class Told: Sendable {
  private let number = Mutex(0)
  var count: Int { number.withLock { $0 } }
  func note() { number.withLock { $0 += 1 } }
}
