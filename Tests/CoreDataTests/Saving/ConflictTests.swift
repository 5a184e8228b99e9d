import CoreData
import TestSupport
import Testing

@Suite struct ConflictTests {
  @Test(arguments: StoreKind.onServersToo(.everyRequest))
  func `a row that was changed meanwhile refuses the save and loses nothing`(
    kind: StoreKind
  ) throws {
    let stack = try NotesStack(kind)
    let id = try stack.saved { $0.note("One", in: $0.folder("F")) }
    try stack.work { context in
      let note = context.find(id)
      note.title = "Mine"
      let new = context.note("New")
      try change(id, in: stack) { $0.title = "Theirs" }
      let error = try #require(throws: NSError.self) { try context.save() }
      #expect(error.domain == NSCocoaErrorDomain)
      #expect(error.code == 133_020)
      let conflicts = error.userInfo["conflictList"] as? [NSMergeConflict]
      let conflict = try #require(conflicts?.first)
      #expect(conflicts?.count == 1)
      #expect(conflict.sourceObject === note)
      #expect(conflict.objectSnapshot?["title"] as? String == "Mine")
      #expect(conflict.cachedSnapshot?["title"] as? String == "Theirs")
      #expect(conflict.persistedSnapshot == nil, "the coordinator knew (55)")
      #expect(conflict.objectSnapshot?["text"] is NSNull)
      #expect(conflict.objectSnapshot?["folder"] is NSManagedObjectID)
      #expect(conflict.cachedSnapshot?["folder"] is NSManagedObjectID)
      #expect(conflict.newVersionNumber == conflict.oldVersionNumber + 1)
      #expect(note.title == "Mine")
      #expect(note.isUpdated)
      #expect(new.isInserted)
      #expect(new.objectID.isTemporaryID)
      #expect(errorCode { try context.save() } == 133_020, "still")
      context.refresh(note, mergeChanges: true)
      #expect(note.title == "Mine")
      try context.save()
      #expect(try context.titles() == ["Mine", "New"])
    }
  }

  @Test func `a change by another program is seen after the conflict`() throws {
    let stack = try NotesStack(.sqlite)
    let id = try stack.saved { $0.note("One") }
    let other = try NotesStack(reopening: try #require(stack.file))
    try stack.work { context in
      let note = context.find(id)
      note.title = "Mine"
      let there = try #require(
        other.coordinator.managedObjectID(forURIRepresentation: id.uriRepresentation())
      )
      try change(there, in: other) { $0.text = "Theirs" }
      #expect(errorCode { try context.save() } == 133_020)
      context.refresh(note, mergeChanges: true)
      #expect(note.title == "Mine")
      #expect(note.text == "Theirs")
      try context.save()
    }
  }

  @Test(arguments: StoreKind.onServersToo(.everyRequest))
  func `a row that was deleted meanwhile refuses the save`(kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    let id = try stack.saved { $0.note("One") }
    try stack.work { context in
      let note = context.find(id)
      note.title = "Mine"
      try stack.work { other in
        other.delete(other.find(id))
        try other.save()
      }
      let error = try #require(throws: NSError.self) { try context.save() }
      #expect(error.code == 133_020)
      let conflict = try #require((error.userInfo["conflictList"] as? [NSMergeConflict])?.first)
      #expect(conflict.persistedSnapshot == nil)
      #expect(conflict.newVersionNumber == 0)
      #expect(note.title == "Mine")
      context.rollback()
      try context.save()
    }
  }

  @Test(arguments: StoreKind.onServersToo(.everyRequest))
  func `deleting a row that was changed meanwhile is refused`(kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    let id = try stack.saved { $0.note("One") }
    try stack.work { context in
      let note = context.find(id)
      context.delete(note)
      try change(id, in: stack) { $0.title = "Theirs" }
      #expect(errorCode { try context.save() } == 133_020)
      #expect(note.isDeleted)
      context.rollback()
      context.refresh(note, mergeChanges: false)
      #expect(note.title == "Theirs")
      context.delete(note)
      try context.save()
      #expect(try context.titles() == [])
    }
  }

  @Test(arguments: StoreKind.onServersToo(.everyRequest))
  func `every row that conflicts is in the list`(kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    try stack.work { context in
      let notes = (0..<5).map { context.note("\($0)") }
      try context.save()
      try stack.work { other in
        for note in try other.fetch(Note.fetchRequest()) where note.title != "3" {
          note.text = "theirs"
        }
        try other.save()
      }
      for note in notes { note.text = "mine" }
      let error = try #require(throws: NSError.self) { try context.save() }
      let conflicts = error.userInfo["conflictList"] as? [NSMergeConflict]
      #expect(conflicts?.count == 4)
      #expect(conflicts?.contains { $0.sourceObject === notes[3] } == false)
    }
  }

  private func change(
    _ id: NSManagedObjectID,
    in stack: NotesStack,
    _ change: (Note) -> Void
  ) throws {
    try stack.work { context in
      change(context.find(id))
      try context.save()
    }
  }
}
