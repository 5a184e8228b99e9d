import CoreDataSQLite
import Foundation
import TestSupport
import Testing

@testable import CoreData

/// A predicate that comes again with other values has its statement ready.
struct StatementReuseTests {
  private static let formats: [(String, @Sendable (Int) -> [Any])] = [
    ("stars > %@", { [$0] }),
    ("title CONTAINS[cd] %@", { ["Note \($0)"] }),
    ("title ==[c] %@ OR text LIKE[c] %@", { ["a\($0)", "*\($0)*"] }),
    ("title BEGINSWITH %@", { ["n\($0)"] }),
    ("views IN %@", { number in [Array(0...number)] }),
    ("title IN[cd] %@", { number in [(0...number).map { "é\($0)" }] }),
    ("rating BETWEEN {%@, %@}", { [$0, $0 + 1] }),
    ("ANY tags.name == %@", { ["\($0)"] }),
    ("SUBQUERY(related, $r, $r.stars == %@).@count > %@", { [$0, $0 + 1] }),
    ("folder.name == %@ AND stars + %@ > 3", { ["\($0)", $0] }),
  ]

  @Test func `a hundred fetches with other constants compile their statements once`() throws {
    let stack = try NotesStack(.sqlite)
    let context = stack.context()
    let pool = try #require(stack.coordinator.pool)
    try context.performAndWait {
      for (format, arguments) in Self.formats {
        let before = try pool.read { $0.preparationCount }
        for number in 0..<100 {
          let request = NSFetchRequest<Note>(entityName: "Note")
          request.predicate = NSPredicate(format: format, argumentArray: arguments(number))
          request.fetchLimit = 1 + number
          _ = try context.fetch(request)
        }
        let compiled = try pool.read { $0.preparationCount } - before
        // A list has a statement for each power of two up to sixteen, and one for all longer ones.
        #expect(compiled == (format.contains(" IN") ? 6 : 1), "\(format)")
      }
    }
  }
}
