import TestSupport
import Testing

@testable import CoreData

/// Sections remembered from one run to the next.
@Suite struct SectionCacheTests {
  private func controller(
    _ context: NSManagedObjectContext,
    _ keys: [String] = ["stars", "title"]
  ) -> NSFetchedResultsController<Note> {
    let request = NSFetchRequest<Note>(entityName: "Note")
    request.sortDescriptors = keys.map { NSSortDescriptor(key: $0, ascending: true) }
    return NSFetchedResultsController(
      fetchRequest: request,
      managedObjectContext: context,
      sectionNameKeyPath: "stars",
      cacheName: "Shelf/1"
    )
  }

  private func withFolder(_ body: (URL) throws -> Void) rethrows {
    let folder = TestSupport.TemporaryFolder.file("Sections")
    try SectionCache.$otherFolder.withValue(folder) { try body(folder) }
  }

  private func fill(_ context: NSManagedObjectContext) throws {
    for index in 0..<12 { context.note("N\(10 + index)").stars = Int16(index / 4) }
    try context.save()
  }

  @Test func `a second program asks two objects of each section`() throws {
    let stack = try NotesStack(.sqlite)
    try withFolder { folder in
      try stack.work { context in
        try fill(context)
        try controller(context).performFetch()
      }
      #expect(FileManager.default.fileExists(atPath: folder.path + "/Shelf%2F1.json"))
      try stack.work { context in
        let controller = controller(context)
        try controller.performFetch()
        #expect(controller.sections?.map(\.name) == ["0", "1", "2"])
        #expect(controller.sections?.map(\.numberOfObjects) == [4, 4, 4])
        #expect(controller.fetchedObjects?.filter { !$0.isFault }.count == 6)
      }
    }
  }

  @Test func `a changed store, order or predicate makes the memory useless`() throws {
    let stack = try NotesStack(.sqlite)
    try withFolder { _ in
      try stack.work { context in
        try fill(context)
        try controller(context).performFetch()
      }
      try stack.work { context in
        let note = try #require(try context.fetch(Note.fetchRequest()).first { $0.title == "N10" })
        note.stars = 5
        try context.save()
      }
      try stack.work { context in
        let controller = controller(context)
        try controller.performFetch()
        #expect(controller.sections?.map(\.name) == ["0", "1", "2", "5"])
        #expect(controller.sections?.map(\.numberOfObjects) == [3, 4, 4, 1])
        controller.fetchRequest.predicate = NSPredicate(format: "stars > 1")
        try controller.performFetch()
        #expect(controller.sections?.map(\.name) == ["2", "5"])
      }
    }
  }

  @Test func `a memory that lies is not believed`() throws {
    let stack = try NotesStack(.sqlite)
    try withFolder { _ in
      try stack.work { context in
        try fill(context)
        let controller = controller(context)
        let rule = ResultsRule(
          controller.fetchRequest.retyped(NSManagedObject.self),
          of: context.layout(for: controller.fetchRequest),
          .keyPath("stars")
        )
        let fingerprint = try #require(SectionCache.fingerprint(of: rule, in: context))
        for lie in [
          [("0", 5), ("1", 3), ("2", 4)], [("0", 12)], [("0", 4), ("9", 8)], [("0", 3)],
        ] {
          SectionCache(named: "Shelf/1").keep(
            lie.map { KnownSection(name: $0, count: $1) },
            for: fingerprint
          )
          try controller.performFetch()
          #expect(controller.sections?.map(\.name) == ["0", "1", "2"])
          #expect(controller.sections?.map(\.numberOfObjects) == [4, 4, 4])
        }
      }
    }
  }

  @Test(arguments: [StoreKind.memory, .sqliteInMemory])
  func `sections of a store without a file were believed where the order mixes them`(
    kind: StoreKind
  ) throws {
    let stack = try NotesStack(kind)
    try withFolder { _ in
      try stack.work { context in
        try fill(context)
        try controller(context, ["title"]).performFetch()
      }
      try stack.work { context in
        let note = try #require(try context.fetch(Note.fetchRequest()).first { $0.title == "N11" })
        note.stars = 1
        try context.save()
      }
      try stack.work { context in
        let controller = controller(context, ["title"])
        #expect(errorCode { try controller.performFetch() } == 134_060)
      }
    }
  }

  @Test func `sections of a child were believed while its parent had other values`() throws {
    let stack = try NotesStack(.sqlite)
    try withFolder { _ in
      try stack.work { context in
        try fill(context)
        let child = NSManagedObjectContext(.privateQueue)
        child.parent = context
        try child.performAndWait { try controller(child, ["title"]).performFetch() }
        let note = try #require(try context.fetch(Note.fetchRequest()).first { $0.title == "N11" })
        note.stars = 1
        let other = NSManagedObjectContext(.privateQueue)
        other.parent = context
        let mixed = controller(other, ["title"])
        other.performAndWait {
          #expect(errorCode { try mixed.performFetch() } == 134_060)
        }
      }
    }
  }

  @Test func `sections of an earlier moment were believed to be those of now`() throws {
    let stack = try NotesStack(.sqlite)
    try withFolder { _ in
      try stack.work { context in
        try fill(context)
        context.reset()
        try context.setQueryGenerationFrom(.current)
        #expect(try context.count(for: Note.fetchRequest()) == 12)
        try stack.work { other in
          let note = try #require(try other.fetch(Note.fetchRequest()).first { $0.title == "N11" })
          note.stars = 1
          try other.save()
        }
        try controller(context, ["title"]).performFetch()
      }
      try stack.work { context in
        let mixed = controller(context, ["title"])
        #expect(errorCode { try mixed.performFetch() } == 134_060)
      }
    }
  }

  @Test func `a cache is deleted by name, or with all others`() throws {
    let stack = try NotesStack(.sqlite)
    try withFolder { folder in
      try stack.work { context in
        try fill(context)
        let file = folder.path + "/Shelf%2F1.json"
        try controller(context).performFetch()
        NSFetchedResultsController<Note>.deleteCache(withName: "Other")
        #expect(FileManager.default.fileExists(atPath: file))
        NSFetchedResultsController<Note>.deleteCache(withName: "Shelf/1")
        #expect(!FileManager.default.fileExists(atPath: file))
        try controller(context).performFetch()
        NSFetchedResultsController<Note>.deleteCache(withName: nil)
        #expect(!FileManager.default.fileExists(atPath: file))
      }
    }
  }
}
