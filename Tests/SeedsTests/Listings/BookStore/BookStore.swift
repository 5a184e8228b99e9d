// swift-format-ignore-file
import Foundation
import CoreData

class BookCategory: NSManagedObject {

    @NSManaged var name: String
    @NSManaged var books: NSSet

}

class Page: NSManagedObject {

    @NSManaged var text: String

}

class Book: NSManagedObject {

    @NSManaged var title: String
    @NSManaged var price: Float
    @NSManaged var category: BookCategory
    @NSManaged var pages: NSOrderedSet

  override func awakeFromInsert() {
    super.awakeFromInsert()
    print("New book created") // Swift 5: println
  }

  override func awakeFromFetch() {
    super.awakeFromFetch()
    print("Book fetched: \(self.title)") // Swift 5: println
  }
}

/// The functions of the document's AppDelegate that do not draw.
final class BookStore {
  let managedObjectContext: NSManagedObjectContext?

  init(managedObjectContext: NSManagedObjectContext) {
    self.managedObjectContext = managedObjectContext
  }

func deleteAllObjects(entityName: String) {
  let fetchRequest = NSFetchRequest<NSFetchRequestResult>(entityName: entityName) // Swift 5: the type of the results

  let objects = try! self.managedObjectContext?.fetch(fetchRequest) // Swift 5: the method's name and its error
  for object in objects as! [NSManagedObject] { // Swift 5: as!
    self.managedObjectContext?.delete(object) // Swift 5: the method's name
  }

  do { try self.managedObjectContext!.save() } catch { // Swift 5: the error is thrown
    print("Error deleting \(entityName) - error:\(error)") // Swift 5: println
  }
}

func initStore() {
  deleteAllObjects(entityName: "Book") // Swift 5: the first argument has its label
  deleteAllObjects(entityName: "BookCategory") // Swift 5: the same

  let fiction = NSEntityDescription.insertNewObject(forEntityName: "BookCategory", into: self.managedObjectContext!) as! BookCategory // Swift 5: the method's name, as!
  fiction.name = "Fiction"

  let biography = NSEntityDescription.insertNewObject(forEntityName: "BookCategory", into: self.managedObjectContext!) as! BookCategory // Swift 5: the same
  biography.name = "Biography"

  let book1 = NSEntityDescription.insertNewObject(forEntityName: "Book", into: self.managedObjectContext!) as! Book // Swift 5: the same
  book1.title = "The first book"
  book1.price = 10

  let book2 = NSEntityDescription.insertNewObject(forEntityName: "Book", into: self.managedObjectContext!) as! Book // Swift 5: the same
  book2.title = "The second book"
  book2.price = 15

  let book3 = NSEntityDescription.insertNewObject(forEntityName: "Book", into: self.managedObjectContext!) as! Book // Swift 5: the same
  book3.title = "The third book"
  book3.price = 10

  let fictionRelation = fiction.mutableSetValue(forKeyPath: "books") // Swift 5: the method's name
  fictionRelation.add(book1) // Swift 5: the method's name
  fictionRelation.add(book2) // Swift 5: the same

  let biographyRelation = biography.mutableSetValue(forKeyPath: "books") // Swift 5: the method's name
  biographyRelation.add(book3) // Swift 5: the same

  try! self.managedObjectContext!.save() // Swift 5: the error is thrown
}

func showExampleData(_ predicate: NSPredicate?) -> [String] {
  let fetchRequest = NSFetchRequest<NSFetchRequestResult>(entityName: "Book") // Swift 5: the type of the results
  fetchRequest.predicate = predicate

  var lines: [String] = []
  let books = try! self.managedObjectContext?.fetch(fetchRequest) // Swift 5: the method's name and its error
  for book in books as! [Book] { // Swift 5: as!
    lines.append(String(format: "Title: \(book.title), price: %.2f", book.price)) // Swift 5: println
  }
  return lines
}

func predicateOfObjects() -> NSPredicate {
  let exprTitle = NSExpression(forKeyPath: "title")
  let exprValue = NSExpression(forConstantValue: "The first book")
  return NSComparisonPredicate(leftExpression: exprTitle, rightExpression: exprValue, modifier: .direct, type: .equalTo, options: []) // Swift 5: the cases' names
}

func showBargains() -> [String] {
  var lines: [String] = []
  let fetchRequest = NSFetchRequest<NSFetchRequestResult>(entityName: "BookCategory") // Swift 5: the type of the results
  let categories = try! self.managedObjectContext?.fetch(fetchRequest) // Swift 5: the method's name and its error
  for category in categories as! [BookCategory] { // Swift 5: as!
    lines.append("Bargains for category: \(category.name)") // Swift 5: println
    let bargainBooks = category.value(forKey: "bargainBooks") as! [Book] // Swift 5: the method's name, as!
    for book in bargainBooks {
      lines.append(String(format: "Title: \(book.title), price: %.2f", book.price)) // Swift 5: println
    }
  }
  return lines
}
}
