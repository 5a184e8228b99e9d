import CoreData
import TestSupport
import Testing

@Suite struct FaultTests {
  @Test(arguments: StoreKind.with(.everyRequest))
  func `a fault gets its values at the first access`(kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    let id = try stack.saved { $0.note("One") }
    try stack.work { context in
      let note = context.find(id)
      #expect(note.isFault)
      #expect(note.faultingState != 0)
      #expect(note.title == "One")
      #expect(!note.isFault)
      #expect(note.faultingState == 0)
      #expect(!note.hasChanges)
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `a refresh without merging makes a fault and drops changes`(kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    let id = try stack.saved { $0.note("One") }
    try stack.work { context in
      let note = context.find(id)
      note.title = "Changed"
      note.scratch = "transient"
      context.refresh(note, mergeChanges: false)
      #expect(note.isFault)
      #expect(!note.hasChanges)
      #expect(!context.hasChanges)
      #expect(note.title == "One")
      #expect(note.scratch == nil)
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `an object whose row is gone counts as deleted and is empty`(kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    let id = try stack.saved { context in
      let note = context.note("One", in: context.folder("F"))
      note.stars = 3
      return note
    }
    try stack.work { context in
      context.delete(context.find(id))
      try context.save()
    }
    try stack.work { context in
      let note = context.find(id)
      #expect(note.title == nil)
      #expect(note.stars == 0)
      #expect(note.folder == nil)
      #expect(note.tags?.count == 0)
      #expect(note.isDeleted)
      #expect(!context.hasChanges)
      try context.save()
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `an object that waits with its row learns of a deletion`(kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    let id = try stack.saved { $0.note("One") }
    let reader = stack.context()
    try reader.performAndWait {
      let note = try #require(try reader.fetch(Note.fetchRequest()).first)
      try stack.work { context in
        context.delete(context.find(id))
        try context.save()
      }
      #expect(errorCode { try reader.existingObject(with: id) } == 133_000)
      #expect(note.title == nil)
      #expect(note.isDeleted)
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `existingObject throws 133000 for a row that is gone`(kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    let id = try stack.saved { $0.note("One") }
    try stack.work { context in
      context.delete(context.find(id))
      try context.save()
    }
    try stack.work { context in
      let error = try #require(throws: NSError.self) { try context.existingObject(with: id) }
      #expect(error.domain == NSCocoaErrorDomain)
      #expect(error.code == 133_000)
      #expect(error.localizedFailureReason?.contains("\(id.uriRepresentation())") == true)
      // Also after the fault has found nothing.
      _ = context.find(id).title
      let again = try #require(throws: NSError.self) { try context.existingObject(with: id) }
      #expect(again.code == 133_000)
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `existingObject gives an object with values`(kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    let id = try stack.saved { $0.note("One") }
    try stack.work { context in
      let note = try context.existingObject(with: id)
      #expect(!note.isFault)
      let new = context.note("New")
      #expect(try context.existingObject(with: new.objectID) === new)
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `relationships are faults of their own`(kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    let id = try stack.saved { context in
      let folder = context.folder("F")
      context.note("One", in: folder)
      return folder
    }
    try stack.work { context in
      let folder = context.find(id, as: Folder.self)
      #expect(folder.name == "F")
      #expect(folder.hasFault(forRelationshipNamed: "notes"))
      #expect(folder.objectIDs(forRelationshipNamed: "notes").count == 1)
      #expect(!folder.hasFault(forRelationshipNamed: "notes"))
      let note = try #require((folder.notes as? Set<Note>)?.first)
      #expect(note.isFault)
      #expect(note.folder === folder)
      #expect(note.objectIDs(forRelationshipNamed: "folder") == [id])
      #expect(note.objectIDs(forRelationshipNamed: "covers") == [])
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `a reference that leads nowhere, or to an object with values, was called a fault`(
    kind: StoreKind
  ) throws {
    let stack = try NotesStack(kind)
    let home = try stack.saved { $0.folder("F") }
    let ids = [
      try stack.saved { context in
        context.note("In", in: context.find(home, as: Folder.self))
      },
      try stack.saved { $0.note("Out") },
    ]
    try stack.work { context in
      let (inside, outside) = (context.find(ids[0]), context.find(ids[1]))
      #expect(outside.hasFault(forRelationshipNamed: "folder"), "the note itself is a fault")
      #expect(inside.title == "In" && outside.title == "Out")
      #expect(inside.hasFault(forRelationshipNamed: "folder"))
      #expect(!outside.hasFault(forRelationshipNamed: "folder"))
      #expect(outside.hasFault(forRelationshipNamed: "tags"))
      let folder = context.find(home, as: Folder.self)
      #expect(inside.hasFault(forRelationshipNamed: "folder"))
      #expect(folder.name == "F")
      #expect(!inside.hasFault(forRelationshipNamed: "folder"))
      #expect(inside.folder === folder)
      #expect(!inside.hasFault(forRelationshipNamed: "folder"))
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `adding to a relationship reads none of its members`(kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    let id = try stack.saved { context in
      let folder = context.folder("F")
      for number in 1...5 { context.note("\(number)", in: folder) }
      return folder
    }
    try stack.work { context in
      let folder = context.find(id, as: Folder.self)
      let six = context.note("6")
      folder.addToNotes(six)
      context.note("7").folder = folder
      folder.addToNotes(six)
      #expect(folder.hasFault(forRelationshipNamed: "notes"))
      folder.removeFromNotes(six)
      #expect(folder.hasFault(forRelationshipNamed: "notes"))
      #expect(folder.titles == ["1", "2", "3", "4", "5", "7"])
      try context.save()
    }
    try stack.work { context in
      #expect(context.find(id, as: Folder.self).titles == ["1", "2", "3", "4", "5", "7"])
    }
  }

  @Test func `a subentity is found as its own class behind a to-one`() throws {
    for kind in StoreKind.with(.everyRequest) {
      let stack = try NotesStack(kind)
      let id = try stack.saved { context in
        let folder = context.folder("F")
        let list = Checklist(context: context)
        list.title = "List"
        list.itemCount = 7
        folder.cover = list
        return folder
      }
      try stack.work { context in
        let cover = context.find(id, as: Folder.self).cover
        #expect((cover as? Checklist)?.itemCount == 7)
        #expect(cover?.objectID.entity.name == "Checklist")
      }
    }
  }

  @Test func `an object stayed a fault after a reset when its values were asked for`() throws {
    let stack = try NotesStack()
    let note = try stack.work { context in
      let note = context.note("Kept")
      try context.save()
      context.reset()
      return note
    }
    #expect(note.isFault)
    note.willAccessValue(forKey: nil)
    #expect(!note.isFault)
    #expect(note.managedObjectContext == nil)
  }
}
