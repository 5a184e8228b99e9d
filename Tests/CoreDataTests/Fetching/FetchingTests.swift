import CoreData
import TestSupport
import Testing

@Suite struct FetchingTests {
  /// A store with the notes a to e, with 1 to 5 stars, and the list L with 9 items and no stars.
  private func stack(_ kind: StoreKind) throws -> NotesStack {
    let stack = try NotesStack(kind)
    try stack.work { context throws in
      for (index, title) in ["a", "b", "c", "d", "e"].enumerated() {
        context.note(title).stars = Int16(index + 1)
      }
      let list = Checklist(context: context)
      list.title = "L"
      list.itemCount = 9
      try context.save()
    }
    return stack
  }

  private func request(
    _ format: String? = nil,
    sortedBy key: String = "title",
    ascending: Bool = true
  ) -> NSFetchRequest<Note> {
    let request = Note.fetchRequest()
    request.predicate = format.map { NSPredicate(format: $0) }
    request.sortDescriptors = [NSSortDescriptor(key: key, ascending: ascending)]
    return request
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `a predicate, an order and a range are applied`(kind: StoreKind) throws {
    try stack(kind).work { context throws in
      let request = request("stars >= 2", ascending: false)
      #expect(try context.fetch(request).map(\.title) == ["e", "d", "c", "b"])
      request.fetchLimit = 2
      #expect(try context.fetch(request).map(\.title) == ["e", "d"])
      request.fetchOffset = 1
      #expect(try context.fetch(request).map(\.title) == ["d", "c"])
      request.fetchOffset = 3
      #expect(try context.fetch(request).map(\.title) == ["b"])
      #expect(try context.count(for: request) == 1)
      request.fetchOffset = 9
      #expect(try context.fetch(request).isEmpty)
      #expect(try context.count(for: request) == 0)
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `a subentity belongs to the result unless it is left out (68)`(kind: StoreKind) throws {
    try stack(kind).work { context throws in
      let all = request("stars < 2")
      let found = try context.fetch(all)
      #expect(found.map(\.title) == ["L", "a"])
      #expect((found.first as? Checklist)?.itemCount == 9)
      all.includesSubentities = false
      #expect(try context.fetch(all).map(\.title) == ["a"])
      #expect(try context.count(for: all) == 1)
      #expect(try context.fetch(Checklist.fetchRequest()).map(\.title) == ["L"])
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `identities and counts can be asked for`(kind: StoreKind) throws {
    try stack(kind).work { context throws in
      let ids = NSFetchRequest<NSManagedObjectID>(entityName: "Note")
      ids.resultType = .managedObjectIDResultType
      ids.sortDescriptors = [NSSortDescriptor(key: "stars", ascending: false)]
      ids.fetchLimit = 2
      let found = try context.fetch(ids)
      #expect(found.map { context.find($0).title } == ["e", "d"])
      let count = NSFetchRequest<NSNumber>(entityName: "Note")
      count.resultType = .countResultType
      #expect(try context.fetch(count) == [6])
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `objects come as faults whose rows wait`(kind: StoreKind) throws {
    try stack(kind).work { context throws in
      let request = request()
      #expect(try context.fetch(request).allSatisfy { $0.isFault })
      request.returnsObjectsAsFaults = false
      #expect(try context.fetch(request).allSatisfy { !$0.isFault })
    }
    try stack(kind).work { context throws in
      let request = request()
      request.includesPropertyValues = false
      let notes = try context.fetch(request)
      #expect(notes.allSatisfy { $0.isFault })
      #expect(notes.map(\.title) == ["L", "a", "b", "c", "d", "e"])
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `an object that is known keeps its values`(kind: StoreKind) throws {
    let stack = try stack(kind)
    try stack.work { context throws in
      let note = try #require(try context.fetch(request("title == 'c'")).first)
      #expect(note.stars == 3)
      try stack.work { other in
        try #require(try other.fetch(request("title == 'c'")).first).stars = 5
        try other.save()
      }
      #expect(try context.fetch(request("stars == 5")).map(\.title) == ["c", "e"])
      #expect(note.stars == 3)
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `relationships stand in predicates and orders`(kind: StoreKind) throws {
    let stack = try stack(kind)
    try stack.work { context throws in
      let notes = try context.fetch(request("stars >= 1"))
      let (home, work) = (context.folder("Home"), context.folder("Work"))
      for note in notes { note.folder = note.stars % 2 == 0 ? home : work }
      notes[0].addToTags(context.tag("red"))
      try context.save()
    }
    try stack.work { context throws in
      let home = request("folder.name == 'Home'")
      #expect(try context.fetch(home).map(\.title) == ["b", "d"])
      #expect(try context.fetch(request("ANY tags.name == 'red'")).map(\.title) == ["a"])
      let byFolder = request("folder != nil")
      byFolder.sortDescriptors = [
        NSSortDescriptor(key: "folder.name", ascending: false),
        NSSortDescriptor(key: "stars", ascending: true),
      ]
      #expect(try context.fetch(byFolder).map(\.title) == ["a", "c", "e", "b", "d"])
      let folder = try #require(try context.fetch(home).first?.folder)
      let mine = Note.fetchRequest()
      mine.predicate = NSPredicate(format: "folder == %@", folder)
      #expect(try context.count(for: mine) == 2)
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `a fetched property runs its request`(kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    let id = try stack.saved { context in
      let folder = context.folder("F")
      context.note("a", in: folder).isFavourite = true
      context.note("b", in: folder)
      context.note("c").isFavourite = true
      return folder
    }
    try stack.work { context throws in
      let folder = context.find(id, as: Folder.self)
      #expect(folder.favourites.map(\.title) == ["a"])
      #expect((folder.value(forKey: "favourites") as? [Note])?.count == 1)
    }
  }

  @Test func `a request for the wrong type throws`() throws {
    try stack(.memory).work { context throws in
      let wrong = NSFetchRequest<Folder>(entityName: "Note")
      let error = try #require(throws: NSError.self) { try context.fetch(wrong) }
      #expect(error.localizedFailureReason?.contains("promises Folder") == true)
    }
  }
}
