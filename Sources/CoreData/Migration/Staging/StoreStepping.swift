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

/// Steps that are inferred: in one transaction in SQLite files, object by object in others.
struct InferredStepping: StoreStepping {
  func migrate(
    _ place: StorePlace,
    from source: NSManagedObjectModel,
    to destination: NSManagedObjectModel
  ) throws {
    if place.type == NSSQLiteStoreType {
      try StoreMigration(place, to: destination.layout).perform(from: source.layout.schema)
      return
    }
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
