import CoreDataPredicates
import Foundation
import TestSupport
import Testing

@testable import CoreData

/// With the index, without it and in memory the same notes are found.
@Suite struct WordAgreementTests {
  private static let formats = [
    "title CONTAINS[cdw] %@", "title CONTAINS[w] %@", "title CONTAINS[cw] %@",
    "title CONTAINS[dw] %@", "NOT title CONTAINS[cdw] %@",
    "title CONTAINS[cdw] %@ OR body CONTAINS[cdw] %@",
    "title CONTAINS[cdw] %@ AND body CONTAINS[cdw] %@",
    "NOT (title CONTAINS[cdw] %@ OR body CONTAINS[cdw] %@)",
    "(title CONTAINS[cdw] %@ OR body CONTAINS[cdw] %@)"
      + " AND (title CONTAINS[cdw] %@ OR body CONTAINS[cdw] %@)",
    "title CONTAINS[cdw] %@ OR author CONTAINS[cdw] %@ OR number < 10",
    "author CONTAINS[cdw] %@", "plain CONTAINS[cdw] %@",
    "folder.name CONTAINS[cdw] %@", "NOT folder.name CONTAINS[cdw] %@",
    "folder.name CONTAINS[cdw] %@ AND title CONTAINS[cdw] %@",
    "ANY folder.notes.title CONTAINS[cdw] %@", "ALL folder.notes.title CONTAINS[cdw] %@",
    "NONE folder.notes.body CONTAINS[cdw] %@",
    "SUBQUERY(folder.notes, $n, $n.title CONTAINS[cdw] %@ AND $n.number > 5).@count > 0",
    "SUBQUERY(folder.notes, $n, $n.number > 5 AND body CONTAINS[cdw] %@).@count > 0",
    "title CONTAINS[cdw] author", "%@ CONTAINS[cdw] title",
    "TERNARY(number > 10, title, body) CONTAINS[cdw] %@",
  ]

  private struct Texts {
    var folders: [String?]
    var notes: [(title: String?, body: String?, author: String?, folder: Int?)]
  }

  private static let texts: Texts = {
    var random = SeededGenerator(state: 1989)
    func text() -> String? { random.chance(1, of: 8) ? nil : WordTexts.text(&random) }
    return Texts(
      folders: (0..<6).map { _ in text() },
      notes: (0..<60).map { _ in
        (text(), text(), text(), random.chance(1, of: 4) ? nil : random.index(below: 6))
      }
    )
  }()

  /// A server keeps no text with the character U+0000.
  private static let textsOfServer: Texts = {
    func text(_ text: String?) -> String? { text?.replacing("\u{0}", with: " ") }
    return Texts(
      folders: texts.folders.map(text),
      notes: texts.notes.map { (text($0.title), text($0.body), text($0.author), $0.folder) }
    )
  }()

  private static func fill(_ store: WordStore, _ texts: Texts = texts) throws {
    try store.work { context throws in
      let folders = texts.folders.map { context.new("Folder", ["name": $0 ?? NSNull()]) }
      for (number, note) in texts.notes.enumerated() {
        let object = context.new(
          number % 5 == 0 ? "Letter" : "Note",
          [
            "title": note.title ?? NSNull(), "body": note.body ?? NSNull(),
            "author": note.author ?? NSNull(), "number": number,
          ]
        )
        object.setValue(note.folder.map { folders[$0] }, forKey: "folder")
      }
      try context.save()
    }
  }

  /// A part of a text as a phrase, which one note has at least, if it has words.
  private static func phrase(_ random: inout SeededGenerator) -> String {
    let note = random.one(of: texts.notes)
    let text = Array((note.title ?? note.body ?? "").unicodeScalars)
    let start = random.index(below: text.count + 1)
    let part = text[start..<min(text.count, start + 1 + random.index(below: 12))]
    return "\"\(String(String.UnicodeScalarView(part)))\""
  }

  private static func predicate(_ format: String, _ random: inout SeededGenerator) -> NSPredicate {
    let count = format.components(separatedBy: "%@").count - 1
    let patterns = (0..<count).map { _ in
      switch random.index(below: 20) {
      case 0: ""
      case 1..<8: phrase(&random)
      case _: WordTexts.pattern(&random)
      }
    }
    return NSPredicate(format: format, argumentArray: patterns)
  }

  @Test(arguments: formats)
  func `a random search finds the same`(format: String) throws {
    let memory = try WordStore(.memory)
    let indexed = try WordStore(.sqlite, .kept)
    try Self.fill(memory)
    try Self.fill(indexed)
    try indexed.checkIndex()
    // The very same file, of which only one looks at the index.
    let plain = try WordStore(.sqlite, .unasked, file: indexed.file)
    var random = SeededGenerator(state: UInt64(format.utf8.count))
    var hits = 0
    for _ in 0..<60 {
      let predicate = Self.predicate(format, &random)
      let found = try memory.numbers(predicate)
      hits += found.count
      #expect(try plain.numbers(predicate) == found, "\(predicate)")
      #expect(try indexed.numbers(predicate) == found, "\(predicate)")
      #expect(
        try indexed.numbers(predicate, of: "Letter") == found.filter { $0 % 5 == 0 },
        "\(predicate)"
      )
      try indexed.work { context throws in
        let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
        request.predicate = predicate
        #expect(try context.count(for: request) == found.count, "\(predicate)")
        let letters = NSFetchRequest<NSManagedObject>(entityName: "Letter")
        letters.predicate = predicate
        #expect(try context.count(for: letters) == found.filter { $0 % 5 == 0 }.count)
      }
    }
    #expect(hits > 0, "nothing was compared")
  }

  @Test(.enabled(if: PostgreSQLServer.isInstalled))
  func `a random search finds the same on a server, with an index and without`() throws {
    let memory = try WordStore(.memory)
    let indexed = try WordStore(.postgreSQL, .kept)
    try Self.fill(memory, Self.textsOfServer)
    try Self.fill(indexed, Self.textsOfServer)
    let plain = try WordStore(.postgreSQL, .unasked, file: indexed.file)
    var random = SeededGenerator(state: 21)
    var hits = 0
    // A pattern that is not constant is refused.
    let refused = ["title CONTAINS[cdw] author", "%@ CONTAINS[cdw] title"]
    for format in Self.formats where !refused.contains(format) {
      for _ in 0..<Tries.count(4, long: 60) {
        let predicate = Self.predicate(format, &random)
        let found = try memory.numbers(predicate)
        hits += found.count
        #expect(try plain.numbers(predicate) == found, "\(predicate)")
        #expect(try indexed.numbers(predicate) == found, "\(predicate)")
      }
    }
    #expect(hits > 0, "nothing was compared")
  }

  @Test func `unsaved changes are seen over the index`() throws {
    let store = try WordStore()
    try Self.fill(store)
    try store.work { context throws in
      _ = context.new("Note", ["title": "Unsaved crème", "number": 100])
      let changed = try context.all("Note", where: "number == 3")
      changed.first?.setValue("Crème fraîche", forKey: "title")
      let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
      request.predicate = NSPredicate(format: "title CONTAINS[cdw] 'crem'")
      let numbers = try context.fetch(request).compactMap { $0.value(forKey: "number") as? Int }
      #expect(numbers.sorted() == [3, 100])
      #expect(try context.count(for: request) == 2)
    }
  }
}
