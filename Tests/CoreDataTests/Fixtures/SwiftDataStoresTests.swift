import CoreDataModel
import CoreDataStoreCare
import Foundation
import TestSupport
import Testing

@testable import CoreData

/// Stores of SwiftData, whose enums and structs are composite attributes; other suites read and write them as all others.
@Suite(.enabled(if: !StoreCopy.madeBySwiftData.isEmpty, "needs ../shared/fixtures/swiftdata"))
struct SwiftDataStoresTests {
  @Test(arguments: StoreCopy.madeBySwiftData)
  func `a model with composite attributes was called damaged, and its hashes were others`(
    name: String
  ) throws {
    let copy = try StoreCopy(name)
    let store = try copy.open()
    let hashes = try #require(store.metadata[NSStoreModelVersionHashesKey] as? [String: Data])
    #expect(copy.schema.entityVersionHashes == hashes)
    let model = try NSManagedObjectModel(contentsOfStoreAt: copy.file)
    #expect(model.entityVersionHashesByName == hashes)
  }

  @Test(arguments: StoreCopy.madeBySwiftData)
  func `a check was not content with columns of composite attributes`(name: String) throws {
    let copy = try StoreCopy(name)
    let report = try StoreChecker(storeAt: copy.file, model: nil, isDeep: true).report()
    #expect(report.findings.map(\.words) == [])
    #expect(report.hasCheckedRows)
  }

  @Test(arguments: StoreCopy.madeBySwiftData)
  func `a new store of the same model had other tables and indexes`(name: String) throws {
    let copy = try StoreCopy(name)
    let new = StoreCopy(
      at: TestSupport.TemporaryFolder.file("New.sqlite"),
      schema: copy.schema
    )
    try new.open()
    let query = "SELECT name, sql FROM sqlite_master WHERE tbl_name NOT LIKE 'A%' ORDER BY name;"
    let theirs = try SQLiteShell.run(query, on: copy.file.path)
    let ours = try SQLiteShell.run(query, on: new.file.path)
    #expect(Set(ours).symmetricDifference(theirs).sorted() == [])
  }

  @Test func `the elements of an enum without raw values have the columns of its cases`() throws {
    guard StoreCopy.madeBySwiftData.contains("Cocktails") else { return }
    let copy = try StoreCopy("Cocktails")
    try copy.open()
    let context = copy.context()
    try context.performAndWait {
      let cocktails = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Cocktail"))
      let glasses = cocktails.compactMap {
        ($0.value(forKey: "glasswareType") as? [String: Any])?["glasswareType"] as? String
      }
      #expect(glasses.contains("Martini"))
      let request = NSFetchRequest<NSManagedObject>(entityName: "Cocktail")
      request.predicate = NSPredicate(format: "glasswareType.glasswareType == 'Martini'")
      #expect(try context.count(for: request) == glasses.filter { $0 == "Martini" }.count)
    }
  }

  @Test func `the greatest version of the framework that metadata name was forgotten`() throws {
    guard StoreCopy.madeBySwiftData.contains("Pegase") else { return }
    let copy = try StoreCopy("Pegase")
    let store = try copy.open()
    let key = "NSPersistenceMaximumFrameworkVersion"
    let version = try #require(store.metadata[key] as? Int)
    copy.coordinator.setMetadata(["title": "a"], for: store)
    let context = copy.context()
    try context.performAndWait { try context.save() }
    try copy.coordinator.remove(store)
    let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
      ofType: NSSQLiteStoreType,
      at: copy.file
    )
    #expect(metadata[key] as? Int == version)
    #expect(metadata["title"] as? String == "a")
  }
}
