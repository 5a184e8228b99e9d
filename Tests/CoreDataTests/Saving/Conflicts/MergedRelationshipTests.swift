import CoreData
import TestSupport
import Testing

/// Conflicts about relationships: both ends must agree in memory and in the store.
@Suite struct MergedRelationshipTests {
  static let policies: [(NSMergePolicy, String)] = [
    (.mergeByPropertyStoreTrump, "Theirs"), (.mergeByPropertyObjectTrump, "Mine"),
    (.overwrite, "Mine"), (.rollback, "Theirs"),
  ]

  @Test(arguments: StoreKind.with(.everyRequest, .uniqueness), 0..<4)
  func `a note that was moved here and there is in one folder (56)`(
    kind: StoreKind,
    place: Int
  ) throws {
    let (policy, winner) = Self.policies[place]
    let stack = try NotesStack(kind)
    let id = try stack.saved { context in
      let home = context.folder("Home")
      let note = context.note("1", in: home)
      context.note("2", in: home)
      home.addToPinned(note)
      context.folder("Mine")
      context.folder("Theirs")
      return note
    }
    try stack.work { context in
      context.mergePolicy = policy
      let folders = try folders(context)
      let note = context.find(id)
      note.folder = folders["Mine"]
      folders["Mine"]?.addToPinned(note)
      try stack.work { other in
        let theirs = try #require(try self.folders(other)["Theirs"])
        other.find(id).folder = theirs
        theirs.addToPinned(other.find(id))
        try other.save()
      }
      try context.save()
      #expect(!context.hasChanges)
      #expect(note.folder?.name == winner)
      #expect(checkInvariants(of: context) == [])
      let expected = ["Home": ["2"], "Mine": [], "Theirs": []].merging([winner: ["1"]]) { $1 }
      #expect(folders.mapValues(\.titles) == expected)
      try stack.work { fresh in
        let titles = try self.folders(fresh).mapValues(\.titles)
        #expect(titles == expected)
        #expect(fresh.find(id).pinnedIn?.name == winner)
      }
    }
  }

  private func folders(_ context: NSManagedObjectContext) throws -> [String: Folder] {
    let folders = try context.fetch(Folder.fetchRequest())
    for folder in folders { _ = (folder.titles, folder.pinnedTitles) }
    return Dictionary(uniqueKeysWithValues: folders.map { ($0.name ?? "", $0) })
  }

