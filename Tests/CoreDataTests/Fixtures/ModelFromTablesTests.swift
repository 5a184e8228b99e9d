import CoreDataModel
import CoreDataSQLite
import Foundation
import TestSupport
import Testing

@testable import CoreData

/// Apple's own stores, opened with a model that is derived from their tables alone.
@Suite(.enabled(if: !StoreCopy.names.isEmpty, "needs ../shared/fixtures/stores"))
struct ModelFromTablesTests {
  private static var readOnly: [String: Any] {
    [NSReadOnlyPersistentStoreOption: true, NSIgnorePersistentStoreVersioningOption: true]
  }

  private func copy(_ name: String) throws -> StoreCopy {
    try StoreCopy(name) { try StoredModel(inStoreAt: $0, from: .tables).schema }
  }

  @Test(arguments: StoreCopy.names)
  func `every row can be read, and is what plain SQL says`(name: String) throws {
    let copy = try copy(name)
    try copy.open(Self.readOnly)
    let comparison = try RowComparison(copy, StoreCopy.plainSQL(name))
    #expect(comparison.differences.prefix(10) == [])
    #expect(comparison.count > 0)
  }

  @Test(arguments: StoreCopy.names)
  func `no column is left out, and none is made up`(name: String) throws {
    let copy = try copy(name)
    let connection = try StoreCopy.plainSQL(name)
    let tables = try StoreTables.names(on: connection)
    let map = TableMap(copy.schema, existingTables: tables)
    for table in map.tables {
      let statement = try connection.statement(
        "SELECT name, type FROM pragma_table_info('\(table.name)') ORDER BY name"
      )
      var columns: [String] = []
      while try statement.step() { columns.append("\(statement.text(0)) \(statement.text(1))") }
      statement.reset()
      let own = table.columns.map { "\($0.name) \($0.type.rawValue)" }
      let keys = RowDecoder.keyColumns.map { "\($0) INTEGER" }
      #expect((own + keys).map { $0.replacing(" PRIMARY KEY", with: "") }.sorted() == columns)
    }
    let bookkeeping: Set = ["Z_PRIMARYKEY", "Z_METADATA", "Z_MODELCACHE"]
    #expect(
      Set(map.tables.map(\.name) + map.joinTables.map(\.name))
        == tables.subtracting(bookkeeping).filter { $0.hasPrefix("Z") }
    )
  }

  @Test(arguments: StoreCopy.names)
  func `entities have the names and numbers that the application's model gives`(
    name: String
  ) throws {
    let told = TableMap(try copy(name).schema).entities
    let given = TableMap(try StoreCopy(name).schema).entities
    #expect(told.map(\.name) == given.map(\.name))
    #expect(told.map(\.superNumber) == given.map(\.superNumber))
    #expect(told.map(\.tableName) == given.map(\.tableName))
  }

  /// The entities whose version hashes are met.
  private static let confirmed = [
    "LoopKit_V1": "DeletedCarbObject Reservoir", "MigrationExample_V1": "Post",
    "MigrationExample_V2": "Post", "MigrationExample_V3": "Post Section",
    "SampleModel_V2": "Person", "SampleModel2_V2": "Page", "SampleModel3_V1": "User",
    "Cocktails": "Garnish", "SwiftRide": "Connection",
  ]

  @Test(arguments: StoreCopy.names)
  func `a version hash confirms what was guessed`(name: String) throws {
    let copy = try copy(name)
    let model = try StoredModel(inStoreAt: copy.file, from: .tables)
    #expect(model.confirmedEntities.sorted().joined(separator: " ") == Self.confirmed[name] ?? "")
    let ours = model.schema.entityVersionHashes
    let theirs = try StoreCopy(name).schema.entityVersionHashes
    #expect(Set(ours.keys.filter { ours[$0] == theirs[$0] }) == model.confirmedEntities)
    // With all hashes as they were, nothing has to be ignored.
    if ours == theirs { try copy.open([NSReadOnlyPersistentStoreOption: true]) }
  }

  @Test func `what is read can be searched, sorted and followed`() throws {
    let copy = try copy("TwitterSeed-iOS6")
    try copy.open(Self.readOnly)
    let context = copy.context()
    try context.performAndWait {
      let request = NSFetchRequest<NSManagedObject>(entityName: "User")
      request.predicate = NSPredicate(format: "tweets.@count > 5 AND userid > 0")
      request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
      let user = try #require(try context.fetch(request).first)
      let tweets = try #require(user.value(forKey: "tweets") as? NSSet)
      #expect(tweets.count > 5)
      let tweet = try #require(tweets.anyObject() as? NSManagedObject)
      #expect(tweet.value(forKey: "user") as? NSManagedObject == user)
      #expect(tweet.value(forKey: "createdat") as? Date != nil)
    }
  }
}
