import CoreData
import Foundation
import TestSupport
import Testing

/// Batches in stores that keep a history.
struct BatchHistoryTests {
  private let stack: NotesStack

  init() throws {
    stack = try NotesStack(
      file: TestSupport.TemporaryFolder.file("Notes.sqlite"),
      options: [NSPersistentHistoryTrackingKey: true]
    )
  }

  private func changes() throws -> [String] {
    let context = stack.context()
    return try context.performAndWait {
      let request = NSPersistentHistoryChangeRequest.fetchHistory(
        after: nil as NSPersistentHistoryToken?
      )
      let result = try context.execute(request) as? NSPersistentHistoryResult
      let transactions = result?.result as? [NSPersistentHistoryTransaction] ?? []
      return transactions.flatMap { transaction in
        (transaction.changes ?? []).map { change in
          let properties = (change.updatedProperties ?? []).map(\.name).sorted()
          let kind = ["+", "~", "-"][change.changeType.rawValue]
          let key = change.changedObjectID.uriRepresentation().lastPathComponent
          return ([transaction.author ?? "?", kind, key] + properties).joined(separator: " ")
        }
      }
    }
  }

  @Test func `each batch is one transaction of its context's author (92, 97)`() throws {
    let context = stack.context()
    try context.performAndWait {
      context.transactionAuthor = "import"
      let rows = [["title": "a"], ["title": "b"]] as [[String: Any]]
      _ = try context.execute(NSBatchInsertRequest(entityName: "Note", objects: rows))
      let update = NSBatchUpdateRequest(entityName: "Note")
      update.predicate = NSPredicate(format: "title == 'b'")
      update.propertiesToUpdate = ["stars": 3]
      _ = try context.execute(update)
      let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Note")
      request.predicate = NSPredicate(format: "stars == 3")
      _ = try context.execute(NSBatchDeleteRequest(fetchRequest: request))
    }
    #expect(try changes() == ["import + p1", "import + p2", "import ~ p2 stars", "import - p2"])
  }

  @Test func `a batch of a child had no author, though its parent had one`() throws {
    let context = stack.context()
    context.performAndWait { context.transactionAuthor = "import" }
    let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    child.parent = context
    try child.performAndWait {
      let rows = [["title": "a"]] as [[String: Any]]
      _ = try child.execute(NSBatchInsertRequest(entityName: "Note", objects: rows))
    }
    #expect(try changes() == ["import + p1"])
  }

  @Test func `a long batch is one transaction too`() throws {
    let context = stack.context()
    try context.performAndWait {
      let rows = (0..<3000).map { ["title": "\($0)"] as [String: Any] }
      _ = try context.execute(NSBatchInsertRequest(entityName: "Note", objects: rows))
      let request = NSPersistentHistoryChangeRequest.fetchHistory(after: Date.distantPast)
      let result = try context.execute(request) as? NSPersistentHistoryResult
      let transactions = try #require(result?.result as? [NSPersistentHistoryTransaction])
      #expect(transactions.map { $0.changes?.count } == [3000])
    }
  }
}
