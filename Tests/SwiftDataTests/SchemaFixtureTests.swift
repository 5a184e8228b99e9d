import CoreData
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
}
