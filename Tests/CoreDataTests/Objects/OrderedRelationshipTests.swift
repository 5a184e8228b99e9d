import CoreData
import TestSupport
import Testing

@Suite struct OrderedRelationshipTests {
  /// A stack with a folder that has the notes a, b, c and d pinned.
  private func pinned(_ kind: StoreKind) throws -> (NotesStack, NSManagedObjectID) {
    let stack = try NotesStack(kind)
    let id = try stack.saved { context in
      let folder = context.folder("F")
      for title in ["a", "b", "c", "d"] { folder.addToPinned(context.note(title)) }
      return folder
    }
    return (stack, id)
  }

  /// Changes the stored folder, and expects the order before and after the save.
  private func expect(
    _ titles: [String],
    _ kind: StoreKind,
    after change: (Folder, [Note]) throws -> Void,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let (stack, id) = try pinned(kind)
    try stack.work { context in
      let folder = context.find(id, as: Folder.self)
      try change(folder, try #require(folder.pinned?.array as? [Note]))
      #expect(folder.pinnedTitles == titles, "before the save", sourceLocation: sourceLocation)
      for note in try context.fetch(Note.fetchRequest()) {
        #expect(
          (note.pinnedIn === folder) == titles.contains(note.title ?? ""),
          sourceLocation: sourceLocation
        )
      }
      try context.save()
      #expect(folder.pinnedTitles == titles, "after the save", sourceLocation: sourceLocation)
      context.refresh(folder, mergeChanges: false)
      #expect(folder.pinnedTitles == titles, "after a refault", sourceLocation: sourceLocation)
    }
    try stack.work { context in
      let folder = context.find(id, as: Folder.self)
      #expect(folder.pinnedTitles == titles, "read anew", sourceLocation: sourceLocation)
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `the order is kept`(kind: StoreKind) throws {
    try expect(["a", "b", "c", "d"], kind) { _, _ in }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `a note is inserted at a place`(kind: StoreKind) throws {
    try expect(["a", "x", "b", "c", "d"], kind) { folder, _ in
      let context = try #require(folder.managedObjectContext)
      folder.insertIntoPinned(context.note("x"), at: 1)
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `notes are inserted at indexes`(kind: StoreKind) throws {
    try expect(["x", "a", "b", "y", "c", "d"], kind) { folder, _ in
      let context = try #require(folder.managedObjectContext)
      let notes = [context.note("x"), context.note("y")]
      folder.insertIntoPinned(notes, at: NSIndexSet(indexSet: [0, 3]))
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `a note is removed by place, by itself and by indexes`(kind: StoreKind) throws {
    try expect(["b"], kind) { folder, notes in
      folder.removeFromPinned(at: 0)
      folder.removeFromPinned(notes[2])
      folder.removeFromPinned(at: NSIndexSet(index: 1))
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `a note is replaced`(kind: StoreKind) throws {
    try expect(["a", "x", "c", "y"], kind) { folder, _ in
      let context = try #require(folder.managedObjectContext)
      folder.replacePinned(at: 1, with: context.note("x"))
      folder.replacePinned(at: NSIndexSet(index: 3), with: [context.note("y")])
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `the whole order is set`(kind: StoreKind) throws {
    try expect(["d", "a", "c"], kind) { folder, notes in
      folder.pinned = NSOrderedSet(array: [notes[3], notes[0], notes[2]])
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `notes move in the mutable ordered set`(kind: StoreKind) throws {
    try expect(["c", "d", "a", "b"], kind) { folder, _ in
      folder.mutableOrderedSetValue(forKey: "pinned").moveObjects(at: [2, 3], to: 0)
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `the mutable ordered set inserts, removes, replaces and exchanges`(kind: StoreKind) throws {
    try expect(["d", "x", "y"], kind) { folder, notes in
      let context = try #require(folder.managedObjectContext)
      let pinned = folder.mutableOrderedSetValue(forKey: "pinned")
      pinned.remove(notes[1])
      pinned.insert(context.note("x"), at: 1)
      pinned.exchangeObject(at: 0, withObjectAt: 3)
      pinned.removeObject(at: 3)
      pinned[2] = context.note("y")
      #expect(pinned.count == 3)
      #expect((pinned.array as? [Note])?.map(\.title) == ["d", "x", "y"])
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `setting the inverse puts a note at the end`(kind: StoreKind) throws {
    try expect(["a", "c", "d", "b", "x"], kind) { folder, notes in
      let context = try #require(folder.managedObjectContext)
      notes[1].pinnedIn = nil
      notes[1].pinnedIn = folder
      context.note("x").pinnedIn = folder
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `reordering without another change is stored`(kind: StoreKind) throws {
    let (stack, id) = try pinned(kind)
    for round in 1...20 {
      let order: [String] = try stack.work { context in
        let folder = context.find(id, as: Folder.self)
        let pinned = folder.mutableOrderedSetValue(forKey: "pinned")
        pinned.moveObjects(at: [round % 4], to: (round * 7) % 4)
        try context.save()
        return folder.pinnedTitles
      }
      try stack.work { #expect($0.find(id, as: Folder.self).pinnedTitles == order) }
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `moving a note loses nothing that another context saved in it`(kind: StoreKind) throws {
    let (stack, id) = try pinned(kind)
    let mover = stack.context()
    try mover.performAndWait {
      let folder = mover.find(id, as: Folder.self)
      #expect(folder.pinnedTitles == ["a", "b", "c", "d"])
      try stack.work { context in
        for note in try context.fetch(Note.fetchRequest()) {
          note.text = "written meanwhile"
        }
        try context.save()
      }
      folder.mutableOrderedSetValue(forKey: "pinned").moveObjects(at: [3], to: 0)
      try mover.save()
    }
    try stack.work { context in
      #expect(context.find(id, as: Folder.self).pinnedTitles == ["d", "a", "b", "c"])
      for note in try context.fetch(Note.fetchRequest()) {
        #expect(note.text == "written meanwhile")
        note.text = "and once more"
      }
      try context.save()
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `an ordered end of many-to-many keeps its order`(kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    let id = try stack.saved { context in
      let tag = context.tag("t")
      let notes = ["a", "b", "c"].map { context.note($0) }
      tag.notes = NSOrderedSet(array: [notes[2], notes[0], notes[1]])
      return tag
    }
    let titles = { (context: NSManagedObjectContext) in
      (context.find(id, as: Tag.self).notes?.array as? [Note])?.map { $0.title ?? "" }
    }
    try stack.work { context in
      #expect(titles(context) == ["c", "a", "b"])
      let tag = context.find(id, as: Tag.self)
      tag.insertIntoNotes(context.note("x"), at: 1)
      tag.removeFromNotes(at: 0)
      try context.save()
    }
    try stack.work { #expect(titles($0) == ["x", "a", "b"]) }
  }
}
