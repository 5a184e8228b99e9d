import CoreData
import TestSupport
import Testing

/// Relationships that have unsaved changes here while others save theirs.
@Suite struct DraftedRelationshipTests {
  /// A stack, and a context with unsaved changes that merges what `other` saves.
  private func drafting(
    _ kind: StoreKind,
    _ body: (NSManagedObjectContext, NotesStack) throws -> Void
  ) throws {
    let stack = try NotesStack(kind)
    let context = stack.context()
    context.retainsRegisteredObjects = true
    context.automaticallyMergesChangesFromParent = true
    context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
    try body(context, stack)
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `a note that was given the folder it had lost its place there (64)`(kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    let id = try stack.saved { context in
      let folder = context.folder("F")
      for title in ["1", "2", "3"] { folder.addToPinned(context.note(title)) }
      return folder
    }
    try stack.work { context in
      let folder = context.find(id, as: Folder.self)
      for note in try context.fetch(Note.fetchRequest()) where note.title != "2" {
        note.pinnedIn = folder
      }
      try context.save()
      #expect(folder.pinnedTitles == ["1", "2", "3"])
    }
    try stack.work { #expect($0.find(id, as: Folder.self).pinnedTitles == ["1", "2", "3"]) }
    try stack.work { context in
      let folder = context.find(id, as: Folder.self)
      let note = try #require(folder.pinned?.firstObject as? Note)
      note.pinnedIn = nil
      note.pinnedIn = folder
      try context.save()
      #expect(folder.pinnedTitles == ["2", "3", "1"])
    }
    try stack.work { #expect($0.find(id, as: Folder.self).pinnedTitles == ["2", "3", "1"]) }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `a note that was given the folder it had stayed there when others moved it (87)`(
    kind: StoreKind
  ) throws {
    try drafting(kind) { context, stack in
      let c = try stack.saved { $0.folder("C") }
      let d = try stack.saved { $0.folder("D") }
      let n = try stack.saved { context in
        let note = context.note("1", in: context.find(c, as: Folder.self))
        note.pinnedIn = note.folder
        note.covers = note.folder
        return note
      }
      context.performAndWait {
        let folder = context.find(c, as: Folder.self)
        #expect(folder.pinnedTitles == ["1"])
        folder.addToPinned(context.note("draft"))
        folder.addToNotes(context.find(n))
        context.find(n).pinnedIn = folder
        folder.cover = context.find(n)
      }
      try stack.work { other in
        let note = other.find(n)
        note.folder = other.find(d, as: Folder.self)
        note.pinnedIn = note.folder
        note.covers = note.folder
        try other.save()
      }
      try context.performAndWait {
        let (from, to) = (context.find(c, as: Folder.self), context.find(d, as: Folder.self))
        #expect(context.find(n).pinnedIn === to)
        #expect(from.pinnedTitles == ["draft"] && to.pinnedTitles == ["1"])
        #expect(from.cover == nil && to.cover === context.find(n))
        #expect(checkInvariants(of: context) == [])
        try context.save()
      }
      try stack.work { fresh in
        #expect(fresh.find(c, as: Folder.self).pinnedTitles == ["draft"])
        #expect(fresh.find(d, as: Folder.self).pinnedTitles == ["1"])
        #expect(fresh.find(n).covers?.name == "D")
      }
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `an order that was merged had a note whose draft leads elsewhere (87)`(
    kind: StoreKind
  ) throws {
    try drafting(kind) { context, stack in
      let c = try stack.saved { $0.folder("C") }
      let d = try stack.saved { $0.folder("D") }
      let n = try stack.saved { $0.note("1") }
      context.performAndWait {
        let folder = context.find(c, as: Folder.self)
        folder.addToPinned(context.note("draft"))
        context.find(n).pinnedIn = context.find(d, as: Folder.self)
      }
      try stack.work { other in
        other.find(n).pinnedIn = other.find(c, as: Folder.self)
        try other.save()
      }
      context.performAndWait {
        let (from, to) = (context.find(c, as: Folder.self), context.find(d, as: Folder.self))
        #expect(from.pinnedTitles == ["draft"] && to.pinnedTitles == ["1"])
        #expect(checkInvariants(of: context) == [])
        context.rollback()
        #expect(from.pinnedTitles == ["1"] && to.pinnedTitles == [])
        #expect(checkInvariants(of: context) == [])
      }
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `a tag that others have given a note too could not be taken away (87)`(
    kind: StoreKind
  ) throws {
    try drafting(kind) { context, stack in
      let t = try stack.saved { $0.tag("t") }
      let n = try stack.saved { $0.note("1") }
      let give = { (context: NSManagedObjectContext) in
        context.find(t, as: TestSupport.Tag.self).insertIntoNotes(context.find(n), at: 0)
      }
      context.performAndWait { give(context) }
      try stack.work { other in
        give(other)
        try other.save()
      }
      try context.performAndWait {
        context.find(t, as: TestSupport.Tag.self).removeFromNotes(context.find(n))
        #expect(checkInvariants(of: context) == [])
        try context.save()
        #expect(context.find(n).tags?.count == 0)
      }
      try stack.work { fresh in
        #expect(fresh.find(n).tags?.count == 0)
        #expect(fresh.find(t, as: TestSupport.Tag.self).notes?.count == 0)
      }
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest), [false, true])
  func `a folder whose deletion was taken back lacked the notes that others had put there (87, 90)`(
    kind: StoreKind,
    isUndone: Bool
  ) throws {
    try drafting(kind) { context, stack in
      let f = try stack.saved { context in
        let folder = context.folder("F")
        folder.addToPinned(context.note("1", in: folder))
        return folder
      }
      let moved = try stack.saved { $0.note("2") }
      let tag = try stack.saved { $0.tag("t") }
      let folder = try context.performAndWait {
        context.undoManager = isUndone ? UndoManager() : nil
        context.undoManager?.groupsByEvent = false
        context.undoManager?.beginUndoGrouping()
        let folder = context.find(f, as: Folder.self)
        #expect(folder.titles == ["1"] && folder.pinnedTitles == ["1"])
        context.delete(folder)
        context.processPendingChanges()
        context.undoManager?.endUndoGrouping()
        return try #require(folder.isDeleted ? folder : nil)
      }
      try stack.work { other in
        let folder = other.find(f, as: Folder.self)
        other.find(moved).folder = folder
        folder.insertIntoPinned(other.note("3", in: folder), at: 0)
        let first = try #require(try other.fetch(Note.fetchRequest()).first { $0.title == "1" })
        first.addToTags(other.find(tag, as: TestSupport.Tag.self))
        try other.save()
      }
      try context.performAndWait {
        if isUndone { context.undo() } else { context.rollback() }
        #expect(checkInvariants(of: context) == [])
        #expect(folder.titles == ["1", "2", "3"])
        #expect(folder.pinnedTitles == ["3", "1"])
        #expect(context.find(tag, as: TestSupport.Tag.self).notes?.count == 1)
        #expect(checkInvariants(of: context) == [])
        try context.save()
      }
      try stack.work { fresh in
        let folder = fresh.find(f, as: Folder.self)
        #expect(folder.titles == ["1", "2", "3"])
        #expect(folder.pinnedTitles == ["3", "1"])
        #expect(fresh.find(tag, as: TestSupport.Tag.self).notes?.count == 1)
      }
    }
  }
}