  @Test(arguments: StoreKind.with(.everyRequest, .uniqueness), 0..<4)
  func `tags that were given here and there are all there`(kind: StoreKind, place: Int) throws {
    let (policy, winner) = Self.policies[place]
    let stack = try NotesStack(kind)
    let id = try stack.saved { context in
      context.tag("mine")
      context.tag("theirs")
      return context.note("1")
    }
    let tag = { (context: NSManagedObjectContext, name: String) in
      try #require(
        try context.fetch(TestSupport.Tag.fetchRequest()).first { $0.name == name }
      )
    }
    try stack.work { context in
      context.mergePolicy = policy
      let note = context.find(id)
      note.title = "Mine"
      note.addToTags(try tag(context, "mine"))
      try stack.work { other in
        other.find(id).title = "Theirs"
        other.find(id).addToTags(try tag(other, "theirs"))
        try other.save()
      }
      try context.save()
      #expect(checkInvariants(of: context) == [])
      let names = { (note: Note) in
        (note.tags as? Set<TestSupport.Tag> ?? []).map { $0.name ?? "" }.sorted()
      }
      let expected =
        policy === NSMergePolicy.rollback ? ["theirs"] : ["mine", "theirs"]
      try stack.work { fresh in
        #expect(fresh.find(id).title == winner)
        #expect(names(fresh.find(id)) == expected)
      }
      context.refresh(note, mergeChanges: true)
      #expect(names(note) == expected)
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest, .uniqueness), 0..<4)
  func `a folder that was deleted elsewhere takes nothing with it that is new here`(
    kind: StoreKind,
    place: Int
  ) throws {
    let (policy, winner) = Self.policies[place]
    let stack = try NotesStack(kind)
    let id = try stack.saved { $0.folder("F") }
    try stack.work { context in
      context.mergePolicy = policy
      let folder = context.find(id, as: Folder.self)
      folder.name = "Mine"
      let note = context.note("1", in: folder)
      try stack.work { other in
        other.delete(other.object(with: id))
        try other.save()
      }
      try context.save()
      #expect(checkInvariants(of: context) == [])
      #expect(note.folder === (winner == "Mine" ? folder : nil))
      #expect(folder.name == "Mine", "its values can still be read")
      try stack.work { fresh in
        let names = try fresh.fetch(Folder.fetchRequest()).map(\.name)
        #expect(names == (winner == "Mine" ? ["Mine"] : []))
        #expect(fresh.find(note.objectID).folder?.name == (winner == "Mine" ? "Mine" : nil))
      }
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest, .uniqueness))
  func `a row that is back does not lead to rows that are gone`(kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    let id = try stack.saved { $0.note("1", in: $0.folder("F")) }
    try stack.work { context in
      context.mergePolicy = NSMergePolicy.overwrite
      let note = context.find(id)
      note.title = "Mine"
      try stack.work { other in
        other.delete(try #require(other.find(id).folder))
        try other.save()
      }
      try context.save()
      #expect(note.folder == nil)
      #expect(note.objectID == id)
      #expect(try stack.work { $0.find(id).folder } == nil)
      #expect(try stack.work { try $0.titles() } == ["Mine"])
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest, .uniqueness))
  func `a deletion that wins takes those along who came meanwhile`(kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    let id = try stack.saved { context in
      let folder = context.folder("F")
      context.note("1", in: folder)
      return folder
    }
    try stack.work { context in
      context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
      context.delete(context.find(id, as: Folder.self))
      context.processPendingChanges()
      try stack.work { other in
        other.note("2", in: other.find(id, as: Folder.self))
        try other.save()
      }
      try context.save()
      #expect(try stack.work { try $0.titles() } == [])
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest, .uniqueness))
  func `a deletion that wins is let go of by the one who came meanwhile`(kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    let id = try stack.saved { context in
      let folder = context.folder("F")
      context.note("1").covers = folder
      context.note("2")
      return folder
    }
    try stack.work { context in
      context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
      let notes = try context.fetch(Note.fetchRequest())
      let late = try #require(notes.first { $0.title == "2" })
      #expect(late.covers == nil)
      let folder = context.find(id, as: Folder.self)
      #expect(folder.cover?.title == "1")
      context.delete(folder)
      context.processPendingChanges()
      try stack.work { other in
        let late = try #require(try other.fetch(Note.fetchRequest()).first { $0.title == "2" })
        late.covers = other.find(id, as: Folder.self)
        try other.save()
      }
      try context.save()
      #expect(late.covers == nil)
      #expect(checkInvariants(of: context) == [])
      try stack.work { fresh in
        let notes = try fresh.fetch(Note.fetchRequest())
        #expect(notes.count == 2)
        #expect(notes.allSatisfy { $0.covers == nil })
        #expect(checkInvariants(of: fresh) == [])
      }
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest, .uniqueness))
  func `a deletion that is abandoned is undone at both ends`(kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    let id = try stack.saved { context in
      let note = context.note("1", in: context.folder("F"))
      context.tag("t").addToNotes(note)
      return note
    }
    try stack.work { context in
      context.mergePolicy = NSMergePolicy.rollback
      let note = context.find(id)
      let folder = try #require(note.folder)
      #expect(folder.titles == ["1"])
      context.delete(note)
      context.processPendingChanges()
      #expect(folder.titles == [])
      try stack.work { other in
        other.find(id).text = "theirs"
        try other.save()
      }
      try context.save()
      #expect(note.text == "theirs")
      #expect(note.folder === folder)
      #expect(folder.titles == ["1"])
      #expect(checkInvariants(of: context) == [])
      try stack.work { fresh in
        #expect(fresh.find(id).folder?.titles == ["1"])
        #expect(fresh.find(id).tags?.count == 1)
      }
    }
  }
}
