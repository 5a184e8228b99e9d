import CoreData
import RichText
import SlipboxLibrary
import Testing

/// The document's predicates, on a store in memory and on a file.
struct NoteFetchTests {
  /// Three notes, a folder and two keywords.
  private struct World {
    let context: NSManagedObjectContext
    let hello: Note
    let world: Note
    let plain: Note
    let folder: Folder
    let red: Keyword
    let blue: Keyword

    init(_ context: NSManagedObjectContext) {
      self.context = context
      hello = Note(title: "Hello and World", context: context)
      world = Note(title: "test more world", context: context)
      plain = Note(title: "Dümmy", context: context)
      folder = Folder(name: "folder", context: context)
      red = Keyword(name: "red", context: context)
      blue = Keyword(name: "blue", context: context)
    }

    func titles(_ predicate: NSPredicate) throws -> Set<String> {
      Set(try context.fetch(Note.fetch(predicate)).map(\.title))
    }
  }

  /// Runs a test in memory and on a file, before and after saving.
  private func everywhere(_ test: (World) throws -> Void, prepare: (World) -> Void) throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("slipbox-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    for controller in [.createEmpty(), try PersistenceController(folder: folder)] {
      let context = controller.container.newBackgroundContext()
      try context.performAndWait {
        let world = World(context)
        prepare(world)
        try test(world)
        try context.save()
        try test(world)
      }
    }
  }

  @Test func `a word is found in a title, whatever its case and accents`() throws {
    try everywhere { world throws in
      let predicate = NSPredicate(format: "%K CONTAINS[cd] %@", NoteProperties.title, "dum")
      #expect(try world.titles(predicate) == ["Dümmy"])
    } prepare: { _ in
    }
  }

  @Test func `a word is found in the title or in the text`() throws {
    try everywhere { world throws in
      let predicates = [NoteProperties.title, NoteProperties.bodyText].map {
        NSPredicate(format: "%K CONTAINS[cd] %@", $0, "Hello")
      }
      let either = NSCompoundPredicate(orPredicateWithSubpredicates: predicates)
      #expect(try world.titles(either) == ["Hello and World", "Dümmy"])
    } prepare: { world in
      world.plain.formattedBodyText = .init(plainText: "It says HELLO.")
    }
  }

  @Test func `all words have to be in the title`() throws {
    try everywhere { world throws in
      let predicates = ["Hello", "World", "and"].map {
        NSPredicate(format: "%K CONTAINS[cd] %@", NoteProperties.title, $0)
      }
      let all = NSCompoundPredicate(andPredicateWithSubpredicates: predicates)
      #expect(try world.titles(all) == ["Hello and World"])
    } prepare: { _ in
    }
  }

  @Test func `notes are found by their status`() throws {
    try everywhere { world throws in
      let predicate = NSPredicate(
        format: "%K == %@",
        NoteProperties.status,
        Status.archived.rawValue
      )
      #expect(try world.titles(predicate) == ["test more world"])
    } prepare: { world in
      world.world.status = .archived
    }
  }

  @Test func `favourites are found`() throws {
    try everywhere { world throws in
      #expect(try world.titles(NSPredicate(format: "isFavorite == true")) == ["test more world"])
    } prepare: { world in
      world.world.isFavorite = true
    }
  }

  @Test func `notes of the last seven days are found`() throws {
    let beginning = try #require(Calendar.current.date(byAdding: .day, value: -7, to: Date()))
    try everywhere { world throws in
      let predicate = NSPredicate(
        format: "%K > %@",
        NoteProperties.creationDate,
        beginning as NSDate
      )
      #expect(try world.titles(predicate) == ["Hello and World", "Dümmy"])
    } prepare: { world in
      world.hello.creationDate = Date() - 2 * 86_400
      world.world.creationDate = Date() - 9 * 86_400
    }
  }

  @Test func `a folder's notes are found, all or those of a status`() throws {
    try everywhere { world throws in
      let predicate = NSPredicate(format: "%K == %@", NoteProperties.folder, world.folder)
      #expect(try world.titles(predicate) == ["Hello and World", "Dümmy"])
      let found = try world.context.fetch(Note.fetch(for: world.folder))
      #expect(Set(found) == [world.hello, world.plain])
      let review = try world.context.fetch(Note.fetch(for: world.folder, status: .review))
      #expect(review == [world.plain])
    } prepare: { world in
      world.folder.notes.insert(world.hello)
      world.plain.folder = world.folder
      world.plain.status = .review
      world.world.status = .review
    }
  }

  @Test func `notes are found by keyword, by any of some, and by none of them`() throws {
    try everywhere { world throws in
      let one = NSPredicate(format: "%K CONTAINS %@", NoteProperties.keywords, world.red)
      #expect(try world.titles(one) == ["Hello and World"])
      let keywords = [world.red, world.blue]
      let any = NSPredicate(format: "ANY %K IN %@", NoteProperties.keywords, keywords)
      #expect(try world.titles(any) == ["Hello and World", "test more world"])
      let none = NSPredicate(format: "NOT (ANY %K IN %@)", NoteProperties.keywords, keywords)
      #expect(try world.titles(none) == ["Dümmy"])
    } prepare: { world in
      world.hello.keywords = [world.red, world.blue]
      world.world.keywords = [world.blue]
    }
  }

  @Test func `notes without keywords are found`() throws {
    try everywhere { world throws in
      #expect(try world.titles(NSPredicate(format: "keywords_.@count == 0")) == ["Dümmy"])
    } prepare: { world in
      world.hello.keywords = [world.red]
      world.world.keywords = [world.blue]
    }
  }

  @Test func `notes with an attachment are found`() throws {
    try everywhere { world throws in
      let predicate = NSPredicate(format: "%K != nil", NoteProperties.attachment)
      #expect(try world.titles(predicate) == ["Dümmy"])
    } prepare: { world in
      world.plain.attachment = Attachment(image: Data([1]), context: world.context)
    }
  }
}
