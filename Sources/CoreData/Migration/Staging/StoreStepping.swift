import Foundation

/// How a store is brought from one version of a model to the next, in its place.
///
/// A staged migration is a row of such steps.
protocol StoreStepping {
  /// After an error the store is as it was.
  func migrate(
    _ place: StorePlace,
    from source: NSManagedObjectModel,
    to destination: NSManagedObjectModel
  ) throws
}

/// Steps that are inferred: in one transaction in databases, object by object in other files.
struct InferredStepping: StoreStepping {
  func migrate(
    _ place: StorePlace,
    from source: NSManagedObjectModel,
    to destination: NSManagedObjectModel
  ) throws {
    let kind = try KindsOfStores.kind(place.type, at: place.path)
    if try kind.migrate(place, from: source.layout.schema, to: destination) { return }
    guard let url = place.url else { return }
    let mapping = try NSMappingModel.inferredMappingModel(
      forSourceModel: source,
      destinationModel: destination
    )
    try MappingMigration.migrate(
      storeAt: url,
      ofType: place.type,
      from: source,
      to: destination,
      mapping: mapping,
      options: place.options,
      keepsBackup: false
    )
  }
}
