package import CoreDataModel
package import CoreDataModelChanges
import Foundation

/// The models that a store goes through on its way to another model.
package struct MigrationRoute {
  package let comparisons: [ModelComparison]
  /// Whether objects and values may be lost on the way.
  package let mayLose: Bool

  /// A route from a model that somebody has named.
  package init(from source: ModelSchema, to destination: ModelSchema) throws(MigrationFailure) {
    comparisons = try SourceModel(source).route(to: destination)
    mayLose = true
  }

  /// A route from the model that the store was made with: one of the program's, or the one that is `stored`.
  ///
  /// There is nothing to go through where the store's hashes differ from the destination's in nothing.
  package init(
    fromHashes hashes: [String: Data],
    to destination: ModelSchema,
    of place: StorePlace,
    stored: () -> ModelSchema?
  ) throws(MigrationFailure) {
    let source = SourceModel(
      hashes: hashes,
      configuration: place.configuration,
      destination: destination,
      stored: stored
    )
    if let source {
      comparisons = try source.route(to: destination)
      mayLose = source.isVersion || place.mayLoseUnknown
      return
    }
    let wanted = StoreMetadata.versionHashes(of: destination, in: place.configuration)
    if let difference = ModelDifference(storeHashes: hashes, modelHashes: wanted) {
      throw MigrationFailure(.missingSource(difference))
    }
    comparisons = []
    mayLose = true
  }
}
