import CoreData
import Foundation
import Testing

/// From a model in Xcode's format, through the plugin and the compiler, to objects in a store.
struct GeneratedClassTests {
  @Test func `the current version of the model is the one compiled`() throws {
    let library = try Library()
    let names = library.container.managedObjectModel.entities.compactMap(\.name).sorted()
    #expect(names == ["Checklist", "Folder", "Item", "Note", "Page", "Specimen", "Tag"])
  }

  @Test func `a mapping model was not among the resources of the program`() throws {
    let file = try #require(Bundle.module.url(forResource: "Library 1-2", withExtension: "cdm"))
    let mapping = try #require(NSMappingModel(contentsOf: file))
    let library = try Library()
    let hashes = library.container.managedObjectModel.entityVersionHashesByName
    let note = try #require(mapping.entityMappingsByName["NoteToNote"])
    #expect(note.destinationEntityVersionHash == hashes["Note"])
    #expect(note.sourceEntityVersionHash != nil && mapping.entityMappings.count == 7)
    let folder = try #require(Bundle.module.url(forResource: "Library", withExtension: "momd"))
    let old = try #require(
      NSManagedObjectModel(contentsOf: folder.appending(component: "Library.mom"))
    )
    let found = NSMappingModel(
      from: [Bundle.module],
      forSourceModel: old,
      destinationModel: library.container.managedObjectModel
    )
    #expect(found?.entityMappings.map(\.name) == mapping.entityMappings.map(\.name))
  }

  @Test func `every type of attribute comes back as it was set`() throws {
    let library = try Library()
    try library.change { Specimen(context: $0).fill() }
    try library.read { context in
      let specimen = try #require(try context.fetch(Specimen.fetchRequest()).first)
      specimen.expectFilled()
    }
  }

  @Test func `scalars begin with the model's defaults, objects with nil`() throws {
    let library = try Library()
    try library.change { context in
      let specimen = Specimen(context: context)
      #expect(specimen.int16 == 0)
      #expect(!specimen.bool)
      #expect(specimen.moment == 0)
      #expect(specimen.boolNumber == nil)
      #expect(specimen.decimal == nil)
    }
  }

  @Test func `both sides of a relationship agree, whichever is set`() throws {
    let library = try Library()
    try library.change { context in
      let folder = Folder(context: context)
      let first = Note(context: context, title: "first")
      let second = Note(context: context, title: "second")
      first.folder = folder
      folder.addToNotes(second)
      #expect(folder.titles == ["first", "second"])
      #expect(second.folder === folder)
      folder.removeFromNotes(first)
      #expect(first.folder == nil)
    }
    try library.read { context in
      let folder = try #require(try context.fetch(Folder.fetchRequest()).first)
      #expect(folder.titles == ["second"])
    }
  }

  @Test func `a relationship of a new model had members without a class`() throws {
    let library = try Library(model: "Letters")
    try library.change { context in
      let letter = { (title: String) in
        let letter = Letter(context: context)
        letter.title = title
        return letter
      }
      let author = Author(context: context)
      #expect(author.letters.isEmpty)
      author.letters = [letter("first"), letter("second")]
      let third = letter("third")
      author.letters.insert(third)
      #expect(third.author === author)
      author.addToLetters(letter("fourth"))
      author.removeFromLetters([third])
      #expect(third.author == nil)
    }
    try library.read { context in
      let author = try #require(try context.fetch(Author.fetchRequest()).first)
      #expect(author.letters.compactMap(\.title).sorted() == ["first", "fourth", "second"])
      let shape = ObjectShape(of: Author.self, \.name)
        .following(\Author.letters, as: ObjectShape(of: Letter.self, \.title, \.author?.name))
      let json = try JSONEncoder().encode(try author.values(as: shape))
      let object = try #require(try JSONSerialization.jsonObject(with: json) as? [String: Any])
      #expect((object["letters"] as? [[String: Any]])?.count == 3)
    }
  }

  @Test func `many are added and removed at once`() throws {
    let library = try Library()
    try library.change { context in
      let note = Note(context: context, title: "note")
      let tags = ["urgent", "later"].map { Tag(context: context, name: $0) }
      note.addToTags(NSSet(array: tags))
      #expect(note.tags == NSSet(array: tags))
      #expect(tags[0].notes == NSSet(object: note))
      note.removeFromTags(NSSet(array: tags))
      #expect(note.tags?.count == 0)
    }
  }

  @Test func `an ordered relationship keeps the order that accessors made`() throws {
    let library = try Library()
    try library.change { context in
      let note = Note(context: context, title: "note")
      let pages = (0..<6).map { Page(context: context, text: "\($0)") }
      note.addToPages(pages[1])
      note.insertIntoPages(pages[0], at: 0)
      note.addToPages(NSOrderedSet(array: [pages[2], pages[3]]))
      #expect(note.text == "0123")
      note.replacePages(at: 3, with: pages[4])
      note.insertIntoPages([pages[3], pages[5]], at: NSIndexSet(indexesIn: NSRange(0..<2)))
      #expect(note.text == "350124")
      note.removeFromPages(at: 0)
      note.removeFromPages(pages[0])
      #expect(note.text == "5124")
    }
    try library.read { context in
      let note = try #require(try context.fetch(Note.fetchRequest()).first)
      #expect(note.text == "5124")
    }
  }

  @Test func `a fetch for a class finds its subclasses too`() throws {
    let library = try Library()
    try library.change { context in
      _ = Note(context: context, title: "note")
      let list = Checklist(context: context)
      (list.title, list.isDone, list.`default`) = ("list", true, "kept")
    }
    try library.read { context in
      let notes: [Note] = try context.fetch(Note.fetchRequest())
      #expect(notes.compactMap(\.title).sorted() == ["list", "note"])
      let request: NSFetchRequest<Checklist> = Checklist.fetchRequest()
      let list = try #require(try context.fetch(request).first)
      #expect(list.isDone)
      #expect(list.`default` == "kept")
    }
  }

  @Test func `a class of the developer awakes, with generated properties`() throws {
    let library = try Library()
    try library.change { #expect(Folder(context: $0).name == "Untitled") }
  }

  @Test func `a fetched property finds what its request asks for`() throws {
    let library = try Library()
    try library.change { context in
      let folder = Folder(context: context)
      for (title, stars) in [("plain", 0), ("fine", 3)] {
        let note = Note(context: context, title: title)
        (note.folder, note.stars) = (folder, Int16(stars))
      }
    }
    try library.read { context in
      let folder = try #require(try context.fetch(Folder.fetchRequest()).first)
      #expect(folder.starred.map(\.title) == ["fine"])
    }
  }

  @Test func `an attribute called id is the object's identity`() throws {
    let library = try Library()
    try library.change { context in
      let id = UUID()
      let note = Note(context: context, title: "note")
      note.id = id
      func identity(of value: some Identifiable<UUID?>) -> UUID? { value.id }
      #expect(identity(of: note) == id)
    }
  }

  @Test func `generated properties and key-value coding see the same value`() throws {
    let library = try Library()
    try library.change { context in
      let note = Note(context: context, title: "note")
      #expect(note.value(forKey: "title") as? String == "note")
      note.setValue("other", forKey: "title")
      #expect(note.title == "other")
    }
  }
}

