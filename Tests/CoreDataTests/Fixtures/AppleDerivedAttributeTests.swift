import CoreDataModel
import Foundation
import Testing

@testable import CoreData

/// Apple's own triggers keep the derived attributes of Apple's own stores, when we write.
@Suite(
  .enabled(if: StoreCopy.names.contains("SampleModel2_V2"), "needs ../shared/fixtures/stores")
)
struct AppleDerivedAttributeTests {
  @Test func `pages that come, move and go are counted by the file's triggers (50)`() throws {
    let copy = try StoreCopy("SampleModel2_V2")
    try copy.open()
    let context = copy.context()
    try context.performAndWait {
      let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
      // A book has to have a page.
      request.predicate = NSPredicate(format: "pagesCount > 1")
      let book = try #require(try context.fetch(request).first)
      let pages = try #require(book.value(forKey: "pages") as? NSSet)
      let count = pages.count
      #expect(book.numberValue("pagesCount") == Double(count))
      context.delete(try #require(pages.anyObject() as? NSManagedObject))
      try context.save()
      #expect(book.numberValue("pagesCount") == Double(count - 1))
    }
  }

  @Test func `its triggers are ours, to the letter (50)`() throws {
    let copy = try StoreCopy("SampleModel2_V2")
    let ours = TablesWriter(TableMap(copy.schema)).statements
      .filter { $0.hasPrefix("CREATE TRIGGER") }
    let apples = try SQLiteShell.run(
      "SELECT replace(sql, char(10), ' ') FROM sqlite_master WHERE type = 'trigger';",
      on: copy.file.path
    )
    #expect(!ours.isEmpty && Set(ours) == Set(apples))
  }
}
