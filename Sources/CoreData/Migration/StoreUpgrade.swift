import CoreDataModel
import Foundation

/// Chooses the way on which a store of an earlier model becomes one of the program's.
///
/// ```
/// SourceModel ─▶ a mapping model of the program   MappingMigration, object by object
///             ─▶ inferred, a database             StoreMigration, PostgreSQLMigration: in one transaction
///             ─▶ inferred, any other file         MappingMigration
/// ```
struct StoreUpgrade {
  private let place: StorePlace
  private let destination: NSManagedObjectModel

  init(_ place: StorePlace, to destination: NSManagedObjectModel) {
    self.place = place
    self.destination = destination
  }

  /// Migrates the store.
  ///
  /// Throws 134130 if the model that the store was made with is not found, 134140 if there is no mapping model and
  /// none may be inferred, 134190 with all reasons if none can be, and 134111 if objects violate a new uniqueness
  /// constraint.
  func perform() throws {
    if let source = try source(), let mapping = mapping(from: source) {
      return try migrate(with: mapping, from: source)
    }
    guard place.infersMapping else {
      throw MigrationFailure(.missingMapping).error(path: place.path)
    }
    if try !kind.migrate(place, from: nil, to: destination) { try inferAndMigrate() }
  }

  private func inferAndMigrate() throws {
    guard let source = try source() else {
      let schema = destination.layout.schema
      let wanted = StoreMetadata.versionHashes(of: schema, in: place.configuration)
      guard let difference = ModelDifference(storeHashes: try hashes(), modelHashes: wanted) else {
        return
      }
      throw MigrationFailure(.missingSource(difference)).error(path: place.path)
    }
    let mapping = try NSMappingModel.inferredMappingModel(
      forSourceModel: source,
      destinationModel: destination
    )
    try migrate(with: mapping, from: source)
  }

  private func migrate(
    with mapping: NSMappingModel,
    from source: NSManagedObjectModel
  ) throws {
    guard let url = place.url else { return }
    guard url.isFileURL else {
      let request = "a migration with a mapping model, which needs a copy of the store"
      throw StoreFailure(.unsupportedRequest(request), path: StoreAddress.shown(url)).error()
    }
    try MappingMigration.migrate(
      storeAt: url,
      ofType: place.type,
      from: source,
      to: destination,
      mapping: mapping,
      options: place.options,
      progress: place.migrationProgress,
      keepsBackup: place.makesBackup ? nil : false
    )
  }
}

// MARK: - What the program has

extension StoreUpgrade {
  private var kind: any KindOfStore {
    get throws { try KindsOfStores.kind(place.type, at: place.path) }
  }

  private func hashes() throws -> [String: Data] {
    guard let url = place.url else { return [:] }
    let metadata = try kind.metadata(at: url, place.options)
    return metadata[NSStoreModelVersionHashesKey] as? [String: Data] ?? [:]
  }

  /// The model that the store was made with, if it is found.
  private func source() throws -> NSManagedObjectModel? {
    let kind = try kind
    let source = SourceModel(
      hashes: try hashes(),
      configuration: place.configuration,
      destination: destination.layout.schema,
      stored: { kind.storedModel(of: place) }
    )
    return source.map { NSManagedObjectModel(schema: $0.schema) }
  }

  private func mapping(from source: NSManagedObjectModel) -> NSMappingModel? {
    NSMappingModel(
      from: SourceModel.bundles,
      forSourceModel: source,
      destinationModel: destination
    )
  }
}
