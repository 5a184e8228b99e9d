import CoreDataSQLite
import Foundation
import TestSupport
import Testing

@testable import CoreData

/// One save in several stores.
@Suite struct SeveralStoresTests {
  private let coordinator = NSPersistentStoreCoordinator(managedObjectModel: NotesStack.model)
  private let stores: [NSPersistentStore]
  private let context = NSManagedObjectContext(.privateQueue)

  init() throws {
    stores = try ["A", "B"].map { [coordinator] name in
      try coordinator.addPersistentStore(
        ofType: NSSQLiteStoreType,
        configurationName: nil,
        at: TestSupport.TemporaryFolder.file("\(name).sqlite")
      )
    }
    context.persistentStoreCoordinator = coordinator
  }

  private func notes() -> [Note] {
    stores.map { store in
      let note = context.note("One")
      context.assign(note, to: store)
      return note
    }
  }

  private func refuse(_ text: String, in store: NSPersistentStore) {
    (store.backend as? SQLiteStore)?.pool.observe { sql throws(SQLiteError) in
      if sql == text { throw SQLiteError(code: 13, message: "database or disk is full", sql: sql) }
    }
  }

  @Test func `a new object that undo brought back went to another store than it was assigned to`()
    throws
  {
    try context.performAndWait {
      let undoManager = UndoManager()
      undoManager.groupsByEvent = false
      context.undoManager = undoManager
      func step(_ body: () -> Void) {
        undoManager.beginUndoGrouping()
        body()
        context.processPendingChanges()
        undoManager.endUndoGrouping()
      }
      var notes: [Note] = []
      step { notes = self.notes() }
      step { notes.forEach(context.delete) }
      context.undo()
      context.undo()
      context.redo()
      try context.save()
      #expect(notes[0].objectID.persistentStore === stores[0])
      #expect(notes[1].objectID.persistentStore === stores[1])
    }
  }

  @Test func `a store that fails to commit after another leaves its part unsaved (47)`() throws {
    try context.performAndWait {
      let notes = notes()
      try context.save()
      notes[0].title = "Two"
      notes[1].title = "Two"
      let new = self.notes()
      refuse("COMMIT", in: stores[1])
      let error = try #require(throws: CocoaError.self) { try context.save() }
      #expect(error.code == .persistentStoreIncompleteSave)
      #expect(error.affectedStores?.first === stores[1])
      #expect(Set(error.affectedObjects as? [NSManagedObject] ?? []) == [notes[1], new[1]])
      #expect(context.updatedObjects == [notes[1]])
      #expect(context.insertedObjects == [new[1]])
      #expect(!new[0].objectID.isTemporaryID)
      #expect(checkInvariants(of: context) == [])
      (stores[1].backend as? SQLiteStore)?.pool.observe(nil)
      try context.save()
      #expect(!context.hasChanges)
      #expect(try context.titles() == ["One", "One", "Two", "Two"])
    }
  }

  @Test func `a store that fails before anything is committed leaves all unsaved (47)`() throws {
    try context.performAndWait {
      let notes = notes()
      refuse("COMMIT", in: stores[0])
      #expect(errorCode { try context.save() } == CocoaError.fileWriteOutOfSpace.rawValue)
      #expect(context.insertedObjects == Set(notes))
      #expect(notes.allSatisfy { $0.objectID.isTemporaryID })
      (stores[0].backend as? SQLiteStore)?.pool.observe(nil)
      try context.save()
      #expect(try context.titles() == ["One", "One"])
    }
  }

  @Test func `a relationship from one store to another is refused (48)`() throws {
    try context.performAndWait {
      let note = context.note("One", in: context.folder("F"))
      context.assign(note, to: stores[0])
      context.assign(try #require(note.folder), to: stores[1])
      #expect(errorCode { try context.save() } == 133_010)
      #expect(context.insertedObjects.count == 2)
    }
  }
}
