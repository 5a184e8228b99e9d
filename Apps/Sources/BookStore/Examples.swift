import CoreData

/// The ways to get at what is stored, one after the other.
struct Examples {
  private let context: NSManagedObjectContext

  init(_ persistence: Persistence) {
    context = persistence.managedObjectContext
  }

  func showExampleData() throws {
    print("\n— Retrieving managed objects")
    try showAllBooks()
    print("\n— Predicates: a format")
    try showBooksMatchingFormat()
    print("\n— Predicates: objects")
    try showBooksMatchingExpressions()
    print("\n— Fetched properties")
    try showBargainBooks()
    print("\n— Notification upon change")
    try showChangeOfTitle()
  }

  private func show(_ book: Book) {
    // A title may have a percent sign in it.
    print("Title: \(book.title ?? ""), price: " + String(format: "%.2f", book.price))
  }
}

// MARK: - Fetching

extension Examples {
  private func showAllBooks() throws {
    let fetchRequest = NSFetchRequest<Book>(entityName: "Book")
    for book in try context.fetch(fetchRequest) { show(book) }
  }

  private func showBooksMatchingFormat() throws {
    let fetchRequest = NSFetchRequest<Book>(entityName: "Book")
    fetchRequest.predicate = NSPredicate(format: "title='The first book'")
    for book in try context.fetch(fetchRequest) { show(book) }
  }

  /// The same predicate, put together from expressions.
  private func showBooksMatchingExpressions() throws {
    let fetchRequest = NSFetchRequest<Book>(entityName: "Book")
    let exprTitle = NSExpression(forKeyPath: "title")
    let exprValue = NSExpression(forConstantValue: "The first book")
    fetchRequest.predicate = NSComparisonPredicate(
      leftExpression: exprTitle,
      rightExpression: exprValue,
      modifier: .direct,
      type: .equalTo
    )
    for book in try context.fetch(fetchRequest) { show(book) }
  }

  /// A fetched property has its predicate in the model: books of this category below $12.
  private func showBargainBooks() throws {
    let fetchRequest = NSFetchRequest<BookCategory>(entityName: "BookCategory")
    for category in try context.fetch(fetchRequest) {
      print("Bargains for category: \(category.name ?? "")")
      let bargainBooks = category.value(forKey: "bargainBooks") as? [Book] ?? []
      for book in bargainBooks { show(book) }
    }
  }
}

// MARK: - Observing

extension Examples {
  private func showChangeOfTitle() throws {
    let observer = ChangeObserver()
    let fetchRequest = NSFetchRequest<Book>(entityName: "Book")
    fetchRequest.predicate = NSPredicate(format: "title='The first book'")
    for book in try context.fetch(fetchRequest) {
      show(book)
      book.addObserver(observer, forKeyPath: "title", options: [.old, .new], context: nil)
      book.title = "The new title"
      book.removeObserver(observer, forKeyPath: "title")
    }
  }
}

/// Prints each change that is reported to it.
private final class ChangeObserver: KeyValueObserver {
  func observeValue(
    forKeyPath keyPath: String?,
    of object: Any?,
    change: [NSKeyValueChangeKey: Any]?,
    context: UnsafeMutableRawPointer?
  ) {
    let (old, new) = (change?[.oldKey] ?? "nil", change?[.newKey] ?? "nil")
    print("Changed value for \(keyPath ?? ""): \(old) -> \(new)")
  }
}
