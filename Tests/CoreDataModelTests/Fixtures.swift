import CoreDataModel
import Foundation

/// Real models and stores, beside the package, if they are present at all.
enum Fixtures {
  static let folder = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()
    .appending(path: "shared/fixtures")

  static let arePresent = FileManager.default.fileExists(atPath: folder.path)

  static let stores = [
    "Bookmarks_V1", "Bookmarks_V2", "Bookmarks_V3", "LoopKit_V1", "MigrationExample_V1",
    "MigrationExample_V2", "MigrationExample_V3", "Moody", "Moody2", "Moody3", "Moody4", "Moody5",
    "SampleModel2_V2", "SampleModel3_V1", "SampleModel_V1", "SampleModel_V2",
    "TwitterSeed-iOS6",
  ]

  static let sources = ["BookmarksModel", "Moody", "SampleModel", "SampleModel3", "VersionedModel"]

  static let compiled = ["SampleModel", "SampleModel3"]

  static func compiledModel(_ name: String) throws -> CompiledModel {
    try CompiledModel(contentsOf: folder.appending(path: "models/\(name).momd"))
  }

  /// A store's model cache; nil for stores that are older than the table.
  static func modelCache(of store: String) throws -> Data? {
    try Fixtures.store(store).blob(inTable: "Z_MODELCACHE", column: 0)
  }

  static func store(_ name: String) throws -> StoreFile {
    try StoreFile(contentsOf: folder.appending(path: "stores/\(name).sqlite"))
  }

  static func source(_ name: String) throws -> ModelSource {
    try ModelSource(contentsOf: folder.appending(path: "models/\(name).xcdatamodeld"))
  }

  /// The metadata of a store, as its property list.
  static func metadata(of store: String) throws -> [String: Any] {
    let data = try Fixtures.store(store).blob(inTable: "Z_METADATA", column: 2)
    let plist = try PropertyListSerialization.propertyList(from: data ?? Data(), format: nil)
    return plist as? [String: Any] ?? [:]
  }
}
