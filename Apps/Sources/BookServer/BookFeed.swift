import CoreData
import CoreDataWebServer

/// Tells everybody who listens of each change of stock, whichever process has made it.
final class BookFeed: Sendable {
  /// A book and how many copies there are.
  struct Stock: Codable, Sendable {
    let book: Int
    let stock: Int
  }

  let listeners = EventHub()
  private let container: NSPersistentContainer

  init(_ container: NSPersistentContainer) {
    self.container = container
    let now = container.transactions()
    Task {
      var history = now
      while !container.persistentStoreCoordinator.persistentStores.isEmpty {
        // A passing failure, such as that of a disk, leaves the listeners without a few events.
        try? await follow(history)
        try await Task.sleep(for: .seconds(1))
        history = container.transactions()
      }
    }
  }

  private func follow(
    _ history: AsyncThrowingStream<[NSPersistentHistoryTransaction], any Error>
  ) async throws {
    for try await transactions in history where listeners.count > 0 {
      let changes = transactions.flatMap { $0.changes ?? [] }
      let books = Set(changes.map(\.changedObjectID).filter { $0.entity.name == "Book" })
      for stock in try await stocks(of: books) { listeners.send("stock", stock) }
    }
  }

  private func stocks(of books: Set<NSManagedObjectID>) async throws -> [Stock] {
    try await container.read { context in
      let request = NSFetchRequest<Book>(entityName: "Book")
      request.predicate = NSPredicate(format: "SELF IN %@", books)
      return try context.fetch(request).map { Stock(book: Int($0.number), stock: Int($0.stock)) }
    }
  }
}
