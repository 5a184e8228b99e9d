import CoreData
import CoreDataWebServer
import Foundation

/// The actions of customers and clerks; every method can be called from any task.
struct BookShop: Sendable {
  let container: NSPersistentContainer

  /// A book as it is answered.
  private static let shape = ObjectShape("number", "title", "price", "stock", "category.name")
}

// MARK: - Looking

extension BookShop {
  /// The books behind a number, in the order of their numbers.
  func books(after number: Int, limit: Int) async throws -> [ObjectValues] {
    try await books(limit) { NSPredicate(format: "number > %ld", number) }
  }

  /// The books behind a number whose titles have the words, or words that begin so.
  func books(matching words: String, after number: Int, limit: Int) async throws -> [ObjectValues] {
    try await books(limit) {
      let matches = NSPredicate(format: "title CONTAINS[cdw] %@", words)
      if number == 0 { return matches }
      let follows = NSPredicate(format: "number > %ld", number)
      return NSCompoundPredicate(andPredicateWithSubpredicates: [matches, follows])
    }
  }

  /// Two statements, however many books there are: the books, and their categories.
  private func books(
    _ limit: Int,
    where predicate: @escaping @Sendable () -> NSPredicate
  ) async throws -> [ObjectValues] {
    try await container.read(from: .replica) { context in
      let request = NSFetchRequest<Book>(entityName: "Book")
      request.predicate = predicate()
      request.sortDescriptors = [NSSortDescriptor(key: "number", ascending: true)]
      request.fetchLimit = limit
      return try context.values(of: request, as: Self.shape)
    }
  }

  func book(_ number: Int) async throws -> ObjectValues {
    try await container.read(from: .replica) { try $0.book(number).values(as: Self.shape) }
  }

  /// A book and how it sells among those of its category.
  struct Bestseller: Codable, Sendable {
    let number: Int
    let title: String
    let category: String?
    let sold: Int
    let place: Int
  }

  /// The best sold books of each category: a query that is shorter in SQL.
  func bestsellers(places: Int) async throws -> [Bestseller] {
    try await container.read(from: .replica) { context in
      let query: SQLQuery = """
        WITH sold AS (
          SELECT \(\Order.book) AS book, SUM(\(\Order.quantity)) AS sold FROM \(Order.self) GROUP BY 1
        ), ranked AS (
          SELECT \(\Book.number) AS number, \(\Book.title) AS title, \(\BookCategory.name) AS category, sold,
            RANK() OVER (PARTITION BY \(\Book.category) ORDER BY sold DESC) AS place
          FROM sold JOIN \(Book.self) ON \(\Book.objectID) = book
            LEFT JOIN \(BookCategory.self) ON \(\BookCategory.objectID) = \(\Book.category)
        )
        SELECT number, title, category, sold, place FROM ranked
        WHERE place <= \(places) ORDER BY category, place, number
        """
      return try context.values(of: query, as: Bestseller.self)
    }
  }

  /// Whether the shop can serve, within five seconds.
  func health() async -> HealthReport {
    await container.persistentStoreCoordinator.healthReport()
  }
}

// MARK: - Buying and filling up

/// A customer's order.
struct OrderDraft: Codable, Sendable {
  let book: Int
  let quantity: Int
}

/// The result of an order, and the books that are left.
struct OrderReceipt: Codable, Sendable {
  let book: Int
  let quantity: Int
  let price: Double
  let stock: Int
}

extension BookShop {
  /// Sells copies of a book.
  ///
  /// Of customers who want the last copy at once, one gets it, whichever processes they ask: the block of
  /// `write` sees the newest stock, and runs again where another process was faster.
  func order(_ draft: OrderDraft) async throws -> OrderReceipt {
    guard (1...1_000).contains(draft.quantity) else {
      throw Problem(400, "An order is of 1 to 1000 copies.")
    }
    return try await write(author: "customer") { context in
      let book = try context.book(draft.book)
      try book.changeStock(by: -draft.quantity)
      let order = Order(context: context)
      order.book = book
      order.placed = Date()
      order.quantity = Int64(draft.quantity)
      order.price = book.price
      return OrderReceipt(
        book: draft.book,
        quantity: draft.quantity,
        // Three books at 5.02 cost 15.06, not 15.059999999999999.
        price: (book.price * Double(draft.quantity) * 100).rounded() / 100,
        stock: Int(book.stock)
      )
    }
  }

  /// Adds copies to the stock, or takes some away; says how many there are.
  func changeStock(of number: Int, by change: Int) async throws -> Int {
    guard (-1_000_000...1_000_000).contains(change) else {
      throw Problem(400, "A stock changes by a million copies at most.")
    }
    return try await write(author: "clerk") { context in
      let book = try context.book(number)
      try book.changeStock(by: change)
      return Int(book.stock)
    }
  }

  /// `write` of the container; if others were faster in each of its runs, the client may come again.
  private func write<Result: Sendable>(
    author: String,
    _ work: @escaping @Sendable (NSManagedObjectContext) throws -> Result
  ) async throws -> Result {
    do {
      return try await container.write(author: author, work)
    } catch let error where Self.isConflict(error as NSError) {
      throw Problem(
        503,
        "Too many others change this book just now; try again in a moment.",
        retryAfter: 1
      )
    }
  }

  private static func isConflict(_ error: NSError) -> Bool {
    error.domain == NSCocoaErrorDomain && error.code == NSManagedObjectMergeError
  }
}

extension Book {
  fileprivate func changeStock(by change: Int) throws {
    guard stock + Int64(change) >= 0 else {
      throw Problem(409, "There \(stockInWords) of “\(title ?? "")”.")
    }
    stock += Int64(change)
  }

  private var stockInWords: String {
    switch stock {
    case 0: "is no copy"
    case 1: "is only 1 copy"
    case _: "are only \(stock) copies"
    }
  }
}

extension NSManagedObjectContext {
  /// The book with a number.
  fileprivate func book(_ number: Int) throws -> Book {
    let request = NSFetchRequest<Book>(entityName: "Book")
    request.predicate = NSPredicate(format: "number == %ld", number)
    request.fetchLimit = 1
    guard let book = try fetch(request).first else {
      throw Problem(404, "There is no book with the number \(number).")
    }
    return book
  }
}
