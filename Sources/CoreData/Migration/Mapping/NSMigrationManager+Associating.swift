import Foundation

// MARK: - What was made of what

extension NSMigrationManager {
  /// Notes that an object of the destination was made of one of the source.
  ///
  /// An object may have several, and so may a source. Only what is associated is found by relationships
  /// and comes to `createRelationships(forDestination:in:manager:)`.
  public func associate(
    sourceInstance: NSManagedObject,
    withDestinationInstance destinationInstance: NSManagedObject,
    for entityMapping: NSEntityMapping
  ) {
    associations.associate(sourceInstance, destinationInstance, by: entityMapping.name)
  }

  /// What a mapping has made of objects of the source, in their order; of all for nil.
  ///
  /// Stops the program when the mapping model has no mapping of that name.
  public func destinationInstances(
    forEntityMappingName mappingName: String,
    sourceInstances: [NSManagedObject]?
  ) -> [NSManagedObject] {
    requireMapping(mappingName)
    guard let sourceInstances else {
      return associations.all(by: mappingName).map { $0.object(in: destinationContext) }
    }
    return instances(made: sourceInstances, by: [mappingName])
  }

  /// The objects of the source that objects of the destination were made of; of all for nil.
  ///
  /// Stops the program when the mapping model has no mapping of that name.
  public func sourceInstances(
    forEntityMappingName mappingName: String,
    destinationInstances: [NSManagedObject]?
  ) -> [NSManagedObject] {
    requireMapping(mappingName)
    let sources =
      destinationInstances.map { objects in
        objects.flatMap { associations.sources(of: $0, by: mappingName) }
      } ?? associations.all(by: mappingName).flatMap(\.sources)
    var seen: Set<ObjectKey> = []
    return sources.filter { seen.insert($0.key).inserted }
      .map { $0.object(in: sourceContext) }
  }

  private func requireMapping(_ name: String) {
    let names = (work?.mapping.mappings ?? []).map { $0.name ?? "" }
    require(
      names.contains(name),
      "the mapping model has no entity mapping \(name); it has \(names.joined(separator: ", "))"
    )
  }

  /// What some mappings have made of objects, each once.
  func instances(made sources: [NSManagedObject], by mappings: [String]) -> [NSManagedObject] {
    var seen: Set<ObjectKey> = []
    return sources.flatMap { source in
      mappings.flatMap { associations.made(of: source, by: $0) }
    }
    .filter { seen.insert($0.identity.key).inserted }
    .map { $0.object(in: destinationContext) }
  }
}
