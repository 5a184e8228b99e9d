import CoreData
import Foundation
import ManagedAuthors
import Testing

/// Classes as Xcode writes them, whose properties carry `@NSManaged`.
struct ManagedPropertyTests {
  @Test func `a key path to a property that is not optional stopped the program`() throws {
    try WrittenLibrary().note { _ in
    } thenReading: { _ in
      let keys = [
        NSSortDescriptor(keyPath: \Note.updated, ascending: true),
        NSSortDescriptor(keyPath: \Note.text, ascending: true),
        NSSortDescriptor(keyPath: \Note.cost, ascending: true),
        NSSortDescriptor(keyPath: \Note.created, ascending: true),
        NSSortDescriptor(keyPath: \Note.status, ascending: true),
      ].map(\.key)
      #expect(keys == ["updated", "text", "cost", "created", "status"])
    }
  }

  @Test func `a scalar comes back as it was set`() throws {
    try WrittenLibrary().note { note in
      note.isPinned = true
      note.stars = -3
      (note.words, note.bytes, note.place) = (70_000, 1 << 40, .max)
      (note.ratio, note.weight) = (0.1, 1.5)
      note.seen = 86_400.5
      note.stars += 1
    } thenReading: { note in
      #expect(note.isPinned)
      #expect(note.stars == -2)
      #expect((note.words, note.bytes, note.place) == (70_000, 1 << 40, .max))
      #expect((note.ratio, note.weight) == (0.1, 1.5))
      #expect(note.seen == 86_400.5)
      #expect(note.value(forKey: "seen") as? Date == Date(timeIntervalSinceReferenceDate: 86_400.5))
    }
  }

  @Test func `an object comes back as it was set`() throws {
    let moment = Date(timeIntervalSinceReferenceDate: 12_345)
    try WrittenLibrary().note { note in
      (note.title, note.text, note.default) = ("Title", "Text", "plain")
      (note.boxed, note.price, note.cost) = (7, NSDecimalNumber(string: "12.50"), 3)
      (note.created, note.updated, note.printed) = (moment, moment + 1, (moment + 2) as NSDate)
      note.uuid = UUID(uuidString: "6F9619FF-8B86-D011-B42D-00C04FC964FF")
      note.link = URL(string: "https://example.org/a")
      note.picture = Data([1, 2, 3])
      note.colour = Colour(hue: 0.25)
      note.aliases = ["one", "two"]
    } thenReading: { note in
      #expect((note.title, note.text, note.default) == ("Title", "Text", "plain"))
      #expect(note.boxed == 7)
      #expect(note.price == NSDecimalNumber(string: "12.50"))
      #expect(note.cost == 3)
      #expect(note.created == moment)
      #expect(note.updated == moment + 1)
      #expect(note.printed == (moment + 2) as NSDate)
      #expect(note.uuid?.uuidString == "6F9619FF-8B86-D011-B42D-00C04FC964FF")
      #expect(note.link?.absoluteString == "https://example.org/a")
      #expect(note.picture == Data([1, 2, 3]))
      #expect(note.colour?.hue == 0.25)
      #expect(note.aliases == ["one", "two"])
    }
  }

  @Test func `an enumeration is kept by its raw value`() throws {
    try WrittenLibrary().note { note in
      note.status = .archived
      note.mood = .curious
      note.options = [.printed, .shared]
      note.genre = .letter
    } thenReading: { note in
      #expect(note.status == .archived)
      #expect(note.mood == .curious)
      #expect(note.options == [.printed, .shared])
      #expect(note.genre == .letter)
      #expect(note.value(forKey: "status") as? Int16 == 2)
      #expect(note.value(forKey: "mood") as? String == "curious")
      #expect(note.value(forKey: "options") as? Int32 == 3)
    }
  }

  @Test func `what is nil reads as nil, or as the empty value of a type that is not optional`()
    throws
  {
    try WrittenLibrary().change { context in
      let note = Note(context: context)
      #expect(note.title == nil)
      #expect(note.created == nil)
      #expect(note.mood == nil)
      #expect(note.aliases.isEmpty)
      #expect(note.cost == 0)
      #expect(note.seen == 0)
      #expect(note.pages?.count == 0)
      #expect(note.tags?.count == 0)
      note.setValue(nil, forKey: "text")
      #expect(note.text.isEmpty)
      note.text = "text"
    }
  }

  @Test func `relationships agree on both sides`() throws {
    try WrittenLibrary().change { context in
      let (note, other) = (Note(context: context), Note(context: context))
      let folder = Folder(context: context)
      note.folder = folder
      #expect(folder.notes == [note])
      folder.notes.insert(other)
      #expect(other.folder === folder)
      folder.notes = []
      #expect(note.folder == nil)

      let tag = Labels.Tag(context: context)
      tag.notes = [note]
      #expect(note.tags == NSSet(object: tag))
    }
  }

