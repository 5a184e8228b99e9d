import CoreData
import Foundation
import TestSupport
import Testing

/// Contexts that look at one moment of the stores while others write.
@Suite struct QueryGenerationTests {
  /// The kinds of stores that can hold a moment.
  private static let kinds: [StoreKind] =
    [.sqlite] + (PostgreSQLServer.isInstalled ? [.postgreSQL] : [])

  private func filled(_ kind: StoreKind = .sqlite) throws -> NotesStack {
    let stack = try NotesStack(kind)
    try stack.write("first")
    return stack
  }

  @Test(arguments: kinds)
  func `a pinned context sees the moment of its first reading, whatever others save (96)`(
    kind: StoreKind
  ) throws {
    let stack = try filled(kind)
    let context = stack.context()
    try context.performAndWait {
      try context.setQueryGenerationFrom(.current)
      try stack.write("second")
      #expect(try context.titles() == ["first", "second"])
      try stack.write("third")
      #expect(try context.titles() == ["first", "second"])
      #expect(try context.count(for: Note.fetchRequest()) == 2)
      #expect(try stack.context().titles() == ["first", "second", "third"])
    }
  }

  @Test(arguments: kinds)
  func `faults, relationships and dictionaries are of that moment too (96)`(
    kind: StoreKind
  ) throws {
    let stack = try filled(kind)
    try stack.change { context in
      let folder = Folder(context: context)
      folder.name = "Ideas"
      folder.addToNotes(try #require(try context.fetch(Note.fetchRequest()).first))
    }
    let context = stack.context()
    try context.performAndWait {
      try context.setQueryGenerationFrom(.current)
      let folder = try #require(try context.fetch(Folder.fetchRequest()).first)
      let note = try #require(try context.fetch(Note.fetchRequest()).first)
      context.refreshAllObjects()
      try stack.change { context in
        let note = try #require(try context.fetch(Note.fetchRequest()).first)
        note.title = "changed"
        note.folder = nil
      }
      #expect(note.title == "first")
      #expect(folder.notes?.contains(note) == true)
      let request = NSFetchRequest<NSDictionary>(entityName: "Note")
      request.resultType = .dictionaryResultType
      request.propertiesToFetch = ["title"]
      #expect(try context.fetch(request).first?["title"] as? String == "first")
    }
  }

  @Test(arguments: kinds)
  func `the pinned moment does not leak to other contexts`(kind: StoreKind) throws {
    let stack = try filled(kind)
    let context = stack.context()
    try context.performAndWait {
      try context.setQueryGenerationFrom(.current)
      let note = try #require(try context.fetch(Note.fetchRequest()).first)
      context.refresh(note, mergeChanges: false)
      try stack.change { try #require(try $0.fetch(Note.fetchRequest()).first).title = "new" }
      #expect(note.title == "first")
      let other = stack.context()
      try other.performAndWait {
        let same = try other.existingObject(with: note.objectID) as? Note
        #expect(same?.title == "new")
      }
    }
  }

  @Test(arguments: kinds, Advance.allCases)
  func `a save, a merge, a reset and nil move the context on (96)`(
    kind: StoreKind,
    advance: Advance
  ) throws {
    let stack = try filled(kind)
    let context = stack.context()
    try context.performAndWait {
      try context.setQueryGenerationFrom(.current)
      let fault = try #require(try context.fetch(Note.fetchRequest()).first)
      let token = context.queryGenerationToken
      try stack.change { try #require(try $0.fetch(Note.fetchRequest()).first).title = "new" }
      #expect(try context.titles() == ["first"])
      switch advance {
      case .save:
        _ = Folder(context: context)
        try context.save()
      case .merge:
        context.mergeChanges(
          fromContextDidSave: Notification(name: .NSManagedObjectContextDidSave, userInfo: [:])
        )
      case .reset: context.reset()
      case .unpinning: try context.setQueryGenerationFrom(nil)
      }
      #expect(context.queryGenerationToken != token)
      #expect((context.queryGenerationToken == nil) == (advance == .unpinning))
      if advance != .reset { context.refresh(fault, mergeChanges: false) }
      #expect(try context.titles() == ["new"])
    }
  }

  enum Advance: CaseIterable { case save, merge, reset, unpinning }

  @Test(arguments: kinds)
  func `a save finds the conflict with what was saved after the moment (57, 96)`(
    kind: StoreKind
  ) throws {
    let stack = try filled(kind)
    let context = stack.context()
    try context.performAndWait {
      try context.setQueryGenerationFrom(.current)
      let note = try #require(try context.fetch(Note.fetchRequest()).first)
      try stack.change { try #require(try $0.fetch(Note.fetchRequest()).first).title = "theirs" }
      note.title = "ours"
      let error = #expect(throws: CocoaError.self) { try context.save() }
      #expect(error?.code == .managedObjectMerge)
      context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
      try context.save()
      #expect(try stack.context().titles() == ["ours"])
    }
  }

  @Test(arguments: kinds)
  func `two contexts with one token see one moment (96)`(kind: StoreKind) throws {
    let stack = try filled(kind)
    let (one, other) = (stack.context(), stack.context())
    try one.performAndWait {
      try one.setQueryGenerationFrom(.current)
      _ = try one.titles()
      try stack.write("second")
      let token = try #require(one.queryGenerationToken)
      try other.performAndWait {
        try other.setQueryGenerationFrom(token)
        #expect(try other.titles() == ["first"])
        #expect(other.queryGenerationToken == token)
      }
    }
  }

  @Test func `a child has no token and cannot be pinned, and sees its parent's moment (96)`()
    throws
  {
    let stack = try filled()
    let parent = stack.context()
    try parent.performAndWait {
      try parent.setQueryGenerationFrom(.current)
      _ = try parent.titles()
      try stack.write("second")
      let child = NSManagedObjectContext(.privateQueue)
      child.parent = parent
      try child.performAndWait {
        #expect(child.queryGenerationToken == nil)
        let error = #expect(throws: CocoaError.self) {
          try child.setQueryGenerationFrom(.current)
        }
        #expect(error?.errorCode == NSPersistentStoreUnsupportedRequestTypeError)
        let titles = try child.titles()
        #expect(titles == ["first"])
      }
    }
  }

  @Test func `a token of other stores is refused`() throws {
    let context = try filled().context()
    let token = try context.performAndWait {
      try context.setQueryGenerationFrom(.current)
      _ = try context.titles()
      return try #require(context.queryGenerationToken)
    }
    let stranger = try NotesStack(.sqlite).context()
    stranger.performAndWait {
      let error = #expect(throws: CocoaError.self) { try stranger.setQueryGenerationFrom(token) }
      #expect(error?.localizedDescription.contains("query generation") == true)
      #expect(stranger.queryGenerationToken == nil)
    }
  }

  @Test func `a store that is added later is invisible (96)`() throws {
    let stack = try filled()
    let context = stack.context()
    try context.performAndWait {
      try context.setQueryGenerationFrom(.current)
      _ = try context.titles()
      let file = TestSupport.TemporaryFolder.file("More.sqlite")
      let other = try NotesStack(file: file, options: [:])
      try other.write("elsewhere")
      try stack.coordinator.addPersistentStore(type: .sqlite, at: file)
      #expect(try context.titles() == ["first"])
      try context.setQueryGenerationFrom(.current)
      #expect(try context.titles() == ["elsewhere", "first"])
    }
  }

  @Test(arguments: StoreKind.without(.history))
  func `stores that cannot hold a moment are seen as they are (96)`(kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    let context = stack.context()
    try context.performAndWait {
      try context.setQueryGenerationFrom(.current)
      #expect(try context.titles() == [])
      try stack.write("first")
      #expect(try context.titles() == ["first"])
    }
  }

  @Test func `another program's writing is not seen, and removing the store ends the moment`()
    throws
  {
    let stack = try filled()
    let file = try #require(stack.file)
    let context = stack.context()
    try context.performAndWait {
      try context.setQueryGenerationFrom(.current)
      #expect(try context.titles() == ["first"])
      try NotesStack(reopening: file).write("second")
      #expect(try context.titles() == ["first"])
      let store = try #require(stack.coordinator.persistentStores.first)
      try stack.coordinator.remove(store)
      #expect(try context.titles() == [])
    }
  }
}

extension NotesStack {
  /// Saves a change in a context of its own.
  fileprivate func change(_ body: (NSManagedObjectContext) throws -> Void) throws {
    let context = context()
    try context.performAndWait {
      try body(context)
      try context.save()
    }
  }

  fileprivate func write(_ title: String) throws {
    try change { Note(context: $0).title = title }
  }
}

extension NSManagedObjectContext {
  /// The titles of all notes as this context sees them, sorted.
  fileprivate func titles() throws -> [String] {
    try performAndWait { try fetch(Note.fetchRequest()).compactMap(\.title).sorted() }
  }
}
