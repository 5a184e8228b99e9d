import CoreData
import TestSupport
import Testing

/// Steps that are taken back after others have saved.
@Suite struct UndoAgainstOthersTests {
  /// A context with an undo manager, which merges what others save or does not.
  private func working(
    _ kind: StoreKind,
    merges: Bool = true,
    _ body: (NSManagedObjectContext, UndoManager, NotesStack) throws -> Void
  ) throws {
    let stack = try NotesStack(kind)
    let context = stack.context()
    context.retainsRegisteredObjects = true
    context.automaticallyMergesChangesFromParent = merges
    context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
    let undoManager = UndoManager()
    undoManager.groupsByEvent = false
    context.undoManager = undoManager
    try body(context, undoManager, stack)
  }

  /// A note in a folder, pinned and on its cover, with a tag and a related note.
  private func entangledNote(_ stack: NotesStack) throws -> NSManagedObjectID {
    try stack.saved { context in
      let folder = context.folder("F")
      let note = context.note("first", in: folder)
      note.text = "long"
      note.pinnedIn = folder
      note.covers = folder
      note.addToTags(context.tag("t"))
      note.addToRelated(context.note("other"))
      return note
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `undo of a change leaves an object away that others have deleted, as the context knows (90)`(
    kind: StoreKind
  ) throws {
    try working(kind) { context, undoManager, stack in
      let id = try entangledNote(stack)
      try context.performAndWait {
        undoManager.group(in: context) { context.find(id).title = "second" }
        try context.save()
      }
      try stack.work { other in
        other.delete(other.find(id))
        try other.save()
      }
      try context.performAndWait {
        #expect(context.registeredObject(for: id) == nil)
        context.undo()
        #expect(!context.hasChanges)
        try context.save()
        #expect(try context.titles() == ["other"])
        context.redo()
        #expect(!context.hasChanges)
      }
    }
  }

  /// The policy works property by property: properties changed there alone are as there, and the
  /// relationships that others keep were changed there, when the deletion dissolved them.
  @Test(arguments: StoreKind.with(.everyRequest))
  func `undo of a change brings an object back whose deletion is met at the save (56, 90)`(
    kind: StoreKind
  ) throws {
    try working(kind, merges: false) { context, undoManager, stack in
      let id = try entangledNote(stack)
      try context.performAndWait {
        let note = context.find(id)
        #expect(note.tags?.count == 1)
        #expect(note.covers?.pinnedTitles == ["first"])
        #expect(note.covers?.cover == note)
        undoManager.group(in: context) { note.title = "second" }
        try context.save()
      }
      try stack.work { other in
        other.delete(other.find(id))
        try other.save()
      }
      try context.performAndWait {
        context.undo()
        try context.save()
        #expect(checkInvariants(of: context) == [])
      }
      let states = try [context, stack.context()].map { context in
        try context.performAndWait {
          let notes = try context.fetch(Note.fetchRequest())
          let note = try #require(notes.first { $0.title == "first" })
          let folder = try #require(note.folder)
          let state: [String?] = [
            note.text, folder.name, note.pinnedIn?.name, note.covers?.name, folder.cover?.title,
            "\(folder.titles) \(folder.pinnedTitles)", "\(note.tags?.count ?? 0) tags",
            "\(note.related?.count ?? 0) related",
          ]
          #expect(checkInvariants(of: context) == [])
          return state.map { $0 ?? "–" }
        }
      }
      #expect(states[0] == states[1])
      #expect(
        states[1] == [
          "long", "F", "F", "–", "–", #"["first"] ["first"]"#, "0 tags", "0 related",
        ]
      )
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `undo puts an order back without the members that others have taken (90)`(
    kind: StoreKind
  ) throws {
    try working(kind) { context, undoManager, stack in
      let id = try stack.saved { context in
        let folder = context.folder("F")
        folder.pinned = NSOrderedSet(array: ["a", "b", "c"].map { context.note($0) })
        return folder
      }
      try context.performAndWait {
        let folder = context.find(id, as: Folder.self)
        undoManager.group(in: context) {
          folder.mutableOrderedSetValue(forKey: "pinned").moveObjects(at: [2], to: 0)
        }
        try context.save()
      }
      try stack.work { other in
        let folder = other.find(id, as: Folder.self)
        let a = try #require(folder.pinned?.array.first { ($0 as? Note)?.title == "a" } as? Note)
        a.pinnedIn = other.folder("G")
        folder.insertIntoPinned(other.note("d"), at: 0)
        try other.save()
      }
      try context.performAndWait {
        #expect(context.find(id, as: Folder.self).pinnedTitles == ["d", "c", "b"])
        context.undo()
        #expect(context.find(id, as: Folder.self).pinnedTitles == ["d", "b", "c"])
        #expect(checkInvariants(of: context) == [])
        try context.save()
      }
      let titles = try stack.work { $0.find(id, as: Folder.self).pinnedTitles }
      #expect(titles == ["d", "b", "c"])
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `undo of an insertion frees what others have put there (90)`(kind: StoreKind) throws {
    try working(kind) { context, undoManager, stack in
      let id = try context.performAndWait {
        let folder = undoManager.group(in: context) { context.folder("F") }
        try context.save()
        return folder.objectID
      }
      try stack.work { other in
        other.note("1", in: other.find(id, as: Folder.self))
        other.note("2").covers = other.find(id, as: Folder.self)
        try other.save()
      }
      try context.performAndWait {
        #expect(context.find(id, as: Folder.self).titles == ["1"])
        context.undo()
        #expect(checkInvariants(of: context) == [])
        try context.save()
      }
      try stack.work { fresh in
        let notes = try fresh.fetch(Note.fetchRequest())
        #expect(notes.count == 2)
        #expect(notes.allSatisfy { $0.folder == nil && $0.covers == nil })
        #expect(try fresh.folders() == [])
      }
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `a folder that was changed and deleted in one event gets all its members back (90)`(
    kind: StoreKind
  ) throws {
    try working(kind) { context, undoManager, stack in
      let id = try entangledNote(stack)
      try context.performAndWait {
        let note = context.find(id)
        undoManager.group(in: context) {
          note.addToTags(context.tag("new"))
          context.delete(note)
        }
        try context.save()
        context.undo()
        try context.save()
        #expect((note.tags as? Set<TestSupport.Tag>)?.map(\.name) == ["t"])
        #expect(note.covers?.cover == note)
        #expect(checkInvariants(of: context) == [])
      }
      try stack.work { fresh in
        let note = try #require(try fresh.fetch(Note.fetchRequest()).first { $0.title == "first" })
        #expect((note.tags as? Set<TestSupport.Tag>)?.map(\.name) == ["t"])
        #expect(note.related?.count == 1)
      }
    }
  }
}
