import CoreData
import TestSupport
import Testing

/// Tests of unsaved changes in a fetch.
@Suite struct PendingChangesTests {
  /// A context with the saved notes a to e; then f is new, b is renamed z, c is deleted.
  private func working(
    _ kind: StoreKind,
    _ body: (NSManagedObjectContext) throws -> Void
  ) throws {
    try working(NotesStack(kind), body)
  }

  private func working(
    _ stack: NotesStack,
    _ body: (NSManagedObjectContext) throws -> Void
  ) throws {
    try stack.work { context throws in
      for title in ["a", "b", "c", "d", "e"] { context.note(title) }
      try context.save()
      let notes = try context.fetch(Note.fetchRequest())
      context.note("f")
      notes.first { $0.title == "b" }?.title = "z"
      context.delete(try #require(notes.first { $0.title == "c" }))
      try body(context)
    }
  }

  private func request(_ format: String? = nil, ascending: Bool = true) -> NSFetchRequest<Note> {
    let request = Note.fetchRequest()
    request.predicate = format.map { NSPredicate(format: $0) }
    request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: ascending)]
    return request
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `new and changed objects are found as they are, deleted ones not`(kind: StoreKind) throws {
    try working(kind) { context throws in
      #expect(try context.fetch(request()).map(\.title) == ["a", "d", "e", "f", "z"])
      #expect(try context.fetch(request("title == 'b'")).isEmpty)
      #expect(try context.fetch(request("title == 'z'")).map(\.title) == ["z"])
      #expect(try context.fetch(request("title == 'c'")).isEmpty)
      #expect(try context.count(for: request()) == 5)
      #expect(try context.count(for: request("title > 'd'")) == 3)
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `a range is taken after the changes are merged (66)`(kind: StoreKind) throws {
    try working(kind, expectRanges)
  }

  @Test(arguments: StoreKind.with(.reopening))
  func `a range is taken after the changes are merged, in other stores too (66)`(
    store: StoreKind
  ) throws {
    try working(store.stack(), expectRanges)
  }

  private func expectRanges(_ context: NSManagedObjectContext) throws {
    let request = request(ascending: false)
    request.fetchLimit = 2
    #expect(try context.fetch(request).map(\.title) == ["z", "f"])
    request.fetchOffset = 1
    #expect(try context.fetch(request).map(\.title) == ["f", "e"])
    request.fetchOffset = 4
    #expect(try context.fetch(request).map(\.title) == ["a"])
    #expect(try context.count(for: request) == 1)
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `without pending changes the store's state is found`(kind: StoreKind) throws {
    try working(kind) { context throws in
      let request = request()
      request.includesPendingChanges = false
      #expect(try context.count(for: request) == 5)
      #expect(try context.fetch(request).count == 5)
      request.predicate = NSPredicate(format: "title == 'b'")
      #expect(try context.fetch(request).map(\.title) == ["z"])
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `identities follow the order of the values here`(kind: StoreKind) throws {
    try working(kind) { context throws in
      let request = NSFetchRequest<NSManagedObjectID>(entityName: "Note")
      request.resultType = .managedObjectIDResultType
      request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: false)]
      let ids = try context.fetch(request)
      #expect(ids.map { context.find($0).title } == ["z", "f", "e", "d", "a"])
      #expect(ids[1].isTemporaryID)
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest, .numberedKeys), ["self", "objectID"])
  func `an order by identity was forgotten with pending changes, and refused in memory`(
    kind: StoreKind,
    key: String
  ) throws {
    try NotesStack(kind).work { context in
      for title in ["c", "a", "b"] {
        context.note(title)
        try context.save()
      }
      let titles = { (ascending: Bool) throws -> [String] in
        let request = Note.fetchRequest()
        request.sortDescriptors = [NSSortDescriptor(key: key, ascending: ascending)]
        return try context.fetch(request).map { $0.title ?? "" }
      }
      #expect(try titles(true) == ["c", "a", "b"])
      #expect(try titles(false) == ["b", "a", "c"])
      context.note("y")
      context.note("x")
      let changed = try #require(try context.fetch(request("title == 'a'")).first)
      changed.title = "z"
      #expect(try titles(true) == ["c", "z", "b", "y", "x"])
      #expect(try titles(false) == ["x", "y", "b", "z", "c"])
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `a changed object went behind its equals`(kind: StoreKind) throws {
    try NotesStack(kind).work { context in
      for number in 0..<6 { context.note("\(number)").stars = Int16(number / 3) }
      try context.save()
      let request = Note.fetchRequest()
      request.sortDescriptors = [NSSortDescriptor(key: "stars", ascending: false)]
      let before = try context.fetch(request)
      before[0].text = "changed"
      before[4].text = "changed"
      #expect(try context.fetch(request) == before)
      context.note("new").stars = 1
      request.fetchLimit = 4
      #expect(try context.fetch(request).prefix(3) == before.prefix(3))
      #expect(try context.fetch(request).last?.title == "new")
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `the objects of a relationship are still no order`(kind: StoreKind) throws {
    try NotesStack(kind).work { context in
      for title in ["a", "b"] { context.note(title, in: context.folder(title)) }
      try context.save()
      let request = Note.fetchRequest()
      request.sortDescriptors = [NSSortDescriptor(key: "folder", ascending: true)]
      #expect(errorCode { try context.fetch(request) } == 134_091)
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `changes of other entities are left alone (68)`(kind: StoreKind) throws {
    try working(kind) { context throws in
      #expect(try context.fetch(Tag.fetchRequest()).isEmpty)
      let list = Checklist(context: context)
      list.title = "L"
      #expect(try context.fetch(Checklist.fetchRequest()) == [list])
      let plain = request()
      plain.includesSubentities = false
      #expect(try context.fetch(plain).map(\.title) == ["a", "d", "e", "f", "z"])
      #expect(try context.fetch(request()).map(\.title) == ["L", "a", "d", "e", "f", "z"])
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `a changed relationship is judged here`(kind: StoreKind) throws {
    try working(kind) { context throws in
      let folder = context.folder("F")
      for note in try context.fetch(request("title < 'e'")) { note.folder = folder }
      #expect(try context.fetch(request("folder.name == 'F'")).map(\.title) == ["a", "d"])
      #expect(try context.fetch(request("folder == nil")).map(\.title) == ["e", "f", "z"])
      try context.save()
      #expect(try context.fetch(request("folder.name == 'F'")).map(\.title) == ["a", "d"])
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest, .everyValue))
  func `a relative URL was another one than its absolute form until it was saved`(
    kind: StoreKind
  ) throws {
    let relative = try #require(URL(string: "blog", relativeTo: URL(string: "https://swift.org/")))
    try NotesStack(kind).work { context throws in
      context.note("a").link = relative
      for _ in 0..<2 {
        for link in [relative, relative.absoluteURL] {
          let request = request()
          request.predicate = NSPredicate(format: "link == %@", argumentArray: [link])
          #expect(try context.fetch(request).map(\.title) == ["a"])
          request.predicate = NSPredicate(format: "link IN %@", argumentArray: [[link]])
          #expect(try context.fetch(request).map(\.title) == ["a"])
        }
        try context.save()
      }
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest, .everyValue))
  func `a number that is none was nil in databases, and a number elsewhere and to who saved it`(
    kind: StoreKind
  ) throws {
    try NotesStack(kind).work { context throws in
      let none = context.note("a")
      none.rating = .nan
      none.price = .notANumber
      context.note("b").price = NSDecimalNumber(value: 10)
      try context.save()
      #expect(none.value(forKey: "rating") == nil && none.price == nil)
      none.rating = 1
      try context.save()
      none.rating = .nan
      try context.save()
      #expect(none.value(forKey: "rating") == nil)
      for format in ["rating == nil", "price == nil", "NOT rating >= 0", "NOT price > 5"] {
        #expect(try context.fetch(request(format)).map(\.title) == ["a"], "\(format)")
      }
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `what was saved is found by other contexts, in the same order`(kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    try stack.work { context throws in
      for number in 1...20 { context.note("\(number)").stars = Int16(number % 3) }
      let request = Note.fetchRequest()
      request.sortDescriptors = [
        NSSortDescriptor(key: "stars", ascending: false),
        NSSortDescriptor(key: "title", ascending: true),
      ]
      let before = try context.fetch(request).map(\.title)
      try context.save()
      #expect(try context.fetch(request).map(\.title) == before)
      try stack.work { other throws in #expect(try other.fetch(request).map(\.title) == before) }
    }
  }
}
