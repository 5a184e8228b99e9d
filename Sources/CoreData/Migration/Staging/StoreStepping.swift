import Foundation

/// How a store is brought from one version of a model to the next, in its place.
///
/// A staged migration is a row of such steps.
protocol StoreStepping {
  /// After an error the store is as it was.
  func migrate(
    storeAt url: URL,
    ofType type: String,
    from source: NSManagedObjectModel,
    to destination: NSManagedObjectModel,
    options: [AnyHashable: Any]?
  ) throws
}

/// Steps by inferred mapping models, for every type of store.
struct InferredStepping: StoreStepping {
  func migrate(
    storeAt url: URL,
    ofType type: String,
    from source: NSManagedObjectModel,
    to destination: NSManagedObjectModel,
    options: [AnyHashable: Any]?
  ) throws {
    let mapping = try NSMappingModel.inferredMappingModel(
      forSourceModel: source,
      destinationModel: destination
    )
    try MappingMigration.migrate(
      storeAt: url,
      ofType: type,
      from: source,
      to: destination,
      mapping: mapping,
      options: options,
      keepsBackup: false
    )
  }
}
