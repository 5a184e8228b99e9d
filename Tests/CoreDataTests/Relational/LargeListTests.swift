import Foundation
import TestSupport
import Testing

@testable import CoreData

/// A list of a hundred thousand is one value of the statement, whatever is in it.
struct LargeListTests {
  @Test func `objects, identities and values are found in lists without a limit`() throws {
    let context = try NotesStack(.sqlite).context()
    try context.performAndWait {
      let notes = (0..<10).map { number in
        let note = Note(context: context)
        note.title = "é\u{0}'\(number)"
        note.views = NSNumber(value: number)
        note.rating = Double(number) / 3
        note.uuid = UUID()
        note.created = Date(timeIntervalSinceReferenceDate: Double(number) / 7)
        return note
      }
      try context.save()
      let few = Array(notes.prefix(4))
      try Self.expect(few, "SELF IN %@", few, in: context)
      try Self.expect(few, "SELF IN %@", few.map(\.objectID), in: context)
      try Self.expect(few, "objectID IN %@", few.map(\.objectID), in: context)
      try Self.expect(few, "title IN %@", few.compactMap(\.title), in: context)
      try Self.expect(
        few,
        "title IN[cd] %@",
        few.compactMap { $0.title?.uppercased() },
        in: context
      )
      try Self.expect(few, "views IN %@", few.compactMap(\.views), in: context)
      try Self.expect(few, "rating IN %@", few.map(\.rating), in: context)
      try Self.expect(few, "uuid IN %@", few.compactMap(\.uuid), in: context)
      try Self.expect(few, "created IN %@", few.compactMap(\.created), in: context)
    }
  }

  private static func expect(
    _ notes: [Note],
    _ format: String,
    _ values: [Any],
    in context: NSManagedObjectContext
  ) throws {
    let request = NSFetchRequest<Note>(entityName: "Note")
    request.predicate = NSPredicate(
      format: format,
      argumentArray: [(0..<100_000).map { values[$0 % values.count] }]
    )
    #expect(try context.fetch(request) == notes, "\(format)")
  }
}
