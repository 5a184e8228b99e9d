import CoreData

/// A changed copy of a model, with a store in memory to try it out.
///
/// Its objects do not have their own class: everything is done with key-value coding.
struct Trial {
  private let container: NSPersistentContainer

  init(_ model: NSManagedObjectModel, change: (NSManagedObjectModel) -> Void) throws {
    let copy = model.changeableCopy
    change(copy)
    container = NSPersistentContainer(name: "Trial", managedObjectModel: copy)
    let description = NSPersistentStoreDescription()
    description.type = NSInMemoryStoreType
    container.persistentStoreDescriptions = [description]
    try container.loadStores()
  }

  @discardableResult
  func insert(_ entityName: String, _ values: [String: Any]) -> NSManagedObject {
    let object = NSEntityDescription.insertNewObject(
      forEntityName: entityName,
      into: container.viewContext
    )
    object.setValuesForKeys(values)
    return object
  }

  @discardableResult
  func insertFiction(with titles: [String]) -> NSManagedObject {
    let fiction = insert("BookCategory", ["name": "Fiction"])
    for title in titles { insert("Book", ["title": title, "category": fiction]) }
    return fiction
  }

  func delete(_ object: NSManagedObject) {
    container.viewContext.delete(object)
  }

  /// Saves, and says how it went.
  func save() -> String {
    do {
      try container.viewContext.save()
      return "saved"
    } catch {
      return error.localizedDescription
    }
  }

  /// The stored objects, as another context finds them.
  func remains() throws -> String {
    let context = container.newBackgroundContext()
    return try context.performAndWait {
      let bookRequest = NSFetchRequest<NSManagedObject>(entityName: "Book")
      let categoryRequest = NSFetchRequest<NSManagedObject>(entityName: "BookCategory")
      let books = try context.fetch(bookRequest)
      let categories = try context.count(for: categoryRequest)
      let alone = books.filter { $0.value(forKey: "category") == nil }
      return "categories \(categories), books \(books.count), without category \(alone.count)"
    }
  }
}

extension NSManagedObjectModel {
  /// A copy that can be changed, with `NSManagedObject` as every entity's class.
  fileprivate var changeableCopy: NSManagedObjectModel {
    guard let copy = copy() as? NSManagedObjectModel else {
      fatalError("the copy of a model is a model")
    }
    for entity in copy.entities { entity.managedObjectClassName = "NSManagedObject" }
    return copy
  }
}
