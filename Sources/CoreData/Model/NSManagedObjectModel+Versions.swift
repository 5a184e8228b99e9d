import CoreDataModel
public import Foundation

/// How a store recognises the model it was made for.
extension NSManagedObjectModel {
  /// The version hash of each entity.
  public var entityVersionHashesByName: [String: Data] { currentSchema.entityVersionHashes }

  /// The hashes of all entities in one line, as Xcode's build log shows it.
  public var versionChecksum: String { currentSchema.versionChecksum }

  /// Whether a store with this metadata can be opened with the entities of a configuration.
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
  /// Nil when there is no such configuration.
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
  /// The hash of all that a store must know of the attribute.
  public var versionHash: Data { makeSchema().versionHash }
}

extension NSRelationshipDescription {
  /// The hash of all that a store must know of the relationship.
  public var versionHash: Data { schema.versionHash(in: declaringEntity?.name ?? "") }
}
