import CoreData
import TestSupport
import Testing

/// Relationships between the generations.
@Suite struct ChildRelationshipTests {
  @Test(arguments: StoreKind.with(.everyRequest))
  func `to-many members are the parent's, saved or not`(kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    let id = try stack.saved { context in
      let folder = context.folder("F")
      context.note("1", in: folder)
      context.note("2", in: folder)
      return folder
    }
    try stack.family { parent, child in
      let above = parent.find(id, as: Folder.self)
      parent.note("3", in: above)
      if let first = (above.notes as? Set<Note>)?.first(where: { $0.title == "1" }) {
        parent.delete(first)
      }
      let folder = child.find(id, as: Folder.self)
      #expect(folder.titles == ["2", "3"])
      try child.inChild { #expect($0.same(folder).titles == ["2", "3"]) }
      #expect(folder.objectIDs(forRelationshipNamed: "notes").count == 2)
      #expect(!child.hasChanges)
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `members that parent and child add and remove come together`(kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    let id = try stack.saved { context in
      let folder = context.folder("F")
      for title in ["1", "2", "3"] { context.note(title, in: folder) }
      return folder
    }
    try stack.family { parent, child in
      let (above, folder) = (parent.find(id, as: Folder.self), child.find(id, as: Folder.self))
      #expect(folder.titles == ["1", "2", "3"])
      child.note("child's", in: folder)
      let notes = try #require(folder.notes as? Set<Note>)
      let first = try #require(notes.first { $0.title == "1" })
      folder.removeFromNotes(first)
      parent.note("parent's", in: above)
      let second = try #require((above.notes as? Set<Note>)?.first { $0.title == "2" })
      above.removeFromNotes(second)
      try child.save()
      #expect(above.titles == ["3", "child's", "parent's"])
      #expect(folder.titles == ["2", "3", "child's"])
      child.refresh(folder, mergeChanges: true)
      #expect(folder.titles == ["3", "child's", "parent's"])
      #expect(checkInvariants(of: parent).isEmpty)
      child.refreshAllObjects()
      #expect(checkInvariants(of: child).isEmpty)
      try parent.save()
    }
    #expect(
      try stack.work { $0.find(id, as: Folder.self).titles } == ["3", "child's", "parent's"]
    )
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `an object that both move ends where the child puts it`(kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    let id = try stack.saved { context in
      context.folder("B")
      context.folder("C")
      return context.note("1", in: context.folder("A"))
    }
    try stack.family { parent, child in
      func folder(_ name: String, _ context: NSManagedObjectContext) throws -> Folder {
        try #require(try context.fetch(Folder.fetchRequest()).first { $0.name == name })
      }
      child.find(id).folder = try folder("B", child)
      parent.find(id).folder = try folder("C", parent)
      try child.save()
      #expect(parent.find(id).folder?.name == "B")
      #expect(try folder("A", parent).titles == [])
      #expect(try folder("B", parent).titles == ["1"])
      #expect(try folder("C", parent).titles == [])
      #expect(checkInvariants(of: parent).isEmpty)
      try parent.save()
    }
    #expect(try stack.work { $0.find(id).folder?.name } == "B")
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `an ordered relationship keeps its order through the generations`(kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    let id = try stack.saved { context in
      let folder = context.folder("F")
      folder.pinned = NSOrderedSet(array: ["c", "a", "b"].map { context.note($0) })
      return folder
    }
    try stack.family { parent, child in
      let (above, folder) = (parent.find(id, as: Folder.self), child.find(id, as: Folder.self))
      #expect(folder.pinnedTitles == ["c", "a", "b"])
      above.addToPinned(parent.note("parent's"))
      try child.inChild { grandchild in
        let below = grandchild.same(folder)
        below.insertIntoPinned(grandchild.note("x"), at: 1)
        below.insertIntoPinned(grandchild.note("y"), at: 0)
        #expect(below.pinnedTitles == ["y", "c", "x", "a", "b"])
        try grandchild.save()
        #expect(folder.pinnedTitles == ["y", "c", "x", "a", "b"])
      }
      try child.save()
      #expect(above.pinnedTitles == ["y", "c", "x", "a", "b", "parent's"])
      let order = try #require(folder.pinned?.array as? [Note])
      folder.pinned = NSOrderedSet(array: order.reversed())
      try child.save()
      #expect(above.pinnedTitles == ["b", "parent's", "a", "x", "c", "y"])
      #expect(checkInvariants(of: parent).isEmpty)
      try parent.save()
    }
    #expect(
      try stack.work { $0.find(id, as: Folder.self).pinnedTitles }
        == ["b", "parent's", "a", "x", "c", "y"]
    )
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `many-to-many relationships go up as differences`(kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    let id = try stack.saved { context in
      let note = context.note("1")
      note.tags = NSSet(array: [context.tag("red"), context.tag("blue")])
      note.addToRelated(context.note("2"))
      return note
    }
    try stack.family { parent, child in
      let (above, note) = (parent.find(id), child.find(id))
      #expect(note.tagNames == ["blue", "red"])
      #expect(note.relatedTitles == ["2"])
      let red = try #require((note.tags as? Set<Tag>)?.first { $0.name == "red" })
      note.removeFromTags(red)
      note.addToTags(child.tag("green"))
      note.addToRelated(child.note("3"))
      above.addToTags(parent.tag("yellow"))
      try child.save()
      #expect(above.tagNames == ["blue", "green", "yellow"])
      #expect(above.relatedTitles == ["2", "3"])
      #expect(parent.same(red).noteTitles == [])
      #expect(checkInvariants(of: parent).isEmpty)
      try parent.save()
    }
    try stack.work { context in
      #expect(context.find(id).tagNames == ["blue", "green", "yellow"])
      #expect(context.find(id).relatedTitles == ["2", "3"])
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `relationships without an inverse go up and come down`(kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    let id = try stack.saved { context in
      let bin = Bin(context: context)
      bin.addToKept(context.note("1"))
      bin.addToQueue(context.note("2"))
      return bin
    }
    try stack.family { parent, child in
      let bin = child.find(id, as: Bin.self)
      #expect(bin.keptTitles == ["1"])
      #expect(bin.queueTitles == ["2"])
      bin.addToKept(child.note("3"))
      bin.insertIntoQueue(child.note("4"), at: 0)
      bin.name = "new name"
      parent.find(id, as: Bin.self).addToKept(parent.note("5"))
      try child.save()
      #expect(parent.find(id, as: Bin.self).keptTitles == ["1", "3", "5"])
      #expect(parent.find(id, as: Bin.self).queueTitles == ["4", "2"])
      try child.inChild { #expect($0.same(bin).queueTitles == ["4", "2"]) }
      try parent.save()
    }
    try stack.work { context in
      #expect(context.find(id, as: Bin.self).keptTitles == ["1", "3", "5"])
      #expect(context.find(id, as: Bin.self).queueTitles == ["4", "2"])
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `one-to-one partners change places`(kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    let ids = try ["A", "B"].map { name in
      try stack.saved { context in
        let folder = context.folder(name)
        folder.cover = context.note("cover of \(name)")
        return folder
      }
    }
    try stack.family { parent, child in
      let folders = ids.map { child.find($0, as: Folder.self) }
      let covers = folders.map(\.cover)
      (folders[0].cover, folders[1].cover) = (covers[1], covers[0])
      try child.save()
      let above = ids.map { parent.find($0, as: Folder.self) }
      #expect(above.map { $0.cover?.title } == ["cover of B", "cover of A"])
      #expect(checkInvariants(of: parent).isEmpty)
      try parent.save()
    }
    try stack.work { context in
      #expect(context.find(ids[0], as: Folder.self).cover?.title == "cover of B")
      #expect(context.find(ids[1], as: Folder.self).cover?.title == "cover of A")
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `a member that the parent has deleted is not brought back`(kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    let id = try stack.saved { $0.folder("F") }
    try stack.family { parent, child in
      let note = child.note("New", in: child.find(id, as: Folder.self))
      parent.delete(parent.find(id, as: Folder.self))
      // The folder itself was changed in the child; that is refused, and the change taken back.
      #expect(errorCode { try child.save() } == CocoaError.managedObjectMerge.rawValue)
      child.refresh(child.find(id, as: Folder.self), mergeChanges: false)
      note.folder = nil
      try child.save()
      #expect(try parent.titles() == ["New"])
      try parent.save()
    }
    #expect(try stack.work { try $0.folders() } == [])
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `new objects lead to stored ones and to each other, three levels deep`(
    kind: StoreKind
  ) throws {
    let stack = try NotesStack(kind)
    let id = try stack.saved { $0.folder("stored") }
    try stack.family { parent, child in
      try child.inChild { grandchild in
        let folder = grandchild.folder("new", in: grandchild.find(id, as: Folder.self))
        let note = grandchild.note("deep", in: folder)
        note.covers = folder
        try grandchild.save()
        try grandchild.inChild { lowest in
          let note = lowest.same(note)
          #expect(note.folder?.name == "new")
          #expect(note.folder?.parent?.name == "stored")
          #expect(note.covers === note.folder)
          note.title = "deeper"
          try lowest.save()
        }
        try grandchild.save()
      }
      try child.save()
      #expect(checkInvariants(of: parent).isEmpty)
      try parent.save()
    }
    try stack.work { context in
      let note = try #require(try context.fetch(Note.fetchRequest()).first)
      #expect(note.title == "deeper")
      #expect(note.folder?.cover === note)
      #expect(note.folder?.parent?.objectID == id)
    }
  }
}
