import CoreDataModel
import CoreDataSQL
import CoreDataSQLite
import Foundation
import TestSupport
import Testing

@testable import CoreData
@testable import CoreDataStoreCare

/// Tests of the index if a store is migrated, copied, checked, repaired or salvaged.
@Suite struct MovedIndexTests {
  private func filled() throws -> WordStore {
    let store = try WordStore()
    try store.work { context throws in
      let folder = context.new("Folder", ["name": "Desserts"])
      for (number, title) in ["Crème brûlée", "Green tea"].enumerated() {
        let note = context.new("Note", ["title": title, "number": number])
        note.setValue(folder, forKey: "folder")
      }
      try context.save()
    }
    return store
  }

  private static let renamed = WordStore.model.changing("Note") { note in
    note.attributes.removeAll { ["title", "plain"].contains($0.name) }
    note.attributes.append(
      .text("heading").inSpotlight.with { $0.renamingIdentifier = "title" }
    )
  }

  @Test(arguments: [WordStore.Index.unasked, .removed])
  func `a migration leaves no index of a table that it has changed`(_ index: WordStore.Index) throws
  {
    let store = try filled()
    try store.close()
    let after = try WordStore(
      .sqlite,
      index,
      file: store.file,
      model: Self.renamed,
      more: Upgrade.options
    )
    // That of folders is as good as before; the option decides.
    let left = try after.extras()
    #expect(!left.contains { $0.contains("ZNOTE") })
    #expect(left.isEmpty == (index == .removed), "\(left)")
    #expect(try after.numbers("heading CONTAINS[cdw] 'creme'") == [0])
  }

  @Test func `a migration that adds a column made the index anew`() throws {
    let store = try filled()
    let connection = try store.connection()
    // A word that no text has, and that a rebuilt index would not have either.
    try connection.run(
      "INSERT INTO \(name: "COREDATA_ZNOTE_TEXT") (rowid, \(name: "ZTITLE")) VALUES (2, 'sign')"
    )
    try store.close()
    let more = WordStore.model.changing("Note") { note in
      note.attributes.append(.text("subtitle"))
    }
    let after = try WordStore(.sqlite, .kept, file: store.file, model: more, more: Upgrade.options)
    #expect(try after.numbers("title CONTAINS[cdw] 'sign'") == [1])
    #expect(try after.numbers("title CONTAINS[cdw] 'creme'") == [0])
    try after.work { context throws in
      let note = NSEntityDescription.insertNewObject(forEntityName: "Note", into: context)
      note.setValue("crème fraîche", forKey: "title")
      note.setValue(7, forKey: "number")
      try context.save()
    }
    #expect(try after.numbers("title CONTAINS[cdw] 'creme'") == [0, 7])
  }

  @Test func `after a migration it is made for the new model`() throws {
    let store = try filled()
    try store.close()
    let after = try WordStore(
      .sqlite,
      .kept,
      file: store.file,
      model: Self.renamed,
      more: Upgrade.options
    )
    #expect(try after.query("heading CONTAINS[cdw] 'creme'").sql.contains("COREDATA_ZNOTE_TEXT"))
    #expect(try after.numbers("heading CONTAINS[cdw] 'creme'") == [0])
    try after.checkIndex()
  }

  @Test func `a table of another name takes its index along`() throws {
    let store = try filled()
    try store.close()
    var model = WordStore.model
    model = ModelSchema.model(
      .entity(
        "Memo",
        [.text("title").inSpotlight, .attribute("number", .integer64)]
      ).with { $0.renamingIdentifier = "Note" }
    )
    let after = try WordStore(.sqlite, .kept, file: store.file, model: model, more: Upgrade.options)
    #expect(try after.extras().first == "COREDATA_ZMEMO_TEXT")
    #expect(try after.extras().count == 4)
    let found = try after.numbers(NSPredicate(format: "title CONTAINS[cdw] 'creme'"), of: "Memo")
    #expect(found == [0])
  }

  @Test func `a copy has the index of the original`() throws {
    let store = try filled()
    let target = TestSupport.TemporaryFolder.file("Copy.sqlite")
    try store.coordinator.replacePersistentStore(
      at: target,
      destinationOptions: nil,
      withPersistentStoreFrom: try #require(store.file),
      sourceOptions: nil,
      ofType: NSSQLiteStoreType
    )
    let version = try Connection(path: target.path).integer("PRAGMA schema_version")
    let copy = try WordStore(.sqlite, .kept, file: target)
    #expect(try copy.connection().integer("PRAGMA schema_version") == version)
    #expect(try copy.numbers("title CONTAINS[cdw] 'creme'") == [0])
    try copy.checkIndex()
  }

  @Test func `objects that move to a new store are in its index`() throws {
    let store = try filled()
    let target = TestSupport.TemporaryFolder.file("New.sqlite")
    let old = try #require(store.coordinator.persistentStores.first)
    try store.coordinator.migratePersistentStore(
      old,
      to: target,
      options: WordStore.Index.kept.options,
      withType: NSSQLiteStoreType
    )
    #expect(try store.numbers("title CONTAINS[cdw] 'creme'") == [0])
    #expect(try store.query("title CONTAINS[cdw] 'creme'").sql.contains("COREDATA_ZNOTE_TEXT"))
  }

  @Test func `a store that is emptied has none`() throws {
    let store = try filled()
    let file = try #require(store.file)
    try store.close()
    try store.coordinator.destroyPersistentStore(at: file, ofType: NSSQLiteStoreType)
    let again = try WordStore(.sqlite, .kept, file: file)
    #expect(try again.numbers("title CONTAINS[cdw] 'creme'") == [])
    try again.checkIndex()
  }

  @Test func `a check finds nothing strange in it and a repair keeps it`() throws {
    let store = try filled()
    let file = try #require(store.file)
    try store.close()
    let report = try StoreChecker(storeAt: file, model: WordStore.model, isDeep: true).report()
    #expect(report.findings.map(\.words) == [])
    try store.connection().run("UPDATE ZNOTE SET ZFOLDER = 99, ZPLAIN = 'x' WHERE Z_PK = 1")
    _ = try StoreRepair(storeAt: file, model: WordStore.model).perform()
    let again = try WordStore(.sqlite, .readOnly, file: file)
    #expect(try again.query("title CONTAINS[cdw] 'creme'").sql.contains("COREDATA_ZNOTE_TEXT"))
    #expect(try again.numbers("title CONTAINS[cdw] 'creme'") == [0])
    try again.checkIndex()
  }

  @Test func `what is saved from a damaged store gets it at the next opening`() throws {
    let store = try filled()
    let file = try #require(store.file)
    try store.close()
    let target = TestSupport.TemporaryFolder.file("Saved.sqlite")
    _ = try StoreSalvage(storeAt: file, model: nil, to: target).perform()
    let unasked = try WordStore(.sqlite, .unasked, file: target)
    #expect(try unasked.extras() == [])
    try unasked.close()
    let again = try WordStore(.sqlite, .kept, file: target)
    #expect(try again.numbers("title CONTAINS[cdw] 'creme'") == [0])
    try again.checkIndex()
  }

  @Test func `a model told by tables does not speak of it`() throws {
    let store = try filled()
    let file = try #require(store.file)
    try store.close()
    let facts = try TableFacts(on: Connection(path: file.path, mode: .readOnly))
    let model = try ModelFromTables(facts).schema().schema
    #expect(Set(model.entities.map(\.name)) == ["Folder", "Letter", "Note"])
  }
}