// MARK: - Short ways to make objects

extension Note {
  fileprivate convenience init(context: NSManagedObjectContext, title: String) {
    self.init(context: context)
    self.title = title
  }

  fileprivate var text: String {
    (pages?.array as? [Page] ?? []).compactMap(\.text).joined()
  }
}

extension Page {
  fileprivate convenience init(context: NSManagedObjectContext, text: String) {
    self.init(context: context)
    self.text = text
  }
}

extension Tag {
  fileprivate convenience init(context: NSManagedObjectContext, name: String) {
    self.init(context: context)
    self.name = name
  }
}

extension Specimen {
  private static let sampleID = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))

  fileprivate func fill() {
    (bool, boolNumber) = (true, true)
    (int16, int32, int64, int64Number) = (.min, .max, .min, NSNumber(value: Int64.max))
    (float, double, doubleNumber) = (0.5, 0.1, NSNumber(value: 1e300))
    decimal = NSDecimalNumber(string: "1234567890.0625")
    (date, moment) = (Date(timeIntervalSinceReferenceDate: 1.5), 86_400)
    (string, data) = ("größer", Data([0, 255, 7]))
    (uuid, link) = (Self.sampleID, URL(string: "https://example.org/notes?id=1"))
    (words, scratch) = (["one", "two"] as NSArray, NSString("not stored"))
  }

  fileprivate func expectFilled() {
    #expect(bool && boolNumber == true)
    #expect(int16 == .min && int32 == .max && int64 == .min)
    #expect(int64Number?.int64Value == .max)
    #expect(float == 0.5 && double == 0.1 && doubleNumber?.doubleValue == 1e300)
    #expect(decimal?.stringValue == "1234567890.0625")
    #expect(date == Date(timeIntervalSinceReferenceDate: 1.5) && moment == 86_400)
    #expect(string == "größer" && data == Data([0, 255, 7]))
    #expect(uuid == Self.sampleID && link?.absoluteString == "https://example.org/notes?id=1")
    #expect(words == ["one", "two"] as NSArray)
    #expect(scratch == nil)
  }
}
