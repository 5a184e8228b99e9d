import Foundation
import TestSupport
import Testing

@testable import CoreData

/// Questions that only memory can answer are refused by databases, with a sentence, and by no other
/// store.
struct DifferentialRefusalTests {
  private static let toMany =
    "the to-many key path tags.name has several values and cannot be compared as one"

  @Test(arguments: [
    ("tags.name == 'swift'", toMany),
    ("tags.name != 'swift'", toMany),
    ("'swift' == tags.name", toMany),
    ("tags.name IN {'swift', 'linux'}", toMany),
    ("title.length > 3", "the database cannot read \"length\" of a value"),
    ("FUNCTION(title, 'hasPrefix:', 'S') == YES", "the database has no equivalent"),
    ("tags[FIRST] == nil", "the database has no equivalent"),
    ("related.@distinctUnionOfObjects.stars.@count == 0", "the database does not know"),
    ("keywords == 'x'", "the database cannot look into transformed values"),
  ])
  func `a database refuses what memory answers`(format: String, sentence: String) throws {
    for kind in StoreKind.with(.everyRequest) {
      let context = try Self.context(kind)
      try context.performAndWait {
        let request = NSFetchRequest<Note>(entityName: "Note")
        request.predicate = NSPredicate(format: format)
        try Self.expect(sentence, kind) { _ = try context.fetch(request) }
      }
    }
  }

  @Test func `code in a predicate or an order is for memory`() throws {
    for kind in StoreKind.with(.everyRequest) {
      let context = try Self.context(kind)
      try context.performAndWait {
        let request = NSFetchRequest<Note>(entityName: "Note")
        request.predicate = NSPredicate { note, _ in (note as AnyObject?) != nil }
        try Self.expect("a predicate made of code cannot run in the database", kind) {
          let found = try context.fetch(request)
          #expect(found.count == 1)
        }
        request.predicate = nil
        request.sortDescriptors = [
          NSSortDescriptor(key: "title", ascending: true, comparator: { _, _ in .orderedSame })
        ]
        try Self.expect("a comparator is code, which cannot run in the database", kind) {
          let found = try context.fetch(request)
          #expect(found.count == 1)
        }
      }
    }
  }

  private static func context(_ kind: StoreKind) throws -> NSManagedObjectContext {
    let context = try NotesStack(kind).context()
    try context.performAndWait {
      let note = Note(context: context)
      note.title = "Swift"
      let tag = TestSupport.Tag(context: context)
      tag.name = "swift"
      note.addToTags(tag)
      try context.save()
    }
    return context
  }

  private static func expect(
    _ sentence: String,
    _ kind: StoreKind,
    _ body: () throws -> Void
  ) throws {
    guard kind.isSQL else { return try body() }
    let error = #expect(throws: NSError.self) { try body() }
    #expect(error?.code == NSPersistentStoreUnsupportedRequestTypeError)
    #expect(
      error?.localizedFailureReason?.contains(sentence) == true,
      "\(String(describing: error))"
    )
  }
}
