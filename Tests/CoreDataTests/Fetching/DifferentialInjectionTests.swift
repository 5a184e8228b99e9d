import Foundation
import TestSupport
import Testing

@testable import CoreData

/// Values are values, whatever they contain: in no store do they become part of the question.
struct DifferentialInjectionTests {
  static let values = [
    "'", "''", "\"", "\"\"", "' OR 1=1 --", "\"; DROP TABLE ZNOTE; --", "a'b\"c", "?", "?1", ":x",
    "$x", "@x", "%", "%@", "%K", "100%", "_", "a_b", "\\", "\\\\", "*", "[c]", "{1, 2}", "\0",
    "a\0b",
    "\0'", "😀", "👩‍👩‍👧‍👦", "e\u{301}", "é", "\u{202E}abc", "\n", "\r\n", "\t", "]", "[\"]", "{\"a\":1}",
    "\u{7}",
    "\u{FFFD}", "\u{10FFFF}", "NULL", "nil", "SELF", "x'00'", "--", "/*", ";",
  ]

  private static func values(_ kind: StoreKind) -> [String] {
    kind.has(.zeroInText) ? values : values.filter { !$0.utf8.contains(0) }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `a value finds the note that has it, and no other`(kind: StoreKind) throws {
    let context = try Self.context(kind)
    let values = Self.values(kind)
    try context.performAndWait {
      for value in values {
        for (format, argument) in Self.exact(value) {
          let titles = try Self.titles(format, [argument], in: context)
          // In the order of memory two spellings of one character are the same place.
          let expected = format.contains("BETWEEN") ? titles.filter { $0 == value } : [value]
          #expect(titles == expected, "\(format) \(value.debugDescription)")
          #expect(
            titles.contains { $0.utf8.elementsEqual(value.utf8) },
            "\(format) \(Array(value.unicodeScalars)) \(titles.map { Array($0.unicodeScalars) })"
          )
        }
      }
      #expect(try context.count(for: NSFetchRequest<Note>(entityName: "Note")) == values.count)
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `a part finds every note that has it, and no other`(kind: StoreKind) throws {
    let context = try Self.context(kind)
    let values = Self.values(kind)
    try context.performAndWait {
      for value in values {
        let bytes = Array(value.utf8)
        let having = values.filter { Array($0.utf8).hasPart(bytes) }
        let beginning = values.filter { $0.utf8.starts(with: bytes) }
        let ending = values.filter { $0.utf8.reversed().starts(with: bytes.reversed()) }
        for (operation, expected) in [
          ("CONTAINS", having), ("BEGINSWITH", beginning), ("ENDSWITH", ending),
        ] {
          let titles = try Self.titles("title \(operation) %@", [value], in: context)
          #expect(Set(titles) == Set(expected), "\(operation) \(value.debugDescription)")
        }
        let folded = try Self.titles("title CONTAINS[cd] %@", [value], in: context)
        #expect(Set(folded).isSuperset(of: having), "\(value.debugDescription)")
      }
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `names of tags and folders are values too`(kind: StoreKind) throws {
    let context = try Self.context(kind)
    let values = Self.values(kind)
    try context.performAndWait {
      for value in values {
        for format in [
          "folder.name == %@", "ANY tags.name == %@", "ALL tags.name == %@", "%@ IN tags.name",
          "SUBQUERY(tags, $t, $t.name == %@).@count == 1", "ANY tags.name LIKE %@",
        ] where !(format.contains("LIKE") && value.contains { "*?\\".contains($0) }) {
          let titles = try Self.titles(format, [value], in: context)
          // LIKE compares characters, of which one may have two spellings.
          #expect(titles.contains(value), "\(format) \(value.debugDescription)")
          #expect(titles.count == 1 || format.contains("LIKE"), "\(format) \(titles)")
        }
      }
    }
  }

  /// Conditions that are true of the one title.
  private static func exact(_ value: String) -> [(String, Any)] {
    [
      ("title == %@", value), ("%@ == title", value), ("title IN %@", [value]),
      ("title IN %@", [value] + (0..<40).map { "other \($0)" }),
      ("title BETWEEN %@", [value, value]), ("title ==[n] %@", value),
    ] + (isASCII(value) ? [("title MATCHES %@", escapedPattern(value))] : [])
  }

  private static func isASCII(_ value: String) -> Bool { value.utf8.allSatisfy { $0 < 0x80 } }

  private static func escapedPattern(_ value: String) -> String {
    NSRegularExpression.escapedPattern(for: value)
  }

  /// Each value is the title of a note, and the name of its folder and of its tag.
  private static func context(_ kind: StoreKind) throws -> NSManagedObjectContext {
    let context = try NotesStack(kind).context()
    try context.performAndWait {
      for value in values(kind) {
        let note = Note(context: context)
        note.title = value
        let folder = Folder(context: context)
        folder.name = value
        note.folder = folder
        let tag = TestSupport.Tag(context: context)
        tag.name = value
        note.addToTags(tag)
      }
      try context.save()
      context.reset()
    }
    return context
  }

  private static func titles(
    _ format: String,
    _ arguments: [Any],
    in context: NSManagedObjectContext
  ) throws -> [String] {
    let request = NSFetchRequest<Note>(entityName: "Note")
    request.predicate = NSPredicate(format: format, argumentArray: arguments)
    return try context.fetch(request).map { $0.title ?? "(nil)" }
  }
}

extension [UInt8] {
  fileprivate func hasPart(_ part: [UInt8]) -> Bool {
    part.count <= count
      && (0...(count - part.count)).contains { self[$0..<($0 + part.count)].elementsEqual(part) }
  }
}
