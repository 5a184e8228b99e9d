import CoreData
import TestSupport
import Testing

@Suite struct TwoContextsTests {
  @Test(arguments: StoreKind.with(.everyRequest))
  func `values stay as they were read until a refresh`(kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    let id = try stack.saved { $0.note("One", in: $0.folder("F")) }
    try stack.work { context in
      let note = context.find(id)
      #expect(note.title == "One")
      try stack.work { other in
        let note = other.find(id)
        note.title = "Two"
        note.text = "long enough not to be kept in the value itself"
        note.folder = other.folder("G")
        try other.save()
      }
      #expect(note.title == "One")
      _ = try context.fetch(Note.fetchRequest())
      #expect(note.title == "One", "a fetch does not refresh")
      context.refresh(note, mergeChanges: true)
      #expect(note.title == "Two")
      #expect(note.text == "long enough not to be kept in the value itself")
      #expect(note.folder?.name == "G")
      #expect(!note.hasChanges)
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `a merging refresh keeps own changes and takes the others`(kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    let id = try stack.saved { $0.note("One") }
    try stack.work { context in
      let note = context.find(id)
      note.title = "Mine"
      try stack.work { other in
        other.find(id).title = "Theirs"
        other.find(id).stars = 5
        try other.save()
      }
      context.refresh(note, mergeChanges: true)
      #expect(note.title == "Mine")
      #expect(note.stars == 5)
      #expect(note.isUpdated)
      #expect(note.changedValues().keys.sorted() == ["title"])
      try context.save()
    }
    try stack.work { context in
      #expect(context.find(id).title == "Mine")
      #expect(context.find(id).stars == 5)
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `a merging refresh merges the members of a relationship`(kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    let id = try stack.saved { context in
      let folder = context.folder("F")
      context.note("1", in: folder)
      context.note("2", in: folder)
      return folder
    }
    try stack.work { context in
      let folder = context.find(id, as: Folder.self)
      let first = try #require((folder.notes as? Set<Note>)?.first { $0.title == "1" })
      folder.removeFromNotes(first)
      context.note("mine", in: folder)
      try stack.work { other in
        other.note("theirs", in: other.find(id, as: Folder.self))
        try other.save()
      }
      #expect(folder.titles == ["2", "mine"])
      context.refresh(folder, mergeChanges: true)
      #expect(folder.titles == ["2", "mine", "theirs"])
      try context.save()
    }
    try stack.work { context in
      #expect(context.find(id, as: Folder.self).titles == ["2", "mine", "theirs"])
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `a refresh that drops changes drops them at both ends`(kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    try stack.work { context in
      let (home, work) = (context.folder("Home"), context.folder("Work"))
      let (one, two) = (context.note("1", in: home), context.note("2", in: home))
      let tag = context.tag("t")
      try context.save()
      one.folder = work
      context.refresh(one, mergeChanges: false)
      #expect(one.folder === home)
      #expect(home.titles == ["1", "2"])
      #expect(work.titles == [])
      tag.addToNotes(two)
      context.refresh(tag, mergeChanges: false)
      #expect(two.tags?.count == 0)
      #expect(tag.notes?.count == 0)
      work.addToNotes(two)
      context.refresh(work, mergeChanges: false)
      #expect(two.folder === home)
      #expect(work.titles == [])
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `refreshAllObjects brings everything up to date`(kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    let id = try stack.saved { $0.note("One", in: $0.folder("F")) }
    try stack.work { context in
      let note = context.find(id)
      let folder = try #require(note.folder)
      #expect(folder.titles == ["One"])
      try stack.work { other in
        other.find(id).title = "Two"
        other.note("Three", in: other.find(folder.objectID, as: Folder.self))
        try other.save()
      }
      context.refreshAllObjects()
      #expect(note.title == "Two")
      #expect(folder.titles == ["Three", "Two"])
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `a refresh of an object whose row is gone leaves no old values`(kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    let id = try stack.saved { $0.note("One") }
    try stack.work { context in
      let note = context.find(id)
      #expect(note.title == "One")
      try stack.work { other in
        other.delete(other.find(id))
        try other.save()
      }
      context.refresh(note, mergeChanges: true)
      #expect(note.title == nil)
      #expect(note.isDeleted)
      try context.save()
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `identities go from context to context`(kind: StoreKind) async throws {
    let stack = try NotesStack(kind)
    let writer = stack.context()
    let id = try await writer.perform {
      let note = writer.note("1")
      try writer.save()
      return note.objectID
    }
    let reader = stack.context()
    let title = await reader.perform { reader.find(id, as: Note.self).title }
    #expect(title == "1")
  }
}
