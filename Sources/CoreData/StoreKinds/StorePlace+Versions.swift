import Foundation

extension StorePlace {
  /// Holds what a file says of itself against the model and the type.
  ///
  /// Throws 134010 for a store of another type, and 134100 when it was made with another model, unless
  /// versions are ignored.
  package func check(_ metadata: [String: Any], against layout: ModelLayout) throws {
    if let found = metadata[NSStoreTypeKey] as? String, found != type {
      throw StoreFailure(.otherType(found: found, expected: type), path: path).error()
    }
    if ignoresVersions { return }
    let stored = metadata[NSStoreModelVersionHashesKey] as? [String: Data] ?? [:]
    let model = StoreMetadata.versionHashes(of: layout, in: configuration)
    let compared = StoreMetadata.hashes(stored, in: configuration, of: layout.schema)
    guard let difference = ModelDifference(storeHashes: compared, modelHashes: model) else {
      return
    }
    throw StoreFailure(.otherModel(difference), path: path).error(metadata: metadata)
  }
}
