import CoreData
import TestSupport
import Testing

/// Identities of objects in several generations.
@Suite struct ChildNameTests {
  @Test(arguments: StoreKind.with(.everyRequest))
  func `a child's object keeps its temporary identity until refreshed (79)`(
    kind: StoreKind
  ) throws {
    let stack = try NotesStack(kind)
    try stack.family { parent, child in
      let note = child.note("One", in: child.folder("F"))
      let temporary = note.objectID
      try child.save()
      #expect(note.objectID == temporary)
      #expect(parent.insertedObjects.contains { $0.objectID == temporary })
      try parent.save()
      #expect(note.objectID == temporary)
      #expect(note.objectID.isTemporaryID)
      child.refresh(note, mergeChanges: true)
      #expect(!note.objectID.isTemporaryID)
      #expect(child.registeredObject(for: note.objectID) === note)
      #expect(child.registeredObject(for: temporary) == nil, "(5)")
      #expect(child.object(with: temporary) === note)
      #expect(parent.same(note).title == "One")
      #expect(checkInvariants(of: child).isEmpty)
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `a stale object goes on working (79)`(kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    try stack.family { parent, child in
      let folder = child.folder("F")
      let note = child.note("One", in: folder)
      try child.save()
      try parent.save()
      let other = child.note("Two", in: folder)
      note.title = "Changed"
      try child.save()
      #expect(parent.insertedObjects.count == 1)
      #expect(parent.updatedObjects.count == 2)
      #expect(try child.fetch(Folder.fetchRequest()) == [folder])
      #expect(Set(try child.fetch(Note.fetchRequest())) == [note, other])
      try parent.save()
      child.refresh(folder, mergeChanges: false)
      #expect(folder.titles == ["Changed", "Two"])
      #expect(folder.notes as? Set<Note> == [note, other])
      child.delete(note)
      try child.save()
      try parent.save()
      #expect(checkInvariants(of: child).isEmpty)
    }
    #expect(try stack.work { try $0.titles() } == ["Two"])
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `a stale fault asks for itself by its old name (79)`(kind: StoreKind) throws {
    try NotesStack(kind).family { parent, child in
      try child.inChild { grandchild in
        let note = grandchild.note("One", in: grandchild.folder("F"))
        try grandchild.save()
        grandchild.refresh(note, mergeChanges: false)
        try child.save()
        try parent.save()
        #expect(note.isFault)
        #expect(note.title == "One")
        #expect(note.folder?.titles == ["One"])
        #expect(note.folder?.notes as? Set<Note> == [note])
      }
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `an object whose identity was obtained twice at once was not found by its old name`(
    kind: StoreKind
  ) throws {
    try NotesStack(kind).family { parent, child in
      let folder = child.folder("F")
      let note = child.note("One", in: folder)
      let temporary = folder.objectID
      try child.obtainPermanentIDs(for: [folder, note, folder])
      let id = folder.objectID
      #expect(!id.isTemporaryID)
      #expect(child.object(with: temporary) === folder)
      try child.save()
      try parent.save()
      #expect(folder.objectID == id)
      #expect(parent.object(with: temporary) === parent.find(id, as: Folder.self))
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `permanent identities are obtained from the stores by any generation (6)`(
    kind: StoreKind
  ) throws {
    let stack = try NotesStack(kind)
    let id = try stack.family { parent, child in
      try child.inChild { grandchild in
        let note = grandchild.note("One")
        try grandchild.obtainPermanentIDs(for: [note])
        let id = note.objectID
        #expect(!id.isTemporaryID)
        #expect(note.isInserted)
        try grandchild.save()
        try child.save()
        #expect(parent.find(id).isInserted)
        try parent.save()
        #expect(note.objectID == id)
        return id
      }
    }
    #expect(try stack.work { $0.find(id).title } == "One")
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `what is in the parent already obtains its identity there (6)`(kind: StoreKind) throws {
    try NotesStack(kind).family { parent, child in
      try child.inChild { grandchild in
        let note = grandchild.note("One")
        try grandchild.save()
        try child.save()
        try grandchild.obtainPermanentIDs(for: [note])
        #expect(!note.objectID.isTemporaryID)
        #expect(parent.insertedObjects.map(\.objectID) == [note.objectID])
        #expect(child.same(note).title == "One")
        try parent.save()
        #expect(parent.same(note).title == "One")
      }
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `an identity that a child made is known to its relatives`(kind: StoreKind) throws {
    try NotesStack(kind).family { parent, child in
      let note = child.note("One")
      let temporary = note.objectID
      try child.save()
      try parent.save()
      #expect(parent.registeredObject(for: temporary) == nil, "(5)")
      try parent.inChild { sibling throws in
        #expect(try (sibling.existingObject(with: temporary) as? Note)?.title == "One")
      }
    }
  }

  @Test func `objects of several stores find each other in a child`() throws {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: NotesStack.model)
    let stores = try (1...2).map { number in
      try coordinator.addPersistentStore(
        ofType: NSInMemoryStoreType,
        configurationName: nil,
        at: URL(fileURLWithPath: "/memory/\(number)")
      )
    }
    let parent = NSManagedObjectContext(.privateQueue)
    parent.persistentStoreCoordinator = coordinator
    try parent.performAndWait {
      try parent.inChild { child in
        let folder = child.folder("second")
        child.assign(folder, to: stores[1])
        let note = child.note("in second", in: folder)
        child.assign(note, to: stores[1])
        child.note("in first")
        try child.save()
        try parent.save()
        #expect(parent.same(folder).objectID.persistentStore === stores[1])
        #expect(parent.same(note).objectID.persistentStore === stores[1])
        let first = try #require(try child.fetch(Note.fetchRequest()).first { $0 !== note })
        #expect(first.objectID.persistentStore === stores[0])
        // Allowed until the root saves: then it is a relationship between stores.
        first.folder = folder
        try child.save()
        child.refresh(first, mergeChanges: false)
        #expect(first.folder === folder)
        #expect(errorCode { try parent.save() } == 133010, "(48)")
      }
    }
  }
}
