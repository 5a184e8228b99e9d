import CoreData
import ManagedAuthors
import Testing

/// Libraries that extend a context by methods that Apple's has too.
struct OwnPerformingTests {
  private struct Refusal: Error {}

  private let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)

  @Test func `a library's performAndWait was ambiguous where it was imported`() throws {
    let before = NSManagedObjectContext.ownPerformCount
    let count = context.performAndWait { context.insertedObjects.count }
    #expect(count == 0)
    #expect(throws: Refusal.self) {
      try context.performAndWait { throw Refusal() }
    }
    #expect(NSManagedObjectContext.ownPerformCount >= before + 2)
  }
}
