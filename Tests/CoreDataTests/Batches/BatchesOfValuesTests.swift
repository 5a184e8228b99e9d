import CoreData
import TestSupport
import Testing

@Suite struct BatchesOfValuesTests {
  private enum Stars: Int16, Codable { case none, one, two }

  private struct Draft: Codable {
    var title: String
    var stars: Stars?
    var created: Date?
    var uuid: UUID?
    var price: Decimal?
    var link: URL?
    var rating: Double?
    var views: Int8?
    var folder: URL?
  }

  private let stack: NotesStack

  init() throws { stack = try NotesStack(.sqlite) }

  private func insert(_ values: some Sequence<some Encodable>) throws -> Int? {
    try stack.work { context in
      let request = NSBatchInsertRequest(entityName: "Note", values: values)
      request.resultType = .count
      return (try context.execute(request) as? NSBatchInsertResult)?.result as? Int
    }
  }

  private func message(_ values: some Sequence<some Encodable>) -> String? {
    do {
      _ = try insert(values)
      return nil
    } catch {
      return "\((error as NSError).code) \(error.localizedDescription)"
    }
  }

  @Test func `each value becomes a row, of its own types`() throws {
    let folder = try stack.saved { $0.folder("Shelf") }
    let date = Date(timeIntervalSinceReferenceDate: 700_000_000)
    let uuid = UUID()
    let full = Draft(
      title: "Full",
      stars: .two,
      created: date,
      uuid: uuid,
      price: 1.25,
      link: URL(string: "https://a.b/c"),
      rating: 0.5,
      views: 7,
      folder: folder.uriRepresentation()
    )
    #expect(try insert([full, Draft(title: "Bare")]) == 2)
    try stack.work { context in
      let notes = try context.fetch(Note.fetchRequest()).sorted {
        ($0.title ?? "") < ($1.title ?? "")
      }
      #expect(notes.map(\.title) == ["Bare", "Full"])
      #expect(notes[0].folder == nil && notes[0].stars == 0 && notes[0].created == nil)
      let note = notes[1]
      #expect(note.stars == 2 && note.created == date && note.uuid == uuid && note.rating == 0.5)
      #expect(note.price == 1.25 && note.link == URL(string: "https://a.b/c") && note.views == 7)
      #expect(note.folder?.objectID == folder)
    }
  }

  @Test func `a lazy sequence of values is encoded row by row`() throws {
    #expect(try insert((0..<5_000).lazy.map { Draft(title: "Note \($0)") }) == 5_000)
    #expect(try stack.work { try $0.count(for: Note.fetchRequest()) } == 5_000)
  }

  @Test func `a request of values may be executed twice`() throws {
    let request = NSBatchInsertRequest(entityName: "Note", values: [Draft(title: "Again")])
    try stack.work { context in
      try context.execute(request)
      try context.execute(request)
    }
    #expect(try stack.work { try $0.titles() } == ["Again", "Again"])
  }

  @Test func `a class with a superclass gives the properties of both`() throws {
    class Base: Encodable { var title = "Base" }
    final class Derived: Base {
      var stars = 3
      enum Keys: CodingKey { case stars }
      override func encode(to encoder: any Encoder) throws {
        try super.encode(to: encoder)
        var container = encoder.container(keyedBy: Keys.self)
        try container.encode(stars, forKey: .stars)
      }
    }
    #expect(try insert([Derived()]) == 1)
    #expect(try stack.work { try $0.fetch(Note.fetchRequest())[0].stars } == 3)
  }

  @Test func `what one value leaves out is not taken from the value before`() throws {
    let values = [
      Draft(title: "A", rating: 0.5), Draft(title: "B", stars: .two),
      Draft(title: "C", stars: .one, rating: 1.5), Draft(title: "D"),
      Draft(title: "E", stars: .two, rating: 2.5),
    ]
    #expect(try insert(values) == 5)
    let rows = try stack.work { context in
      try context.fetch(Note.fetchRequest()).map { "\($0.title ?? "") \($0.stars) \($0.rating)" }
    }
    #expect(rows.sorted() == ["A 0 0.5", "B 2 0.0", "C 1 1.5", "D 0 0.0", "E 2 2.5"])
  }

