import CoreData
import TestSupport
import Testing

@Suite struct RollbackTests {
  @Test(arguments: StoreKind.with(.everyRequest))
  func `a rollback takes back inserts, changes and deletions`(kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    try stack.work { context in
      let folder = context.folder("F")
      let (one, two) = (context.note("1", in: folder), context.note("2", in: folder))
      folder.addToPinned(two)
      folder.addToPinned(one)
      try context.save()
      let new = context.note("new", in: folder)
      one.title = "changed"
      one.folder = nil
      folder.name = "changed"
      folder.pinned = NSOrderedSet(array: [one, new, two])
      context.delete(two)
      context.processPendingChanges()
      context.rollback()
      #expect(!context.hasChanges)
      #expect(one.title == "1")
      #expect(one.folder === folder)
      #expect(folder.name == "F")
      #expect(folder.titles == ["1", "2"])
      #expect(folder.pinnedTitles == ["2", "1"])
      #expect(!two.isDeleted)
      #expect(two.folder === folder)
      #expect(new.managedObjectContext == nil)
      #expect(try context.titles() == ["1", "2"])
      try context.save()
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `a note that left a folder nobody had read is back after a rollback`(
    kind: StoreKind
  ) throws {
    let stack = try NotesStack(kind)
    let id = try stack.saved { context in
      let note = context.note("1", in: context.folder("F"))
      note.pinnedIn = note.folder
      return note
    }
    try stack.work { context in
      let note = context.find(id)
      let folder = try #require(note.folder)
      note.folder = nil
      note.pinnedIn = nil
      #expect(folder.titles == [])
      #expect(folder.pinnedTitles == [])
      context.rollback()
      #expect(folder.titles == ["1"])
      #expect(folder.pinnedTitles == ["1"])
    }
  }

  @Test func `a rollback reads nothing`() throws {
    let stack = try NotesStack(.sqlite)
    try stack.work { context in
      let note = context.note("1")
      try context.save()
      note.title = "changed"
      let log = StatementLog(stack.coordinator)
      context.rollback()
      #expect(note.title == "1")
      #expect(log.statements == [])
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `a reset forgets every object and says so`(kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    try stack.work { context in
      let (one, two) = (context.note("1"), context.note("2"))
      try context.save()
      context.note("new")
      context.delete(two)
      one.title = "changed"
      let id = one.objectID
      let notified = Received(context, .NSManagedObjectContextObjectsDidChange)
      context.reset()
      #expect(!context.hasChanges)
      #expect(context.registeredObjects.isEmpty)
      #expect(one.managedObjectContext == nil)
      #expect(!one.hasChanges)
      let ids = notified.last?[NSInvalidatedAllObjectsKey] as? [NSManagedObjectID]
      #expect(ids?.contains(id) == true)
      #expect(context.object(with: id) !== one)
      #expect(try context.titles() == ["1", "2"])
      try context.save()
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `a deletion that a reset forgot is not carried out`(kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    try stack.work { context in
      let folder = context.folder("F")
      let note = context.note("1", in: folder)
      try context.save()
      context.delete(folder)
      context.reset()
      try context.save()
      #expect(try context.titles() == ["1"])
      #expect(note.managedObjectContext == nil)
    }
  }
}
