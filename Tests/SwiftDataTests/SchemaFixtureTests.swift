import CoreData
import CoreDataModel
import CoreDataSQL
import CoreDataSQLite
import Foundation
import SwiftData
import Testing

@Suite(.enabled(if: FixtureStore.areThere))
struct SchemaFixtureTests {
  @Test(arguments: FixtureStore.all)
  func classesHaveTheVersionHashesOfTheirStore(_ fixture: FixtureStore) throws {
    let file = try fixture.copy()
    let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
      ofType: NSSQLiteStoreType,
      at: file
    )
    let stored = try #require(metadata[NSStoreModelVersionHashesKey] as? [String: Data])
    let model = try #require(NSManagedObjectModel.makeManagedObjectModel(for: fixture.schema))
    #expect(model.entityVersionHashesByName == stored)
    #expect(
      model.versionChecksum == metadata["NSStoreModelVersionChecksumKey"] as? String
        || metadata["NSStoreModelVersionChecksumKey"] == nil
    )
  }

  @Test(arguments: FixtureStore.all)
  func newStoresHaveTheTablesAndIndexesOfApples(_ fixture: FixtureStore) throws {
    let original = try statements(in: fixture.copy())
    let file = try temporaryFolder().appendingPathComponent("New.store")
    let container = try ModelContainer(
      for: fixture.schema,
      configurations: ModelConfiguration(url: file)
    )
    _ = container
    #expect(!original.isEmpty)
    #expect(try statements(in: file) == original)
  }

  @Test(arguments: FixtureStore.all)
  func newStoresCarryTheModelOfApples(_ fixture: FixtureStore) throws {
    let original = try fixture.copy()
    let file = try temporaryFolder().appendingPathComponent("New.store")
    _ = try ModelContainer(for: fixture.schema, configurations: ModelConfiguration(url: file))
    let (model, wanted) = (try Self.model(in: file), try Self.model(in: original))
    for (entity, wanted) in zip(model.entities, wanted.entities) { #expect(entity == wanted) }
    #expect(model.entities.count == wanted.entities.count)
    #expect(model.entities.allSatisfy { !$0.archivesClass.value })
    // Systems of 2025 note the newest version that may open a file.
    let keys = try metadataKeys(in: original).subtracting(["NSPersistenceMaximumFrameworkVersion"])
    #expect(try metadataKeys(in: file) == keys)
  }

  /// The model in a file, without defaults that differ from run to run, and without the names of classes that only systems
  /// before 2023 wrote.
  private static func model(in file: URL) throws -> ModelSchema {
    var schema = try StoredModel(inStoreAt: file).schema
    for entity in schema.entities.indices {
      schema.entities[entity].className = ""
      for attribute in schema.entities[entity].attributes.indices {
        let type = schema.entities[entity].attributes[attribute].type
        if [.date, .uuid, .transformable].contains(type) {
          schema.entities[entity].attributes[attribute].defaultValue = nil
        }
      }
    }
    return schema
  }
}

/// The keys of a file's metadata.
private func metadataKeys(in file: URL) throws -> Set<String> {
  let connection = try Connection(path: file.path)
  let hex = try #require(try connection.text("SELECT hex(Z_PLIST) FROM Z_METADATA"))
  let digits = Array(hex.utf8)
  let bytes = stride(from: 0, to: digits.count, by: 2).compactMap { place in
    UInt8(String(decoding: digits[place..<place + 2], as: UTF8.self), radix: 16)
  }
  let plist = try PropertyListSerialization.propertyList(from: Data(bytes), format: nil)
  return Set(try #require(plist as? [String: Any]).keys)
}