  @Test func `values of two types come in turn`() throws {
    struct Titled: Encodable { var title: String }
    struct Starred: Encodable { var stars: Int, title: String }
    enum Either: Encodable {
      case titled(Titled)
      case starred(Starred)

      func encode(to encoder: any Encoder) throws {
        switch self {
        case .titled(let value): try value.encode(to: encoder)
        case .starred(let value): try value.encode(to: encoder)
        }
      }
    }
    let values = (0..<6).map { number -> Either in
      number % 2 == 0
        ? .titled(Titled(title: "\(number)")) : .starred(Starred(stars: number, title: "\(number)"))
    }
    #expect(try insert(values) == 6)
    let rows = try stack.work { context in
      try context.fetch(Note.fetchRequest()).map { "\($0.title ?? "") \($0.stars)" }
    }
    #expect(rows.sorted() == ["0 0", "1 1", "2 0", "3 3", "4 0", "5 5"])
  }

  @Test func `what no row can take is told, and nothing is inserted`() throws {
    struct Unknown: Encodable { var title = "A", colour = "red" }
    struct Lists: Encodable { var title: [String] }
    struct Nested: Encodable { var title = Unknown() }
    let messages = [
      message([Lists(title: ["a"])]), message([Lists(title: [])]),
      message([Nested()]),
      message(["A"]), message([[1]]),
      message([Draft(title: "Good"), Draft(title: "Bad", folder: URL(string: "a:b"))]),
    ]
    #expect(message([Unknown()]) == "134060 “colour” is no property of Note.")
    for message in messages { #expect(message?.hasPrefix("1550 ") == true, "\(message ?? "nil")") }
    #expect(try stack.work { try $0.count(for: Note.fetchRequest()) } == 0)
  }

  @Test func `a relationship is found by the unique attribute of its destination`() throws {
    let stack = try NotesStack(model: Self.library, .sqlite)
    struct Line: Encodable { let title: String, author: String }
    try stack.work { context in
      for name in ["Austen", "Woolf"] {
        let author = NSEntityDescription.insertNewObject(forEntityName: "Author", into: context)
        author.setValue(name, forKey: "name")
      }
      try context.save()
      let lines = [("Emma", "Austen"), ("Orlando", "Woolf"), ("Persuasion", "Austen")]
      try context.execute(
        NSBatchInsertRequest(entityName: "Book", values: lines.map { Line(title: $0, author: $1) })
      )
      let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
      request.predicate = NSPredicate(format: "author.name == 'Austen'")
      #expect(try context.count(for: request) == 2)
      let error = #expect(throws: NSError.self) {
        try context.execute(
          NSBatchInsertRequest(
            entityName: "Book",
            values: [Line(title: "Ulysses", author: "Joyce")]
          )
        )
      }
      #expect(error?.localizedFailureReason?.contains("is the name of no Author") == true)
      request.predicate = nil
      #expect(try context.count(for: request) == 3)
    }
  }

  /// Books, and authors with names that are unique.
  private static let library: NSManagedObjectModel = {
    let name = NSAttributeDescription()
    name.name = "name"
    name.attributeType = .stringAttributeType
    let title = NSAttributeDescription()
    title.name = "title"
    title.attributeType = .stringAttributeType
    let author = NSEntityDescription()
    author.name = "Author"
    author.uniquenessConstraints = [["name"]]
    let book = NSEntityDescription()
    book.name = "Book"
    let by = NSRelationshipDescription()
    by.name = "author"
    by.destinationEntity = author
    by.maxCount = 1
    let wrote = NSRelationshipDescription()
    wrote.name = "books"
    wrote.destinationEntity = book
    wrote.inverseRelationship = by
    by.inverseRelationship = wrote
    author.properties = [name, wrote]
    book.properties = [title, by]
    let model = NSManagedObjectModel()
    model.entities = [author, book]
    return model
  }()
}
