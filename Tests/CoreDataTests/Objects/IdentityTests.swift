import CoreData
import TestSupport
import Testing

@Suite struct IdentityTests {
  @Test(arguments: StoreKind.with(.everyRequest))
  func `a context has one object for each identity`(kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    let id = try stack.saved { $0.note("One") }
    try stack.work { context in
      let note = try #require(try context.fetch(Note.fetchRequest()).first)
      #expect(context.object(with: id) === note)
      #expect(try context.existingObject(with: id) === note)
      #expect(context.registeredObject(for: id) === note)
      #expect(note == context.object(with: id))
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `the first save replaces a temporary identity`(kind: StoreKind) throws {
    try NotesStack(kind).work { context in
      let note = context.note("One")
      let temporary = note.objectID
      #expect(temporary.isTemporaryID)
      #expect(temporary.persistentStore == nil)
      #expect(temporary.uriRepresentation().absoluteString.hasPrefix("x-coredata:///Note/t"))
      #expect(context.registeredObject(for: temporary) === note)
      try context.save()
      #expect(!note.objectID.isTemporaryID)
      #expect(note.objectID.persistentStore != nil)
      #expect(note.objectID != temporary)
      #expect(context.registeredObject(for: temporary) == nil)
      #expect(context.registeredObject(for: note.objectID) === note)
    }
  }

  @Test(arguments: StoreKind.with(.numberedKeys))
  func `a URI leads back to the object`(kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    let id = try stack.saved { $0.note("One") }
    let uri = id.uriRepresentation()
    let store = try #require(stack.coordinator.persistentStores.first?.identifier)
    #expect(uri.absoluteString == "x-coredata://\(store)/Note/p1")
    let found = try #require(stack.coordinator.managedObjectID(forURIRepresentation: uri))
    #expect(found == id)
    #expect(found.hash == id.hash)
    try stack.work { #expect($0.find(found, as: Note.self).title == "One") }
  }

  @Test func `a URI of another store or shape has no identity`() throws {
    let stack = try NotesStack()
    let store = try #require(stack.coordinator.persistentStores.first?.identifier)
    for text in [
      "x-coredata://\(UUID().uuidString)/Note/p1", "x-coredata://\(store)/Nobody/p1",
      "x-coredata://\(store)/Note/1", "x-coredata://\(store)/Note", "https://\(store)/Note/p1",
      "x-coredata://\(store)/Note/p1/p2", "x-coredata:///Note/tABC1",
    ] {
      let url = try #require(URL(string: text))
      #expect(stack.coordinator.managedObjectID(forURIRepresentation: url) == nil, "\(text)")
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `a URI that names the wrong entity finds no object`(kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    let id = try stack.saved { $0.note("One") }
    let text = id.uriRepresentation().absoluteString.replacing("/Note/", with: "/Checklist/")
    let url = try #require(URL(string: text))
    let other = try #require(stack.coordinator.managedObjectID(forURIRepresentation: url))
    try stack.work { context in
      #expect(errorCode { try context.existingObject(with: other) } == 133_000)
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `permanent identities can be had before the save`(kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    try stack.work { context in
      let (one, two, folder) = (context.note("One"), context.note("Two"), context.folder("F"))
      one.folder = folder
      try context.obtainPermanentIDs(for: [one, two, folder])
      let ids = [one.objectID, two.objectID, folder.objectID]
      #expect(ids.allSatisfy { !$0.isTemporaryID })
      #expect(Set(ids).count == 3)
      #expect(one.isInserted)
      #expect(context.registeredObject(for: one.objectID) === one)
      try context.obtainPermanentIDs(for: [one])
      #expect(one.objectID == ids[0])
      let three = context.note("Three", in: folder)
      try context.save()
      #expect([one.objectID, two.objectID, folder.objectID] == ids)
      #expect(!ids.contains(three.objectID))
    }
    try stack.work { context throws in
      #expect(try context.titles() == ["One", "Three", "Two"])
      #expect(try context.fetch(Folder.fetchRequest()).first?.titles == ["One", "Three"])
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `identities and equality fire no fault`(kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    let id = try stack.saved { $0.note("One") }
    try stack.work { context in
      let note = context.find(id)
      _ = (note.hash, note.description, note.entity, note.objectID, note.isInserted)
      _ = (note.isUpdated, note.isDeleted, note.faultingState, note.managedObjectContext)
      #expect(note.hasFault(forRelationshipNamed: "tags"))
      #expect(note.isFault)
      #expect(note.description.contains("data: <fault>"))
      #expect(note.description.contains("(entity: Note; id: 0x"))
      _ = note.title
      #expect(note.description.contains("title = One;"))
      #expect(note.description.contains("<relationship fault: 0x"))
      #expect(note.hasFault(forRelationshipNamed: "tags"))
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `keys are never given twice`(kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    try stack.work { context in
      let first = context.note("One")
      try context.save()
      let id = first.objectID
      context.delete(first)
      try context.save()
      let second = context.note("Two")
      try context.save()
      #expect(second.objectID != id)
    }
  }
}
