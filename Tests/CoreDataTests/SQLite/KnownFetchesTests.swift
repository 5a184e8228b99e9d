import CoreData
import Foundation
import TestSupport
import Testing

/// Fetches that differ in their constants alone share a statement, and find what they would have found without it.
@Suite struct KnownFetchesTests {
  private let stack: NotesStack

  init() throws {
    stack = try NotesStack(.sqlite)
    try stack.work { context in
      for number in 0..<30 {
        let note = context.note("Note \(number % 7)")
        note.stars = Int16(number % 5)
        note.rating = Double(number % 3) / 2
        note.created = Date(timeIntervalSinceReferenceDate: Double(number))
      }
      for number in 0..<5 {
        let list = Checklist(context: context)
        list.title = "List \(number)"
        list.stars = Int16(number)
      }
      try context.save()
    }
  }

  /// The objects that a predicate finds.
  private func found(
    _ predicate: NSPredicate,
    entity: String = "Note",
    limit: Int = 0
  ) throws -> [NSManagedObjectID] {
    try stack.work { context in
      let request = NSFetchRequest<Note>(entityName: entity)
      request.sortDescriptors = [NSSortDescriptor(key: "stars", ascending: true)]
      request.predicate = predicate
      request.fetchLimit = limit
      return try context.fetch(request).map(\.objectID)
    }
  }

  @Test(arguments: [
    "stars == %@", "stars > %@", "stars <= %@", "rating == %@", "stars == %@ AND rating < %@",
    "stars >= %@ AND stars <= %@", "title == %@", "created > %@", "stars != %@", "NOT stars == %@",
    "stars == %@ OR rating == %@", "title ==[c] %@", "folder == %@",
  ])
  func `a statement was asked with the constants of another fetch`(_ format: String) throws {
    let constants: [Any] = [
      2, 1, 1, 2.5, 0, "Note 3", "note 3", "3", Date(timeIntervalSinceReferenceDate: 12), NSNull(),
      Decimal(string: "0.5") ?? 0, true, Int64.max, Double.infinity, -0.0, 3, 2,
    ]
    for (place, constant) in constants.enumerated() {
      let next = constants[(place + 1) % constants.count]
      let predicate = NSPredicate(format: format, argumentArray: [constant, next])
      // The same in a form that is put together each time.
      let unknown = NSCompoundPredicate(
        orPredicateWithSubpredicates: [predicate, NSPredicate(value: false)]
      )
      guard let expected = try? found(unknown) else {
        #expect(throws: (any Error).self) { try found(predicate) }
        continue
      }
      #expect(try found(predicate) == expected, "\(predicate)")
      for (entity, limit) in [("Checklist", 0), ("Note", 3), ("Note", 2)] {
        let expected = try found(unknown, entity: entity, limit: limit)
        #expect(try found(predicate, entity: entity, limit: limit) == expected, "\(predicate)")
      }
    }
  }

  @Test func `twenty pairs of values are one statement`() throws {
    let log = StatementLog(stack.coordinator)
    for number in 0..<20 {
      _ = try found(NSPredicate(format: "stars == %d AND rating > %d", number, -1 - number))
    }
    #expect(log.statements.count == 20)
    #expect(Set(log.statements).count == 1)
  }

  @Test func `a page was put together anew each time`() throws {
    let all = try stack.work { context in
      let request = NSFetchRequest<Note>(entityName: "Note")
      request.sortDescriptors = [NSSortDescriptor(key: "created", ascending: true)]
      return try context.fetch(request).map(\.objectID)
    }
    let log = StatementLog(stack.coordinator)
    for (offset, limit) in [(0, 3), (3, 3), (5, 7), (33, 9), (90, 2), (0, 2), (4, 0), (31, 0)] {
      let request = NSFetchRequest<Note>(entityName: "Note")
      request.sortDescriptors = [NSSortDescriptor(key: "created", ascending: true)]
      request.fetchOffset = offset
      request.fetchLimit = limit
      let page = all.dropFirst(offset).prefix(limit == 0 ? .max : limit)
      let found = try stack.work { try $0.fetch(request).map(\.objectID) }
      #expect(found == Array(page), "\(offset), \(limit)")
    }
    // With a limit alone, and with an offset.
    #expect(Set(log.statements).count == 2)
  }
}
