import CoreData
import TestSupport
import Testing

/// The other ends of relationships that others have changed.
@Suite struct FollowedRelationshipTests {
  /// Two contexts of which each merges what the other saves, and which keep what they have read.
  private func pair(
    _ kind: StoreKind,
    _ body: (NSManagedObjectContext, NSManagedObjectContext, NotesStack) throws -> Void
  ) throws {
    let stack = try NotesStack(kind)
    let contexts = [stack.context(), stack.context()]
    for context in contexts {
      context.retainsRegisteredObjects = true
      context.automaticallyMergesChangesFromParent = true
      context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
    }
    try body(contexts[0], contexts[1], stack)
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `two folders count the note whose first folder another context has brought back (87, 90)`(
    kind: StoreKind
  ) throws {
    try pair(kind) { reader, undoer, stack in
      let c = try stack.saved { $0.bin("C") }
      let d = try stack.saved { $0.bin("D") }
      let n = try stack.saved { $0.note("1") }
      try reader.performAndWait {
        reader.find(c, as: Folder.self).cover = reader.find(n)
        reader.find(n).pinnedIn = reader.find(c, as: Folder.self)
        try reader.save()
      }
      try undoer.performAndWait {
        undoer.undoManager = UndoManager()
        undoer.delete(undoer.find(c, as: Folder.self))
        try undoer.save()
      }
      try reader.performAndWait {
        let folder = reader.find(d, as: Folder.self)
        folder.cover = reader.find(n)
        folder.addToPinned(reader.find(n))
        try reader.save()
        #expect(folder.pinnedTitles == ["1"])
      }
      try undoer.performAndWait {
        #expect(undoer.find(d, as: Folder.self).pinnedTitles == ["1"])
        undoer.undo()
        #expect(checkInvariants(of: undoer) == [])
        #expect(undoer.find(d, as: Folder.self).pinnedTitles == [])
        try undoer.save()
      }
      for context in [reader, undoer, stack.context()] {
        try context.performAndWait {
          let folder = context.find(d, as: Folder.self)
          #expect(folder.pinnedTitles == [])
          #expect(folder.cover == nil)
          let notes = try context.fetch(Note.fetchRequest())
          #expect(notes.map { $0.pinnedIn?.pinnedTitles } == [["1"]])
          #expect(notes.map { $0.covers?.name } == ["C"])
          #expect(checkInvariants(of: context) == [])
        }
      }
    }
  }

  enum Way: CaseIterable {
    case remote, refresh, refault, refetch
  }

  /// Others may report a note alone: another program's history knows only rows that were written.
  @Test(arguments: Way.allCases, [false, true])
  func `a folder keeps a note that has gone to another, when only the note is refreshed (87, 88)`(
    way: Way,
    isFault: Bool
  ) throws {
    let stack = try NotesStack(.sqlite)
    let (c, d) = (try stack.saved { $0.folder("C") }, try stack.saved { $0.folder("D") })
    let n = try stack.saved { context in
      let note = context.note("1", in: context.find(c, as: Folder.self))
      note.pinnedIn = note.folder
      return note
    }
    let other = try NotesStack(reopening: try #require(stack.file))
    try stack.work { context in
      context.retainsRegisteredObjects = true
      let (from, to) = (context.find(c, as: Folder.self), context.find(d, as: Folder.self))
      let note = context.find(n)
      #expect([from.titles, to.titles] == [["1"], []])
      #expect([from.pinnedTitles, to.pinnedTitles] == [["1"], []])
      if isFault { context.refresh(note, mergeChanges: false) }
      try other.work { there in
        let note = try #require(try there.fetch(Note.fetchRequest()).first)
        let folders = try there.fetch(Folder.fetchRequest())
        note.folder = folders.first { $0.name == "D" }
        note.pinnedIn = note.folder
        try there.save()
      }
      context.processPendingChanges()
      let received = Received(context, .NSManagedObjectContextObjectsDidChange)
      switch way {
      case .remote:
        let changes = [NSUpdatedObjectIDsKey: [n]]
        NSManagedObjectContext.mergeChanges(fromRemoteContextSave: changes, into: [context])
      case .refresh, .refault:
        context.stalenessInterval = 0
        context.refresh(note, mergeChanges: way == .refresh)
        #expect(note.folder == to)
        context.stalenessInterval = -1
      case .refetch:
        let request = Note.fetchRequest()
        request.shouldRefreshRefetchedObjects = true
        _ = try context.fetch(request)
      }
      context.processPendingChanges()
      #expect([from.titles, to.titles] == [[], ["1"]])
      #expect([from.pinnedTitles, to.pinnedTitles] == [[], ["1"]])
      #expect(note.folder == to)
      #expect(checkInvariants(of: context) == [])
      #expect(!context.hasChanges)
      let refreshed = received.all.compactMap { $0[NSRefreshedObjectsKey] as? Set<NSManagedObject> }
      #expect(refreshed.contains { $0.isSuperset(of: [from, to]) })
    }
  }
}

extension NSManagedObjectContext {
  /// A folder without notes of its own, which its deletion would delete.
  fileprivate func bin(_ name: String) -> Folder { folder(name) }
}
