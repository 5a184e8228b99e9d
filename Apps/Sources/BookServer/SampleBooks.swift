import CoreData

// The books with which a shop begins, for tests and for Scripts/load-books.

extension BookStack {
  static let categories = ["Biography", "Fiction", "History", "Science", "Travel"]

  private struct NewBook: Encodable {
    let number: Int
    let title: String
    let price: Double
    let stock: Int
    /// The name of the category, by which it is found.
    let category: String
  }

  /// Fills an empty store with books, which have a hundred copies each.
  func fill(_ count: Int) async throws {
    try await container.write(author: "clerk") { context in
      guard try context.count(for: NSFetchRequest<Book>(entityName: "Book")) == 0 else { return }
      for name in Self.categories { BookCategory(context: context).name = name }
      try context.save()
      let books = (1...max(1, count)).lazy.map { number in
        let category = Self.categories[number % Self.categories.count]
        return NewBook(
          number: number,
          title: "\(category), volume \(number)",
          price: Double(500 + number % 4000) / 100,
          stock: 100,
          category: category
        )
      }
      try context.execute(NSBatchInsertRequest(entityName: "Book", values: books))
    }
  }
}
