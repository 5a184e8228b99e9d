import CoreData
import TestSupport
import Testing

@Suite struct ManagedObjectSnapshotTests {
  private static let day = Date(timeIntervalSinceReferenceDate: 700_000_000)
  private static let uuid = UUID()

  @Test(arguments: StoreKind.with(.everyRequest))
  func `a snapshot crosses to another actor with typed values`(kind: StoreKind) async throws {
    let stack = try NotesStack(kind)
    let context = stack.context()
    let snapshot = try context.performAndWait {
      let note = Self.fullNote(in: context)
      try context.save()
      return note.snapshot()
    }
    await Task.detached {
      #expect(snapshot.entityName == "Note")
      #expect(!snapshot.objectID.isTemporaryID)
      #expect(snapshot[\.title] == "1")
      #expect(snapshot[\.stars] == 4)
      #expect(snapshot[\.rating] == 2.5)
      #expect(snapshot[\.isFavourite])
      #expect(snapshot[\.created] == Self.day)
      #expect(snapshot[\.uuid] == Self.uuid)
      #expect(snapshot[\.link] == URL(string: "https://example.org/1"))
      #expect(snapshot[\.image] == Data([1, 2]))
      #expect(snapshot[\.views] == 7)
      #expect(snapshot[\.price]?.decimalValue == 1.25)
      #expect(snapshot[\.keywords] as? [String] == ["a", "b"])
      #expect(snapshot[\.text] == nil)
      #expect(snapshot["title"] as? String == "1")
      #expect(snapshot["stars"] as? Int16 == 4)
      #expect(snapshot["price"] as? Decimal == 1.25)
      #expect(snapshot["keywords"] is Data)
      #expect(snapshot["nothing"] == nil)
    }.value
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `relationships are identities, those of collections if they are known`(
    kind: StoreKind
  ) throws {
    let stack = try NotesStack(kind)
    let id = try stack.saved { context in
      let note = context.note("1", in: context.folder("F"))
      note.addToTags(context.tag("T"))
      note.folder?.addToPinned(note)
      return note
    }
    try stack.work { context in
      let note = context.find(id)
      let before = note.snapshot()
      #expect(before[\.folder] == note.folder?.objectID)
      #expect(before[\.tags] == nil)
      #expect(note.hasFault(forRelationshipNamed: "tags"))
      let tags = note.tags as? Set<Tag> ?? []
      #expect(note.snapshot()[\.tags] == Set(tags.map(\.objectID)))
      let folder = try #require(note.folder)
      _ = folder.pinned
      #expect(folder.snapshot()[\.pinned] == [id])
      #expect(note.snapshot()[\.covers] == nil)
    }
  }

  @Test func `a snapshot stays as it was`() throws {
    try NotesStack().work { context in
      let note = context.note("1")
      let snapshot = note.snapshot()
      note.title = "2"
      context.delete(note)
      #expect(snapshot[\.title] == "1")
      #expect(snapshot[\.rating] == 0)
      #expect(!snapshot[\.isFavourite])
    }
  }

  private static func fullNote(in context: NSManagedObjectContext) -> Note {
    let note = context.note("1")
    note.stars = 4
    note.rating = 2.5
    note.isFavourite = true
    note.created = day
    note.uuid = uuid
    note.link = URL(string: "https://example.org/1")
    note.image = Data([1, 2])
    note.views = 7
    note.price = NSDecimalNumber(string: "1.25")
    note.keywords = ["a", "b"] as NSArray
    return note
  }
}
