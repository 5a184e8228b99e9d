import CoreData
import TestSupport
import Testing

@Suite struct MutableSetTests {
  @Test func `a mutable set changes the relationship and its inverse`() throws {
    try NotesStack().work { context in
      let folder = context.folder("F")
      let (one, two, three) = (context.note("1"), context.note("2"), context.note("3"))
      let notes = folder.mutableSetValue(forKey: "notes")
      notes.add(one)
      notes.addObjects(from: [two, three])
      #expect(folder.titles == ["1", "2", "3"])
      #expect(one.folder === folder)
      notes.remove(two)
      #expect(two.folder == nil)
      notes.intersect([one])
      #expect(folder.titles == ["1"])
      notes.union([two, three])
      notes.minus([one])
      #expect(folder.titles == ["2", "3"])
      notes.setSet([one])
      #expect(folder.titles == ["1"])
      notes.removeAllObjects()
      #expect(folder.titles == [])
      #expect(one.folder == nil)
    }
  }

  @Test func `a mutable set follows changes made elsewhere`() throws {
    try NotesStack().work { context in
      let folder = context.folder("F")
      let notes = folder.mutableSetValue(forKey: "notes")
      let one = context.note("1", in: folder)
      #expect(notes.count == 1)
      #expect(notes.contains(one))
      #expect(notes.anyObject() as? Note === one)
      one.folder = nil
      #expect(notes.count == 0)
      #expect(!notes.contains(one))
      #expect(notes.allObjects.isEmpty)
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `a mutable set stays valid over saves and faults`(kind: StoreKind) throws {
    try NotesStack(kind).work { context in
      let folder = context.folder("F")
      let notes = folder.mutableSetValue(forKey: "notes")
      notes.add(context.note("1"))
      try context.save()
      context.refresh(folder, mergeChanges: false)
      notes.add(context.note("2"))
      #expect(folder.titles == ["1", "2"])
      #expect(notes.count == 2)
    }
  }

  @Test func `a mutable set is reached by key path`() throws {
    try NotesStack().work { context in
      let note = context.note("1", in: context.folder("F"))
      note.mutableSetValue(forKeyPath: "folder.notes").add(context.note("2"))
      #expect(note.folder?.titles == ["1", "2"])
      note.mutableOrderedSetValue(forKeyPath: "folder.pinned").add(note)
      #expect(note.pinnedIn === note.folder)
      #expect(context.note("3").mutableSetValue(forKeyPath: "folder.notes").count == 0)
    }
  }

  @Test func `an ordered mutable set follows changes made elsewhere`() throws {
    try NotesStack().work { context in
      let folder = context.folder("F")
      let pinned = folder.mutableOrderedSetValue(forKey: "pinned")
      let (one, two) = (context.note("1"), context.note("2"))
      one.pinnedIn = folder
      two.pinnedIn = folder
      #expect(pinned.count == 2)
      #expect(pinned.index(of: two) == 1)
      #expect(pinned.firstObject as? Note === one)
      one.pinnedIn = nil
      #expect(pinned.count == 1)
      #expect(!pinned.contains(one))
      #expect(pinned.index(of: two) == 0)
      #expect(pinned.index(of: one) == NSNotFound && pinned.index(of: "2") == NSNotFound)
      #expect((pinned.array as? [Note]) == [two])
    }
  }

  @Test func `adding twice adds once`() throws {
    try NotesStack().work { context in
      let folder = context.folder("F")
      let note = context.note("1")
      let pinned = folder.mutableOrderedSetValue(forKey: "pinned")
      pinned.add(note)
      pinned.add(note)
      pinned.addObjects(from: [note, context.note("2")])
      #expect(folder.pinnedTitles == ["1", "2"])
      folder.mutableSetValue(forKey: "notes").addObjects(from: [note, note])
      #expect(folder.titles == ["1"])
    }
  }
}
