import CoreData
import TestSupport
import Testing

@Suite struct RelationshipTests {
  @Test func `either side of one-to-many sets the other`() throws {
    try NotesStack().work { context in
      let (home, work) = (context.folder("Home"), context.folder("Work"))
      let note = context.note("One")
      note.folder = home
      #expect(home.titles == ["One"])
      work.addToNotes(note)
      #expect(note.folder === work)
      #expect(home.titles == [])
      work.removeFromNotes(note)
      #expect(note.folder == nil)
      home.notes = NSSet(object: note)
      #expect(note.folder === home)
      home.notes = nil
      #expect(note.folder == nil)
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `stored notes move between folders that are faults`(kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    let (home, work) = try stack.work { context in
      let (home, work) = (context.folder("Home"), context.folder("Work"))
      for title in ["1", "2", "3"] { context.note(title, in: home) }
      try context.save()
      return (home.objectID, work.objectID)
    }
    try stack.work { context in
      for note in try context.fetch(Note.fetchRequest()) where note.title != "1" {
        note.folder = context.find(work, as: Folder.self)
      }
      #expect(context.find(home, as: Folder.self).hasFault(forRelationshipNamed: "notes"))
      #expect(context.find(home, as: Folder.self).titles == ["1"])
      #expect(context.find(work, as: Folder.self).titles == ["2", "3"])
      try context.save()
    }
    try stack.work { context in
      #expect(context.find(home, as: Folder.self).titles == ["1"])
      #expect(context.find(work, as: Folder.self).titles == ["2", "3"])
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `one-to-one steals from both sides`(kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    let ids = try stack.work { context in
      let (home, work) = (context.folder("Home"), context.folder("Work"))
      let (one, two) = (context.note("One"), context.note("Two"))
      home.cover = one
      work.cover = two
      try context.save()
      home.cover = two
      #expect(two.covers === home)
      #expect(work.cover == nil)
      #expect(one.covers == nil)
      one.covers = home
      #expect(home.cover === one)
      #expect(two.covers == nil)
      try context.save()
      return [home, work, one, two].map(\.objectID)
    }
    try stack.work { context in
      #expect(context.find(ids[0], as: Folder.self).cover?.title == "One")
      #expect(context.find(ids[1], as: Folder.self).cover == nil)
      #expect(context.find(ids[2]).covers?.name == "Home")
      #expect(context.find(ids[3]).covers == nil)
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `many-to-many is the same from both sides`(kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    let ids = try stack.work { context in
      let (one, two) = (context.note("One"), context.note("Two"))
      let (red, blue) = (context.tag("red"), context.tag("blue"))
      one.addToTags(red)
      blue.addToNotes(one)
      two.tags = NSSet(object: red)
      #expect(one.tags as? Set<Tag> == [red, blue])
      #expect(red.notes?.array as? [Note] == [one, two])
      try context.save()
      red.removeFromNotes(one)
      #expect(one.tags as? Set<Tag> == [blue])
      try context.save()
      return [one, two, red, blue].map(\.objectID)
    }
    try stack.work { context in
      let (one, two) = (context.find(ids[0]), context.find(ids[1]))
      let (red, blue) = (context.find(ids[2], as: Tag.self), context.find(ids[3], as: Tag.self))
      #expect(one.tags as? Set<Tag> == [blue])
      #expect(two.tags as? Set<Tag> == [red])
      #expect(red.notes?.array as? [Note] == [two])
      #expect(blue.notes?.array as? [Note] == [one])
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `a relationship can be its own inverse`(kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    let ids = try stack.work { context in
      let notes = ["A", "B", "C"].map { context.note($0) }
      notes[2].addToRelated(notes[0])
      notes[1].addToRelated(notes[0])
      notes[1].addToRelated(notes[1])
      #expect(notes[0].related as? Set<Note> == [notes[1], notes[2]])
      try context.save()
      return notes.map(\.objectID)
    }
    let related = { (context: NSManagedObjectContext, index: Int) in
      (context.find(ids[index]).related as? Set<Note> ?? []).map { $0.title ?? "" }.sorted()
    }
    try stack.work { context in
      #expect(related(context, 0) == ["B", "C"])
      #expect(related(context, 1) == ["A", "B"])
      #expect(related(context, 2) == ["A"])
      context.find(ids[0]).removeFromRelated(context.find(ids[2]))
      context.find(ids[1]).removeFromRelated(context.find(ids[1]))
      #expect(related(context, 2) == [])
      try context.save()
    }
    try stack.work { context in
      #expect(related(context, 0) == ["B"])
      #expect(related(context, 1) == ["A"])
      #expect(related(context, 2) == [])
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `folders have parents and children`(kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    let id = try stack.saved { context in
      let root = context.folder("Root")
      let child = context.folder("Child", in: root)
      context.folder("Grandchild", in: child)
      return root
    }
    try stack.work { context in
      let root = context.find(id, as: Folder.self)
      let child = try #require((root.children as? Set<Folder>)?.first)
      #expect(child.parent === root)
      #expect((child.children as? Set<Folder>)?.map(\.name) == ["Grandchild"])
      #expect(root.parent == nil)
      root.parent = child
      #expect(child.children?.contains(root) == true)
      try context.save()
    }
    try stack.work { context in
      #expect(context.find(id, as: Folder.self).parent?.parent?.objectID == id)
    }
  }

  @Test func `a set that was read does not change with the relationship`() throws {
    try NotesStack().work { context in
      let folder = context.folder("F")
      let note = context.note("One", in: folder)
      let before = folder.notes
      folder.removeFromNotes(note)
      #expect(before?.count == 1)
      #expect(folder.notes?.count == 0)
    }
  }
}
