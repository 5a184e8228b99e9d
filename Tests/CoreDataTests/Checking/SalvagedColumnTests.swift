import CoreDataModel
import CoreDataSQL
import CoreDataSQLite
import Foundation
import Testing

@testable import CoreData
@testable import CoreDataStoreCare

/// No column is lost because a model does not speak of it, and no damaged model is believed.
@Suite struct SalvagedColumnTests {
  private func target(for store: SoundStore) -> URL {
    store.file.deletingLastPathComponent().appendingPathComponent("Saved.sqlite")
  }

  /// A store whose model says `titel` where the tables and the version hashes say `title`.
  private func storeOfDamagedModel() throws -> SoundStore {
    let store = try SoundStore()
    var schema = SoundStore.schema
    for entity in schema.entities.indices where schema.entities[entity].name == "Note" {
      for attribute in schema.entities[entity].attributes.indices
      where schema.entities[entity].attributes[attribute].name == "title" {
        schema.entities[entity].attributes[attribute].name = "titel"
      }
      schema.entities[entity].indexes = []
      schema.entities[entity].attributes.removeAll { $0.name == "searchTitle" }
    }
    let bytes = SQLValue.blob([UInt8](try ModelCache.encode(schema)))
    let connection = try Connection(path: store.file.path)
    try connection.run("UPDATE Z_MODELCACHE SET Z_CONTENT = \(bytes)")
    return store
  }

  private func titles(_ file: URL) throws -> [String] {
    let connection = try Connection(path: file.path, mode: .readOnly)
    let statement = try connection.statement("SELECT ZTITLE FROM ZNOTE ORDER BY Z_PK" as String)
    defer { statement.reset() }
    var titles: [String] = []
    while try statement.step() { titles.append(statement.text(0)) }
    return titles
  }

  @Test func `tables are not made by a model that contradicts the version hashes`() throws {
    let store = try storeOfDamagedModel()
    let target = target(for: store)
    let outcome = try StoreSalvage(storeAt: store.file, model: nil, to: target).perform()
    guard case .file(let reason) = outcome.basis else {
      Issue.record("\(outcome.basis)")
      return
    }
    #expect(reason.contains("is not the one of its metadata"))
    #expect(outcome.isComplete)
    #expect(try titles(target) == (1...8).map { "Note \($0)" })
    // The program's own model fits, with every index and trigger.
    let given = try StoreChecker(storeAt: target, model: SoundStore.schema, isDeep: true).report()
    #expect(given.findings.map(\.words) == [])
  }

  @Test func `a model that is given is used, and said to be`() throws {
    let store = try storeOfDamagedModel()
    let target = target(for: store)
    let outcome = try StoreSalvage(storeAt: store.file, model: SoundStore.schema, to: target)
      .perform()
    guard case .given = outcome.basis else {
      Issue.record("\(outcome.basis)")
      return
    }
    #expect(outcome.isComplete && outcome.report.findings.map(\.words) == [])
    #expect(try titles(target) == (1...8).map { "Note \($0)" })
  }

  @Test func `a model that is given and is not the store's makes no new store`() throws {
    let store = try SoundStore()
    let target = target(for: store)
    let error = #expect(throws: NSError.self) {
      try StoreSalvage(storeAt: store.file, model: .notes, to: target).perform()
    }
    #expect(error?.code == NSPersistentStoreIncompatibleVersionHashError)
    #expect(!FileManager.default.fileExists(atPath: target.path))
  }

  @Test func `a column that no model knows is not lost without a word`() throws {
    let store = try SoundStore()
    try store.run([
      "ALTER TABLE ZNOTE ADD COLUMN ZMINE VARCHAR(20)", "UPDATE ZNOTE SET ZMINE = 'kept'",
    ])
    let target = target(for: store)
    let outcome = try StoreSalvage(storeAt: store.file, model: nil, to: target).perform()
    let table = try #require(outcome.tables.first { $0.name == "ZNOTE" })
    #expect(table.carriedColumns == ["ZMINE"] && table.lostColumns == [] && outcome.isComplete)
    let connection = try Connection(path: target.path, mode: .readOnly)
    #expect(try connection.integer("SELECT COUNT(*) FROM ZNOTE WHERE ZMINE = 'kept'") == 8)
  }

  @Test func `no repair adds the columns of a model that contradicts the version hashes`() throws {
    let store = try storeOfDamagedModel()
    let (report, plan) = try store.repair().plan()
    #expect(plan.steps == [])
    let finding = try #require(report.findings.first)
    #expect(report.findings.count == 1 && finding.check == .model && !report.hasCheckedRows)
    #expect(finding.advice == "give the application's model with --model")
  }

  @Test func `a store without any model is salvaged by its own tables`() throws {
    let store = try SoundStore()
    try store.run(["DELETE FROM Z_MODELCACHE", "UPDATE Z_PRIMARYKEY SET Z_MAX = 0"])
    let target = target(for: store)
    let outcome = try StoreSalvage(storeAt: store.file, model: nil, to: target).perform()
    #expect(outcome.basis == .file("it has no model that can be read") && outcome.isComplete)
    let given = try StoreChecker(storeAt: target, model: SoundStore.schema, isDeep: true).report()
    #expect(given.findings.map(\.words) == [])
  }

  @Test func `a file whose list of tables is gone is not sent to the salvage it comes from`() throws
  {
    let store = try SoundStore()
    try store.run(["PRAGMA wal_checkpoint(TRUNCATE)"])
    let handle = try FileHandle(forUpdating: store.file)
    try handle.seek(toOffset: 100)
    try handle.write(contentsOf: Data([0]))
    try handle.close()
    let error = #expect(throws: NSError.self) {
      try StoreSalvage(storeAt: store.file, model: nil, to: target(for: store)).perform()
    }
    #expect(error?.localizedFailureReason?.contains("the list of its tables") == true)
    #expect(error?.localizedRecoverySuggestion?.contains("--salvage") == false)
  }
}

/// A database of another program is not a broken store.
@Suite struct ForeignDatabaseTests {
  @Test(arguments: [["CREATE TABLE people(name)"], []])
  func `another program's database is not taken for a broken store`(statements: [String]) throws {
    let store = try SoundStore()
    try FileManager.default.removeItem(at: store.file)
    let connection = try Connection(path: store.file.path)
    for statement in statements { try connection.run(statement) }
    try connection.run("PRAGMA user_version = 7" as String)
    let before = try Data(contentsOf: store.file)
    for model in [nil, SoundStore.schema] {
      #expect(throws: NSError.self) {
        try StoreChecker(storeAt: store.file, model: model).report()
      }
      #expect(throws: NSError.self) {
        try StoreRepair(storeAt: store.file, model: model).perform()
      }
      let saved = store.file.deletingLastPathComponent().appendingPathComponent("Saved.sqlite")
      #expect(throws: NSError.self) {
        try StoreSalvage(storeAt: store.file, model: model, to: saved).perform()
      }
    }
    #expect(try Data(contentsOf: store.file) == before)
  }

  @Test func `a store that lacks a table is a broken one`() throws {
    for table in ["Z_METADATA", "Z_PRIMARYKEY"] {
      let store = try SoundStore()
      try store.run(["DROP TABLE \(table)"])
      let report = try StoreChecker(storeAt: store.file, model: SoundStore.schema).report()
      #expect(
        !report.isSound && report.findings.contains { $0.remedy?.sentence == "makes the table" }
      )
    }
  }
}
