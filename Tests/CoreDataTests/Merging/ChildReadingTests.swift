import CoreData
import Synchronization
import TestSupport
import Testing

/// Tests of a child context's view.
@Suite struct ChildReadingTests {
  @Test(arguments: StoreKind.with(.everyRequest))
  func `a child's fetch sees the parent's unsaved changes, then its own (78)`(
    kind: StoreKind
  ) throws {
    let stack = try NotesStack(kind)
    let ids = try ["1", "2", "3"].map { title in try stack.saved { $0.note(title) } }
    try stack.family { parent, child throws in
      parent.find(ids[0]).title = "1 changed"
      parent.delete(parent.find(ids[1]))
      parent.note("parent's")
      #expect(try child.titles() == ["1 changed", "3", "parent's"])
      #expect(try child.count(for: Note.fetchRequest()) == 3)
      child.find(ids[2]).title = "3 changed"
      child.note("child's")
      #expect(try child.titles() == ["1 changed", "3 changed", "child's", "parent's"])
      #expect(try child.count(for: Note.fetchRequest()) == 4)
      #expect(try parent.titles() == ["1 changed", "3", "parent's"])
      #expect(child.insertedObjects.count == 1)
      #expect(checkInvariants(of: child).isEmpty)
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `conditions, orders and ranges hold across the generations`(kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    try stack.work { context in
      for number in 0..<10 { context.note("\(number)").stars = Int16(number % 5) }
      try context.save()
    }
    try stack.family { parent, child in
      let request = NSFetchRequest<Note>(entityName: "Note")
      request.predicate = NSPredicate(format: "stars >= 3")
      request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: false)]
      request.fetchLimit = 3
      #expect(try child.fetch(request).map(\.title) == ["9", "8", "4"])
      let note = parent.note("A")
      note.stars = 3
      #expect(try child.fetch(request).map(\.title) == ["A", "9", "8"])
      #expect(try child.count(for: request) == 3)
      let mine = child.note("B")
      mine.stars = 3
      request.fetchOffset = 1
      #expect(try child.fetch(request).map(\.title) == ["A", "9", "8"])
      try child.inChild { grandchild throws in
        grandchild.same(mine).stars = 0
        request.fetchOffset = 0
        #expect(try grandchild.fetch(request).map(\.title) == ["A", "9", "8"])
        #expect(try child.fetch(request).map(\.title) == ["B", "A", "9"])
      }
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `the child's own objects can stand in conditions`(kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    let id = try stack.saved { context in
      let folder = context.folder("F")
      context.note("stored", in: folder)
      return folder
    }
    try stack.family { parent, child in
      parent.note("parent's", in: parent.find(id, as: Folder.self))
      let new = child.folder("new")
      child.note("child's", in: new)
      try child.save()
      let request = NSFetchRequest<Note>(entityName: "Note")
      request.predicate = NSPredicate(format: "folder == %@", child.find(id, as: Folder.self))
      #expect(Set(try child.fetch(request).map(\.title)) == ["stored", "parent's"])
      request.predicate = NSPredicate(format: "folder == %@", new)
      #expect(try child.fetch(request).map(\.title) == ["child's"])
      try parent.save()
      #expect(try child.fetch(request).map(\.title) == ["child's"], "by its stored name too")
      #expect(try child.count(for: request) == 1)
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `identities and counts come through the parent`(kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    let id = try stack.saved { $0.note("One") }
    try stack.family { parent, child throws in
      let new = parent.note("New")
      let request = NSFetchRequest<NSManagedObjectID>(entityName: "Note")
      request.resultType = .managedObjectIDResultType
      #expect(Set(try child.fetch(request)) == [id, new.objectID])
      let counting = NSFetchRequest<NSNumber>(entityName: "Note")
      counting.resultType = .countResultType
      #expect(try child.fetch(counting) == [2])
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `faults are filled with the parent's present values`(kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    let id = try stack.saved { $0.note("One", in: $0.folder("F")) }
    try stack.family { parent, child in
      let fetched = try #require(try child.fetch(Note.fetchRequest()).first)
      parent.find(id).title = "Two"
      parent.find(id).folder = parent.folder("G")
      parent.processPendingChanges()
      #expect(fetched.isFault)
      #expect(fetched.title == "Two", "newer than the row that waited")
      #expect(fetched.folder?.name == "G")
      parent.find(id).title = "Three"
      #expect(fetched.title == "Two", "a child does not see what it does not ask for (78)")
      child.refresh(fetched, mergeChanges: false)
      #expect(fetched.title == "Three")
      #expect(!child.hasChanges)
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `an object of the parent exists in the child, others do not (8)`(kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    let id = try stack.saved { $0.note("One") }
    try stack.family { parent, child in
      let new = parent.note("New")
      #expect(try (child.existingObject(with: new.objectID) as? Note)?.title == "New")
      #expect(child.registeredObject(for: id) == nil)
      #expect(try child.existingObject(with: id) === child.object(with: id))
      let nowhere = try stack.work { $0.note("Elsewhere").objectID }
      #expect(errorCode { try child.existingObject(with: nowhere) } == 133000)
      parent.delete(parent.find(id))
      child.refresh(child.find(id), mergeChanges: false)
      #expect(errorCode { try child.existingObject(with: id) } == 133000)
    }
  }

  @Test func `a clean object's values are shared, not copied`() throws {
    let stack = try NotesStack(.sqlite)
    let id = try stack.saved { $0.note("One") }
    try stack.family { parent, child in
      #expect(parent.find(id).title == "One")
      let statements = try StatementLog(stack.coordinator).during {
        let note = try child.existingObject(with: id) as? Note
        #expect(note?.title == "One")
      }
      #expect(statements == [])
    }
  }

  @Test func `one statement serves a whole family's fetch`() throws {
    let stack = try NotesStack(.sqlite)
    try stack.work { context in
      let folder = context.folder("F")
      for number in 0..<50 { context.note("\(number)", in: folder) }
      try context.save()
    }
    try stack.family { _, child in
      let statements = try StatementLog(stack.coordinator).during {
        try child.inChild { grandchild in
          for note in try grandchild.fetch(Note.fetchRequest()) { _ = note.title }
        }
      }
      #expect(statements.count == 1)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `a child on another thread waits for its parent's queue`(kind: StoreKind) async throws {
    let stack = try NotesStack(kind)
    let parent = stack.context()
    let child = parent.child()
    await parent.perform { _ = parent.note("parent's") }
    let titles = try await child.perform { try child.titles() }
    #expect(titles == ["parent's"])
    try await child.perform {
      child.note("child's")
      try child.save()
    }
    #expect(try await parent.perform { try parent.titles() } == ["child's", "parent's"])
  }

  @Test(arguments: StoreKind.allCases)
  func `a child of the main context works from a thread of its own`(kind: StoreKind) async throws {
    let stack = try NotesStack(kind)
    let main = NSManagedObjectContext(.mainQueue)
    main.persistentStoreCoordinator = stack.coordinator
    let child = main.child()
    try await child.perform {
      child.note("One")
      try child.save()
      // The main context's queue waits for this block, wherever that runs.
      #expect(try child.titles() == ["One"])
    }
    let count = await main.perform { main.insertedObjects.count }
    #expect(count == 1)
  }
}
