import CoreDataModel
public import Foundation

/// Version hashes, by which a store recognizes the model with which it was created.
extension NSManagedObjectModel {
  /// The version hashes of the entities by entity name.
  public var entityVersionHashesByName: [String: Data] { currentSchema.entityVersionHashes }

  /// A checksum of the version hashes of all entities, as Xcode's build log shows it.
  public var versionChecksum: String { currentSchema.versionChecksum }

  /// Returns whether a store can be opened with the entities of a configuration.
  ///
  /// - Parameters:
  ///   - configuration: The name of the configuration, or `nil` for all entities.
  ///   - metadata: The metadata of the store.
  /// - Returns: `true` if the version hashes of the entities match those in the metadata.
  public func isConfiguration(
    withName configuration: String?,
    compatibleWithStoreMetadata metadata: [String: Any]
  ) -> Bool {
    guard let hashes = versionHashes(ofConfiguration: configuration) else { return false }
    let stored = metadata[NSStoreModelVersionHashesKey] as? [String: Data]
    return stored.map { StoreMetadata.hashes($0, in: configuration, of: currentSchema) } == hashes
  }

  /// The version hashes of a configuration's entities, all for nil.
  ///
  /// `nil` if the configuration does not exist.
  package func versionHashes(ofConfiguration configuration: String?) -> [String: Data]? {
    guard let entities = entities(forConfigurationName: configuration) else { return nil }
    let names = Set(entities.compactMap(\.name))
    return entityVersionHashesByName.filter { names.contains($0.key) }
  }
}

extension NSEntityDescription {
  /// The hash of all that a store must know of the entity.
  ///
  /// An entity that belongs to no model is hashed with what it knows itself: its superentities, and the
  /// names of its relationships' destinations.
  public var versionHash: Data {
    let schema = model?.currentSchema ?? ModelSchema(entities: lineage.map(\.schema))
    guard let hash = schema.entityVersionHashes[name ?? ""] else {
      stop("\(title) is missing in the list of its model's entities")
    }
    return hash
  }

  /// The entity, its superentity, and so on.
  private var lineage: [NSEntityDescription] { [self] + (superentity?.lineage ?? []) }
}

extension NSAttributeDescription {
  /// A hash of everything in the attribute that affects the stored data.
  public var versionHash: Data { makeSchema().versionHash }
}

extension NSRelationshipDescription {
  /// A hash of everything in the relationship that affects the stored data.
  public var versionHash: Data { schema.versionHash(in: declaringEntity?.name ?? "") }
}