  @Test func `an object of another module's class is related`() throws {
    try WrittenLibrary().note { note in
      let author = Author(context: try #require(note.managedObjectContext))
      author.name = "A. Writer"
      author.nickname = "Quill"
      author.publish()
      author.publish()
      note.author = author
    } thenReading: { note in
      #expect(note.author?.name == "A. Writer")
      #expect(note.author?.nickname == "Quill")
      #expect(note.author?.books == 2)
    }
  }

  @Test func `methods of a to-many relationship add, remove, insert and replace`() throws {
    try WrittenLibrary().change { context in
      let note = Note(context: context)
      let tags = (0..<3).map { _ in Labels.Tag(context: context) }
      note.addToTags(tags[0])
      note.addToTags(NSSet(array: [tags[1], tags[2]]))
      #expect(note.tags == NSSet(array: tags))
      note.removeFromTags([tags[0], tags[1]])
      note.removeFromTags(tags[2])
      #expect(note.tags?.count == 0)

      let pages = (0..<5).map { _ in Page(context: context) }
      note.addToPages(pages[0])
      note.addToPages(NSOrderedSet(array: [pages[2]]))
      note.insertIntoPages(pages[1], at: 1)
      #expect(note.pages?.array as? [Page] == Array(pages[0...2]))
      note.insertIntoPages(
        [pages[3], pages[4]],
        at: NSIndexSet(indexesIn: NSRange(location: 0, length: 2))
      )
      note.removeFromPages(at: 2)
      #expect(note.pages?.array as? [Page] == [pages[3], pages[4], pages[1], pages[2]])
      note.removeFromPages(at: NSIndexSet(index: 0))
      note.replacePages(at: 0, with: pages[0])
      note.replacePages(at: NSIndexSet(index: 1), with: [pages[3]])
      #expect(note.pages?.array as? [Page] == [pages[0], pages[3], pages[2]])
      note.removeFromPages(pages[0])
      note.removeFromPages(NSOrderedSet(array: [pages[3]]))
      #expect(note.pages?.array as? [Page] == [pages[2]])
    }
  }
}

// MARK: - What Swift makes of them

extension ManagedPropertyTests {
  @Test func `key paths read, write, sort and find`() throws {
    let library = try WrittenLibrary()
    try library.change { context in
      for stars in [2, 3, 1] as [Int16] {
        let note = Note(context: context)
        note[keyPath: \.stars] = stars
        note[keyPath: \.title] = "\(stars)"
      }
    }
    try library.change { context in
      let request = Note.fetchRequest()
      request.sortDescriptors = [NSSortDescriptor(keyPath: \Note.stars, ascending: true)]
      let titles = try context.fetch(request).map(\.title)
      #expect(titles == ["1", "2", "3"])
      request.predicate = NSPredicate(format: "%K > %@", "stars", 1 as NSNumber)
      let stars = try context.fetch(request).map(\.stars)
      #expect(stars == [2, 3])
    }
  }

  @Test func `a subclass overrides a managed property and calls it`() throws {
    try WrittenLibrary().change { context in
      let list = Checklist(context: context)
      let note: Note = list
      note.title = "Shopping"
      list.isDone = true
      #expect(note.title == "☐ Shopping")
      #expect(note.value(forKey: "title") as? String == "Shopping")
      #expect(list.value(forKey: "isDone") as? Bool == true)
    }
  }

  @Test func `a primitive accessor reads and sets the stored value`() throws {
    try WrittenLibrary().change { context in
      let note = Note(context: context)
      #expect(note.uuid?.uuidString == "2B1D3C6E-8F24-4B7B-9B0A-5A3E6D1C0F11")
      #expect(note.heading == "Untitled")
      note.heading = "Heading"
      #expect(note.title == "Heading")
      #expect(note.changedValues()["title"] as? String == "Heading")
      #if DEBUG
      #expect(note.primitiveStars == 0)
      #endif
    }
  }

  @Test func `a property that is private to its file is managed`() throws {
    try WrittenLibrary().note {
      $0.whisper("psst")
    } thenReading: { note in
      #expect(note.whispered == "psst")
      #expect(note.value(forKey: "secret") as? String == "psst")
    }
  }

  @Test func `a fetched property is an array`() throws {
    let library = try WrittenLibrary()
    try library.change { context in
      let folder = Folder(context: context)
      for stars in [0, 5] as [Int16] {
        let note = Note(context: context)
        (note.stars, note.folder) = (stars, folder)
      }
    }
    try library.change { context in
      let folder = try #require(
        try context.fetch(NSFetchRequest<Folder>(entityName: "Folder")).first
      )
      #expect(folder.starred.map(\.stars) == [5])
    }
  }

  @Test func `a date that must be there and is not stops the program with a remedy`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try WrittenLibrary().change { _ = Note(context: $0).updated }
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("Note.updated is nil, but it is declared as Date; declare it as Date?"))
  }

  @Test func `a raw value of no case stops the program with a remedy`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try WrittenLibrary().change { context in
        let note = Note(context: context)
        note.setValue(9, forKey: "status")
        _ = note.status
      }
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(
      text.contains("Note.status holds 9, which is no value of Status; declare it as Status?")
    )
  }
}
