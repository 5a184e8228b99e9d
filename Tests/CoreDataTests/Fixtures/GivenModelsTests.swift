import CoreDataModel
import Foundation
import Testing

@testable import CoreData

/// Apple's own stores, opened with the files of their applications' models.
@Suite(.enabled(if: !StoreCopy.names.isEmpty, "needs ../shared/fixtures/stores"))
struct GivenModelsTests {
  private static let models = URL(filePath: #filePath)
    .deletingLastPathComponent().appending(path: "../../../../shared/fixtures/models")
    .standardizedFileURL

  /// A store, the file of its model, and the version it was made with.
  private static let pairs: [(store: String, model: String, version: String)] = [
    ("Bookmarks_V1", "BookmarksModel.xcdatamodeld", "BookmarksModel"),
    ("Bookmarks_V2", "BookmarksModel.xcdatamodeld", "BookmarksModel 2"),
    ("Bookmarks_V3", "BookmarksModel.xcdatamodeld", "BookmarksModel 3"),
    ("Moody", "Moody.xcdatamodeld", "Moody"),
    ("Moody2", "Moody.xcdatamodeld", "Moody 2"),
    ("Moody3", "Moody.xcdatamodeld", "Moody 3"),
    ("Moody4", "Moody.xcdatamodeld", "Moody 4"),
    ("Moody5", "Moody.xcdatamodeld", "Moody 5"),
    ("SampleModel_V1", "SampleModel.xcdatamodeld", "SampleModel"),
    ("SampleModel_V2", "SampleModel.xcdatamodeld", "SampleModel2"),
    ("SampleModel3_V1", "SampleModel3.xcdatamodeld", "SampleModel3"),
    ("SampleModel_V1", "SampleModel.momd", "SampleModel"),
    ("SampleModel_V2", "SampleModel.momd", "SampleModel2"),
    ("SampleModel3_V1", "SampleModel3.momd", "SampleModel3"),
    ("SampleModel_V1", "SampleModel.momd/SampleModel.mom", "SampleModel"),
    ("SampleModel_V2", "SampleModel.momd/SampleModel2.mom", "SampleModel2"),
  ]

  @Test(arguments: pairs)
  func `the model of the application opens the store, and every row is read`(
    store: String,
    model: String,
    version: String
  ) throws {
    let copy = try StoreCopy(store) { _ in
      let url = Self.models.appending(path: model)
      let versions = try ModelFile(contentsOf: url).versions
      let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
        type: .sqlite,
        at: StoreCopy(store).file
      )
      let fitting = versions.filter { schema in
        NSManagedObjectModel(schema: schema)
          .isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata)
      }
      // One version fits, and it is the one.
      #expect(fitting.count == 1, "\(version)")
      return try #require(fitting.first)
    }
    try copy.open([NSReadOnlyPersistentStoreOption: true])
    let comparison = try RowComparison(copy, StoreCopy.plainSQL(store))
    #expect(comparison.differences.prefix(10) == [])
    #expect(comparison.count > 0)
  }

  @Test func `a store of another version is refused by name`() throws {
    let copy = try StoreCopy("Moody") { _ in
      try ModelFile(contentsOf: Self.models.appending(path: "Moody.xcdatamodeld")).current
    }
    let error = #expect(throws: CocoaError.self) { try copy.open() }
    #expect(error?.code == .persistentStoreIncompatibleVersionHash)
    #expect((error as NSError?)?.localizedFailureReason?.contains("Mood") == true)
  }
}
