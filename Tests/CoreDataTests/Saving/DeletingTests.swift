import CoreData
import TestSupport
import Testing

/// When a deletion takes effect, and on whom.
@Suite struct DeletingTests {
  @Test(arguments: StoreKind.with(.everyRequest))
  func `a deletion is marked at once and cascades at the end of the event (27, 28)`(
    kind: StoreKind
  ) throws {
    let stack = try NotesStack(kind)
    try stack.work { context in
      let folder = context.folder("F")
      let (one, child) = (context.note("1", in: folder), context.folder("G", in: folder))
      let cover = context.note("cover")
      folder.cover = cover
      try context.save()
      context.delete(folder)
      #expect(folder.isDeleted && context.deletedObjects == [folder])
      #expect(!one.isDeleted && !child.isDeleted && cover.covers === folder)
      context.processPendingChanges()
      #expect(context.deletedObjects == [folder, one, child])
      #expect(cover.covers == nil && !cover.isDeleted)
      try context.save()
      #expect(try context.titles() == ["cover"])
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `without propagation at the end of the event, the save propagates (28)`(
    kind: StoreKind
  ) throws {
    let stack = try NotesStack(kind)
    try stack.work { context in
      #expect(context.propagatesDeletesAtEndOfEvent)
      context.propagatesDeletesAtEndOfEvent = false
      let folder = context.folder("F")
      let note = context.note("1", in: folder)
      try context.save()
      context.delete(folder)
      context.processPendingChanges()
      #expect(context.deletedObjects == [folder])
      #expect(!note.isDeleted)
      try context.save()
      #expect(note.managedObjectContext == nil)
    }
    try stack.work { context throws in #expect(try context.titles() == []) }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `prepareForDeletion comes before anything is marked (28)`(kind: StoreKind) throws {
    try LivingNotes.work(try LivingNotes.coordinator(kind)) { context in
      let note = LoggingNote(context: context)
      try context.save()
      var wasDeleted: Bool?
      note.actions["prepareForDeletion"] = { wasDeleted = $0.isDeleted }
      context.delete(note)
      #expect(wasDeleted == false && note.isDeleted)
      context.delete(note)
      #expect(note.events().filter { $0 == "prepareForDeletion" }.count == 1)
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `what is inserted and deleted in between is never saved (29)`(kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    try stack.work { context in
      let folder = context.folder("F")
      try context.save()
      let note = context.note("never", in: folder)
      context.delete(note)
      #expect(context.insertedObjects.isEmpty && context.deletedObjects.isEmpty)
      let received = Received(context, .NSManagedObjectContextDidSave)
      try context.save()
      #expect(
        received.sets[NSInsertedObjectsKey] == [] && received.sets[NSDeletedObjectsKey] == []
      )
      #expect(note.managedObjectContext == nil)
      #expect(folder.titles == [])
      #expect(try context.titles() == [])
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `Deny refuses at the save, not at the deletion (30)`(kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    try stack.work { context in
      let (tag, note) = (context.tag("t"), context.note("1"))
      note.addToTags(tag)
      try context.save()
      context.delete(tag)
      #expect(tag.isDeleted)
      let error = try #require(throws: CocoaError.self) { try context.save() }
      #expect(error.code == .validationRelationshipDeniedDelete)
      #expect(error.validationKey == "notes" && error.validationObject as? Tag === tag)
      #expect(tag.isDeleted && note.tags?.contains(tag) == true)
      context.delete(note)
      try context.save()
      #expect(!tag.isDeleted && tag.managedObjectContext == nil)
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `No Action leaves the others leading nowhere (30)`(kind: StoreKind) throws {
    let (folder, note) = (CodedModel.entity("Folder"), CodedModel.entity("Note"))
    let (notes, back) = (NSRelationshipDescription(), NSRelationshipDescription())
    (notes.name, back.name) = ("notes", "folder")
    back.maxCount = 1
    notes.deleteRule = .noActionDeleteRule
    (notes.destinationEntity, back.destinationEntity) = (note, folder)
    (notes.inverseRelationship, back.inverseRelationship) = (back, notes)
    folder.properties = [notes]
    note.properties = [back]
    let coordinator = try CodedModel.coordinator(CodedModel.model(folder, note), kind)
    let id = try LivingNotes.work(coordinator) { context in
      let folder = NSManagedObject(entity: folder, insertInto: context)
      let note = NSManagedObject(entity: note, insertInto: context)
      note.setValue(folder, forKey: "folder")
      try context.save()
      context.delete(folder)
      try context.save()
      return note.objectID
    }
    try LivingNotes.work(coordinator) { context in
      let folder = context.object(with: id).value(forKey: "folder") as? NSManagedObject
      #expect(folder?.isFault == true)
      #expect((folder?.value(forKey: "notes") as? NSSet)?.count == 0)
      #expect(folder?.isDeleted == true)
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `after the save a deleted object has no context and is not deleted any more (31)`(
    kind: StoreKind
  ) throws {
    try NotesStack(kind).work { context in
      let note = context.note("One")
      try context.save()
      context.delete(note)
      #expect(note.isDeleted && note.managedObjectContext === context)
      #expect(note.title == "One", "it reads its last values until the save")
      try context.save()
      #expect(!note.isDeleted && !note.hasChanges)
      #expect(note.managedObjectContext == nil)
      #expect(note.title == "One")
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `a rollback brings back what was deleted, and forgets what was inserted (32)`(
    kind: StoreKind
  ) throws {
    let stack = try NotesStack(kind)
    try stack.work { context in
      let folder = context.folder("F")
      let note = context.note("One", in: folder)
      try context.save()
      let new = context.note("New", in: folder)
      note.title = "Two"
      context.delete(folder)
      context.processPendingChanges()
      #expect(note.isDeleted && !new.isInserted)
      context.rollback()
      #expect(!context.hasChanges && !folder.isDeleted && !note.isDeleted)
      #expect(new.managedObjectContext == nil)
      #expect(note.title == "One" && note.folder === folder && folder.titles == ["One"])
      #expect(checkInvariants(of: context) == [])
      try context.save()
    }
    try stack.work { context throws in #expect(try context.titles() == ["One"]) }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `a deleted note leaves the collections that were read, with or without an inverse (28)`(
    kind: StoreKind
  ) throws {
    let stack = try NotesStack(kind)
    try stack.work { context in
      let (bin, tag, folder) = (Bin(context: context), context.tag("t"), context.folder("F"))
      let (one, two) = (context.note("1"), context.note("2"))
      for note in [one, two] {
        bin.addToKept(note)
        bin.addToQueue(note)
        tag.addToNotes(note)
        folder.addToPinned(note)
      }
      try context.save()
      let held = { (set: NSOrderedSet?) in (set?.array as? [Note] ?? []).compactMap(\.title) }
      let kept = { (bin.kept as? Set<Note> ?? []).compactMap(\.title).sorted() }
      #expect(held(bin.queue) == ["1", "2"] && kept() == ["1", "2"])
      context.delete(one)
      context.processPendingChanges()
      #expect(held(bin.queue) == ["2"] && kept() == ["2"])
      #expect(held(tag.notes) == ["2"] && held(folder.pinned) == ["2"])
      context.rollback()
      #expect(held(bin.queue) == ["1", "2"] && kept() == ["1", "2"])
      #expect(held(tag.notes) == ["1", "2"] && held(folder.pinned) == ["1", "2"])
      context.delete(one)
      try context.save()
      #expect(held(bin.queue) == ["2"] && kept() == ["2"])
      #expect(held(tag.notes) == ["2"] && held(folder.pinned) == ["2"])
      #expect(!context.hasChanges)
    }
    try stack.work { context in
      let bin = try #require(try context.fetch(Bin.fetchRequest()).first)
      #expect(bin.kept?.count == 1 && bin.queue?.count == 1)
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `a bin that is read while a note is being deleted does not have it (28)`(
    kind: StoreKind
  ) throws {
    let stack = try NotesStack(kind)
    let id = try stack.saved { context in
      let bin = Bin(context: context)
      for title in ["1", "2"] { bin.addToKept(context.note(title)) }
      return bin
    }
    try stack.work { context in
      let bin = context.find(id, as: Bin.self)
      let kept = { (bin.kept as? Set<Note> ?? []).compactMap(\.title).sorted() }
      let one = try #require(try context.fetch(Note.fetchRequest()).first { $0.title == "1" })
      context.delete(one)
      context.processPendingChanges()
      #expect(kept() == ["2"])
      context.rollback()
      #expect(kept() == ["1", "2"])
      context.delete(one)
      #expect(!bin.hasChanges)
      try context.save()
      #expect(kept() == ["2"])
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `a reference to an object that was deleted before was saved and led nowhere`(
    kind: StoreKind
  ) throws {
    try NotesStack(kind).work { context in
      let (folder, kept) = (context.folder("F"), context.folder("G"))
      let pin = context.note("pin")
      try context.save()
      context.delete(folder)
      context.processPendingChanges()
      let late = context.note("late", in: folder)
      let error = try #require(throws: CocoaError.self) { try context.save() }
      #expect(error.code.rawValue == NSManagedObjectValidationError)
      #expect(error.localizedDescription == "Dangling reference to an invalid object.")
      #expect(error.validationObject as? Note === late && error.validationKey == "folder")
      #expect(error.validationValue as? Folder === folder)
      late.folder = nil
      try context.save()
      context.delete(pin)
      context.processPendingChanges()
      kept.addToPinned(pin)
      let other = try #require(throws: CocoaError.self) { try context.save() }
      #expect(other.code.rawValue == NSManagedObjectValidationError)
      #expect(other.validationObject as? Folder === kept && other.validationKey == "pinned")
      kept.removeFromPinned(pin)
      try context.save()
      #expect(try context.titles() == ["late"])
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `a reference that is set before its object is deleted is emptied and not refused`(
    kind: StoreKind
  ) throws {
    try NotesStack(kind).work { context in
      let (folder, pin) = (context.folder("F"), context.note("pin"))
      try context.save()
      context.delete(pin)
      folder.cover = pin
      folder.addToPinned(pin)
      try context.save()
      #expect(folder.cover == nil && folder.pinned?.count == 0)
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `a child context saved a reference to an object that it had deleted`(
    kind: StoreKind
  ) throws {
    let stack = try NotesStack(kind)
    let id = try stack.saved { $0.folder("F") }
    try stack.work { parent in
      try parent.inChild { child in
        let folder = child.find(id, as: Folder.self)
        child.delete(folder)
        child.processPendingChanges()
        child.note("late", in: folder)
        #expect(errorCode { try child.save() } == NSManagedObjectValidationError)
      }
      #expect(!parent.hasChanges)
    }
  }
}
