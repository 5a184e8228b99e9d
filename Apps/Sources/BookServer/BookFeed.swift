import CoreData
import Synchronization
import WebServer

/// Tells everybody who listens of each change of stock, whichever process has made it.
///
/// ```
/// a save, anywhere ─▶ NSPersistentStoreRemoteChange ─▶ history since the last look ─▶ event "stock"
/// ```
final class BookFeed: Sendable {
  /// A book and how many copies there are.
  struct Stock: Codable, Sendable {
    let book: Int
    let stock: Int
  }

  let listeners = EventHub()
  /// Reads the history, one look at a time: that is the order of events.
  private let context: NSManagedObjectContext
  private let isLookWaiting = Atomic(false)
  private let last: Mutex<NSPersistentHistoryToken?>

  init(_ stack: BookStack) throws {
    let coordinator = stack.container.persistentStoreCoordinator
    context = stack.container.newBackgroundContext()
    last = Mutex(coordinator.currentPersistentHistoryToken(fromStores: nil))
    // It lives as long as the program.
    _ = NotificationCenter.default.addObserver(
      forName: .NSPersistentStoreRemoteChange,
      object: coordinator,
      queue: nil
    ) { [weak self] _ in self?.lookSoon() }
  }

  /// One look for however many notifications come before it.
  private func lookSoon() {
    guard !isLookWaiting.exchange(true, ordering: .relaxed) else { return }
    context.perform { [self] in
      isLookWaiting.store(false, ordering: .relaxed)
      // A look that fails says nothing; the next one begins at the same place.
      try? look()
    }
  }

  private func look() throws {
    let history = NSPersistentHistoryChangeRequest.fetchHistory(after: last.withLock { $0 })
    let result = try context.execute(history) as? NSPersistentHistoryResult
    guard let transactions = result?.result as? [NSPersistentHistoryTransaction],
      let newest = transactions.last
    else { return }
    last.withLock { $0 = newest.token }
    let changed = Set(transactions.flatMap { $0.changes ?? [] }.map(\.changedObjectID))
    let request = NSFetchRequest<Book>(entityName: "Book")
    request.predicate = NSPredicate(
      format: "SELF IN %@",
      changed.filter { $0.entity.name == "Book" }
    )
    request.shouldRefreshRefetchedObjects = true
    for book in try context.fetch(request) {
      listeners.send("stock", Stock(book: Int(book.number), stock: Int(book.stock)))
    }
    context.reset()
  }
}
