import CoreData
import TestSupport
import Testing

/// One object for each identity, and the questions that it answers without a statement.
@Suite struct UniquingTests {
  @Test(arguments: StoreKind.with(.everyRequest))
  func `equality is identity, and is asked without firing a fault (1, 2)`(kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    let id = try stack.saved { $0.note("One") }
    try stack.work { context in
      let note = context.find(id)
      #expect(note === context.find(id))
      #expect(note.isEqual(context.find(id)))
      #expect(note.hash == context.find(id).hash)
      try stack.work { other in
        let twin = other.find(id)
        #expect(!note.isEqual(twin))
        #expect(note.objectID == twin.objectID)
      }
      #expect(note.isFault)
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `questions about a fault leave it one (2, 22)`(kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    let id = try stack.saved { $0.note("One", in: $0.folder("F")) }
    try stack.work { context in
      let note = context.find(id)
      #expect(note.managedObjectContext === context)
      #expect(note.entity.name == "Note")
      #expect(note.objectID == id)
      #expect(!note.isInserted && !note.isUpdated && !note.isDeleted && !note.hasChanges)
      #expect(note.hasFault(forRelationshipNamed: "folder"))
      #expect(note.changedValues().isEmpty)
      #expect(note.description.hasSuffix("data: <fault>)"))
      #expect(note.faultingState != 0)
      #expect(note.isFault)
      note.willAccessValue(forKey: nil)
      #expect(note.faultingState == 0)
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `a description tells class, entity, identity and values (3)`(kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    let id = try stack.saved { $0.note("One") }
    try stack.work { context in
      let note = context.find(id)
      let uri = id.uriRepresentation().absoluteString.replacing("/", with: #"\/"#)
      let fault = try Regex(
        #"<Note: 0x[0-9a-f]+> \(entity: Note; id: 0x[0-9a-f]+ <\#(uri)>; data: <fault>\)"#
      )
      #expect(note.description.wholeMatch(of: fault) != nil, "\(note)")
      #expect(note.title == "One")
      #expect(note.description.contains("  title = One;"))
      let tags = try Regex(#"  tags = <relationship fault: 0x[0-9a-f]+ 'tags'>;"#)
      #expect(note.description.contains(tags))
      #expect(note.hasFault(forRelationshipNamed: "tags"))
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `a temporary identity names nothing after the save (5)`(kind: StoreKind) throws {
    try NotesStack(kind).work { context in
      let note = context.note("One")
      let temporary = note.objectID
      #expect(temporary.isTemporaryID && temporary.persistentStore == nil)
      try context.save()
      #expect(!note.objectID.isTemporaryID)
      #expect(context.registeredObject(for: temporary) == nil)
      #expect(errorCode { try context.existingObject(with: temporary) } == 133_000)
      #expect(context.object(with: note.objectID) === note)
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `permanent identities leave an object inserted (6)`(kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    try stack.work { context in
      let (saved, new) = (context.note("Saved"), context.note("New"))
      try context.save()
      let another = context.note("Another")
      let known = saved.objectID
      try context.obtainPermanentIDs(for: [saved, another, new])
      #expect(saved.objectID == known)
      #expect(another.isInserted)
      #expect(!another.objectID.isTemporaryID)
      #expect(another.objectID.persistentStore === stack.coordinator.persistentStores.first)
      #expect(
        errorCode { try stack.work { try $0.existingObject(with: another.objectID) } } == 133_000
      )
      let id = another.objectID
      try context.save()
      #expect(another.objectID == id)
    }
  }

  @Test(arguments: StoreKind.with(.numberedKeys))
  func `a URI has an identity whether there is a row or not (7)`(kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    let id = try stack.saved { $0.note("One") }
    let text = id.uriRepresentation().absoluteString
    let nobody = try #require(URL(string: text.replacing("/p1", with: "/p4711")))
    let found = try #require(stack.coordinator.managedObjectID(forURIRepresentation: nobody))
    try stack.work { context in
      #expect(errorCode { try context.existingObject(with: found) } == 133_000)
    }
    let stranger = try NotesStack(kind)
    let uri = id.uriRepresentation()
    #expect(stranger.coordinator.managedObjectID(forURIRepresentation: uri) == nil)
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `an object is had by its identity with, or without, its row (8)`(kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    let id = try stack.saved { $0.note("One") }
    try stack.work { context in
      #expect(context.registeredObject(for: id) == nil)
      let note = context.object(with: id)
      #expect(note.isFault)
      #expect(context.registeredObject(for: id) === note)
      #expect(try context.existingObject(with: id) === note)
      #expect(!note.isFault)
      context.delete(note)
      #expect(try context.existingObject(with: id) === note, "it is registered still")
      try context.save()
      #expect(context.registeredObject(for: id) == nil)
      #expect(errorCode { try context.existingObject(with: id) } == 133_000)
      #expect(context.object(with: id).isFault)
    }
  }
}
