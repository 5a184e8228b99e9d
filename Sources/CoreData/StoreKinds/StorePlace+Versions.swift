package import CoreDataModel
import CoreDataModelChanges
import Foundation

extension StorePlace {
  /// Compares what a store says of itself with the type and the program's model.
  ///
  /// Returns the attributes that the store has beyond the model; none if its model is the program's, or if versions are
  /// ignored. Throws 134010 for a store of another type, and 134100 for one of another model, unless it has been
  /// migrated from the program's model and the program can go on with it.
  ///
  /// - Parameters:
  ///   - metadata: The store's metadata.
  ///   - layout: The program's model.
  ///   - stored: Returns the model that the store carries; called only for a store that had the program's model before.
  package func surplus(
    of metadata: [String: Any],
    beyond layout: ModelLayout,
    stored: () -> ModelSchema?
  ) throws -> StoreSurplus {
    if let found = metadata[NSStoreTypeKey] as? String, found != type {
      throw StoreFailure(.otherType(found: found, expected: type), path: path).error()
    }
    if ignoresVersions { return StoreSurplus() }
    let hashes = metadata[NSStoreModelVersionHashesKey] as? [String: Data] ?? [:]
    let model = StoreMetadata.versionHashes(of: layout, in: configuration)
    let compared = StoreMetadata.hashes(hashes, in: configuration, of: layout.schema)
    guard let difference = ModelDifference(storeHashes: compared, modelHashes: model) else {
      return StoreSurplus()
    }
    guard !mayLoseUnknown, FormerModels.contain(model, in: metadata) else {
      throw StoreFailure(.otherModel(difference), path: path).error(metadata: metadata)
    }
    do {
      guard let schema = stored(),
        StoreMetadata.versionHashes(of: schema, in: configuration) == hashes
      else { throw AddedAttributes.Obstacle("the store does not contain its own model") }
      return try StoreSurplus(of: schema, beyond: layout)
    } catch let obstacle as AddedAttributes.Obstacle {
      throw StoreFailure(.newerModel(difference, obstacle.reason), path: path)
        .error(metadata: metadata)
    }
  }

  /// Compares a store that must have exactly the program's model.
  func check(_ metadata: [String: Any], against layout: ModelLayout) throws {
    _ = try surplus(of: metadata, beyond: layout) { nil }
  }
}
