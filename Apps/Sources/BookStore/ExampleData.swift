import CoreData

/// Two categories and three books.
struct ExampleData {
  private let persistence: Persistence

  init(_ persistence: Persistence) {
    self.persistence = persistence
  }

  /// Clears the store and fills it, so that every run begins with the same books.
  func initStore() throws {
    print("— Storing data")
    try deleteAllObjects("Book")
    try deleteAllObjects("BookCategory")

    let fiction = BookCategory(context: persistence.managedObjectContext)
    fiction.name = "Fiction"

    let biography = BookCategory(context: persistence.managedObjectContext)
    biography.name = "Biography"

    let book1 = Book(context: persistence.managedObjectContext)
    book1.title = "The first book"
    book1.price = 10

    let book2 = Book(context: persistence.managedObjectContext)
    book2.title = "The second book"
    book2.price = 15

    let book3 = Book(context: persistence.managedObjectContext)
    book3.title = "The third book"
    book3.price = 10

    // Two ways to say it: a generated accessor, and a set that writes through.
    fiction.addToBooks(NSSet(array: [book1, book2]))
    biography.mutableSetValue(forKeyPath: "books").add(book3)

    try persistence.saveContext()
  }

  /// Removes all objects of an entity, whose primary keys are not given out again.
  private func deleteAllObjects(_ entityName: String) throws {
    let fetchRequest = NSFetchRequest<NSManagedObject>(entityName: entityName)
    for object in try persistence.managedObjectContext.fetch(fetchRequest) {
      persistence.managedObjectContext.delete(object)
    }
    try persistence.saveContext()
  }
}
